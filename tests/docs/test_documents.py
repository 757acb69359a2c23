"""What documents quote, link to and name exists."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from tests.cases import each
from tests.conftest import ROOT
from tests.docs.examples import DOCUMENTS, PAGES, blocks, examples, quotations
from tools import diagrams

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.check

LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
MAKE = re.compile(r"(?:^|`)make ([a-z][a-z0-9-]*)", re.MULTILINE)
TARGET = re.compile(r"^([a-z][a-z0-9-]*):", re.MULTILINE)
FILE = re.compile(r"`(\w[\w./-]*/[\w./-]*|\w+\.(?:py|toml|txt|md))`")
PLACEHOLDER = re.compile(r"NAME|Case")
FOLDERS = ("", "codegen", *(f"openlineage_facets/{name}" for name in ("base", "cli", "spark", "testing")))
"""The folders that file names are relative to: the checkout, or the folder of a table."""
PACKAGES = sorted(
    f"{folder}/{path.parent.name}/"
    for folder in ("openlineage_facets", "openlineage_facets/spark")
    for path in (ROOT / folder).glob("*/__init__.py")
)


@each("document", DOCUMENTS)
def test_quotations_match_their_file(document: str) -> None:
    for block in quotations(document):
        source = (ROOT / block.quoted).read_text(encoding="utf-8")
        assert block.text in source or indent(block.text, "    ") in source, f"{document}:{block.line}"


@each("document", DOCUMENTS)
def test_linked_files_exist(document: str) -> None:
    links = LINK.findall((ROOT / document).read_text(encoding="utf-8"))
    folder = (ROOT / document).parent
    assert [link for link in links if not (folder / link).exists()] == []


@pytest.mark.parametrize(
    "document", ["docs/how-it-works.md", *(one for one in DOCUMENTS if one not in PAGES)]
)
def test_every_file_that_is_named_exists(document: str) -> None:
    named = [name for name in files_named(document) if not PLACEHOLDER.search(name)]
    assert [name for name in named if not any((ROOT / folder / name).exists() for folder in FOLDERS)] == []


def test_contributing_describes_every_module_of_the_generator() -> None:
    folder = ROOT / "codegen"
    modules = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if path.stem != "__init__"
    }
    named = {name.removeprefix("codegen/") for name in files_named("CONTRIBUTING.md")}
    assert sorted(modules - named) == []


@each("package", PACKAGES)
def test_contributing_describes_every_package(package: str) -> None:
    named = files_named("CONTRIBUTING.md")
    assert package in named or package.removeprefix("openlineage_facets/spark/") in named


def test_contributing_lists_every_folder_of_tests() -> None:
    folders = {f"tests/{path.parent.name}/" for path in (ROOT / "tests").glob("*/__init__.py")}
    assert sorted(folders - set(files_named("CONTRIBUTING.md"))) == []


def test_contributing_shows_the_layers_that_lint_checks() -> None:
    (layers,) = (one for one in import_contracts() if one["id"] == "layers")
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("### Layers")[2]
    shown = [re.findall(r"`(\w+)`", row) for row in re.findall(r"^\| \d+ \| (.+) \|$", table, re.MULTILINE)]
    assert [*shown, ["version"]] == [layer.split(" : ") for layer in layers["layers"]]


def import_contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return contracts


def files_named(document: str) -> list[str]:
    return FILE.findall((ROOT / document).read_text(encoding="utf-8"))


@each("document", DOCUMENTS)
def test_every_make_target_that_is_named_exists(document: str) -> None:
    named = set(MAKE.findall((ROOT / document).read_text(encoding="utf-8")))
    assert named <= set(TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))


def test_the_readme_starts_with_two_commands_installation_and_a_spark_job() -> None:
    commands, install, job = blocks("README.md")[:3]
    assert [line.partition("  ")[0] for line in commands.text.splitlines()] == ["make demo", "make test"]
    assert install.text.startswith('pip install ".[')
    assert "SparkRun" in job.text
    assert len(examples("README.md")) >= 4


def test_diagrams_are_up_to_date() -> None:
    drawn = {f"{name}.svg": diagrams.svg(diagram) for name, diagram in diagrams.DIAGRAMS.items()}
    assert {path.name: path.read_text(encoding="utf-8") for path in diagrams.PICTURES.iterdir()} == drawn


def test_every_page_is_linked() -> None:
    linked = {
        os.path.normpath(Path(document).parent / link)
        for document in DOCUMENTS
        for link in LINK.findall((ROOT / document).read_text(encoding="utf-8"))
    }
    assert sorted(set(PAGES) - linked) == []
