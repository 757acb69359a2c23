"""Generated packages of one process never meet: names are unique, and what was imported is forgotten."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.codegen.building import build, document
from tests.codegen.conftest import generating_in
from tests.codegen.importing import importable, unused_name

TEXT = {"Word": {"type": "object", "properties": {"text": {"type": "string"}}}}


def test_two_fixtures_in_one_process_make_packages_of_different_names(tmp_path: Path) -> None:
    """pytest makes a session fixture again for each conftest.py that imports it."""
    schemas = {"Case.json": document("Case", TEXT)}
    folders = [tmp_path / "codegen", tmp_path / "testing"]
    with importable(folders[0]), importable(folders[1]):
        first, second = (generating_in(folder)(schemas) for folder in folders)
        modules = [package.module("Case.json") for package in (first, second)]
    assert [Path(module.__file__).parent for module in modules] == [first.folder, second.folder]


def test_a_package_written_after_its_folder_was_listed_is_found(tmp_path: Path) -> None:
    with importable(tmp_path):
        for _ in range(5):
            with pytest.raises(ModuleNotFoundError):
                import_module(name := unused_name())
            package = build(tmp_path, name, {"Case.json": document("Case", TEXT)})
            assert package.definition("Case.json", "Word")(text="a").text == "a"


def test_what_was_imported_from_a_folder_is_forgotten_with_it(tmp_path: Path) -> None:
    path = list(sys.path)
    for content in ("first", "second"):
        folder = tmp_path / content
        folder.mkdir()
        (folder / "module_of_a_test.py").write_text(f"content = {content!r}\n", encoding="utf-8")
        with importable(folder):
            assert import_module("module_of_a_test").content == content
    assert "module_of_a_test" not in sys.modules
    assert sys.path == path
