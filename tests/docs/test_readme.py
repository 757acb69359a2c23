"""What README and CONTRIBUTING show runs and prints what they say, and what they name is there."""

from __future__ import annotations

import doctest
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.docs.examples import Block, Example, blocks, examples, quotations

DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
MAKE = re.compile(r"(?:^|`)make ([a-z][a-z-]*)", re.MULTILINE)
TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
FILE = re.compile(r"`(\w[\w./-]*/[\w./-]*|\w+\.(?:py|toml|txt|md))`")
PLACEHOLDER = re.compile(r"NAME|Case")
FOLDERS = ("", "codegen", "openlineage_facets/base", "openlineage_facets/generated")
"""Where a file that is named stands: in the checkout, or in the folder that a table is about."""


@pytest.fixture
def nobodys_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, in an environment that says nothing of lineage."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("OPENLINEAGE")]:
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("nobodys_folder")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_examples_print_what_is_shown(document: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for example in examples(document):
        if example.code.text.startswith(">>> "):
            run_session(document, example.code, names)
        else:
            run(document, example.code, names)
        assert_shown(document, example, capsys.readouterr().out)


def run(document: str, code: Block, names: dict[str, Any]) -> None:
    """Run a block; lines in a traceback are those of the document."""
    exec(compile("\n" * (code.line - 1) + code.text, str(ROOT / document), "exec"), names)


def run_session(document: str, code: Block, names: dict[str, Any]) -> None:
    """Run a block as it was typed at the prompt, each answer compared."""
    session = doctest.DocTestParser().get_doctest(code.text, names, document, document, code.line - 1)
    session.globs = names
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    assert result.failed == 0, "".join(report)


def assert_shown(document: str, example: Example, printed: str) -> None:
    place = f"{document}:{example.code.line}"
    if example.output is None:
        assert printed == "", f"{place} prints what the document does not show"
    elif example.output.language == "json":
        assert json.loads(printed) == json.loads(example.output.text), place
    else:
        assert printed == example.output.text, place


@pytest.mark.parametrize("document", DOCUMENTS)
def test_quotations_stand_in_the_file_they_name(document: str) -> None:
    for block in quotations(document):
        assert block.text in (ROOT / block.quoted).read_text(encoding="utf-8"), f"{document}:{block.line}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_into_the_repository_lead_somewhere(document: str) -> None:
    links = LINK.findall((ROOT / document).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_that_is_named_exists(document: str) -> None:
    named = [name for name in files_named(document) if not PLACEHOLDER.search(name)]
    assert [name for name in named if not any((ROOT / folder / name).exists() for folder in FOLDERS)] == []


@pytest.mark.parametrize("folder", ["codegen", "openlineage_facets/base"])
def test_contributing_has_a_place_for_every_module(folder: str) -> None:
    modules = {path.name for path in (ROOT / folder).glob("*.py")} - {"__init__.py"}
    named = {name.removeprefix(f"{folder}/") for name in files_named("CONTRIBUTING.md")}
    assert sorted(modules - named) == []


def files_named(document: str) -> list[str]:
    return FILE.findall((ROOT / document).read_text(encoding="utf-8"))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_target_that_is_named_exists(document: str) -> None:
    named = set(MAKE.findall((ROOT / document).read_text(encoding="utf-8")))
    assert named <= set(TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))


def test_the_readme_begins_with_an_event_that_runs() -> None:
    first, second = blocks("README.md")[:2]
    assert [first.text.split()[:2], second.language] == [["make", "demo"], "python"]
    assert len(examples("README.md")) >= 10
