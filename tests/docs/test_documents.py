"""What the documents show runs and prints what they say, and what they name is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.examples import blocks, examples, quotations
from tests.docs.running import run_examples
from tools.java_home import java_of_machine

PAGES = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *PAGES)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
MAKE = re.compile(r"(?:^|`)make ([a-z][a-z0-9-]*)", re.MULTILINE)
TARGET = re.compile(r"^([a-z][a-z0-9-]*):", re.MULTILINE)
FILE = re.compile(r"`(\w[\w./-]*/[\w./-]*|\w+\.(?:py|toml|txt|md))`")
PLACEHOLDER = re.compile(r"NAME|Case")
PACKAGES = ("base", "generated", "validation", "emitters", "spark", "cli")
FOLDERS = ("", "codegen", *(f"openlineage_facets/{name}" for name in PACKAGES))
"""Where a file that is named stands: in the checkout, or in the folder that a table is about."""


def runs_spark(document: str) -> bool:
    """Tell whether the examples of a document start Spark."""
    return any("pyspark" in example.code.text for example in examples(document))


@pytest.fixture
def nobodys_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, in an environment that says nothing of lineage."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("OPENLINEAGE")]:
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("nobodys_folder")
@pytest.mark.parametrize("document", [one for one in DOCUMENTS if not runs_spark(one)])
def test_examples_print_what_is_shown(document: str) -> None:
    run_examples(document)


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if runs_spark(one)])
def test_examples_that_run_spark_print_what_is_shown(document: str, tmp_path: Path) -> None:
    """In a process of their own, since Spark takes a relative path from where its Java was started."""
    home = java_of_machine()
    assert home is not None, "Spark needs Java 17 or later, and here is none: `make test` brings one"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OPENLINEAGE")}
    spark = {"SPARK_CONF_DIR": str(ROOT / "examples" / "spark-conf"), "PYSPARK_PYTHON": sys.executable}
    ended = subprocess.run(
        [sys.executable, "-m", "tests.docs.running", document],
        cwd=tmp_path,
        env={**kept, **spark, "PYTHONPATH": str(ROOT), "JAVA_HOME": str(home)},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_quotations_stand_in_the_file_they_name(document: str) -> None:
    for block in quotations(document):
        assert block.text in (ROOT / block.quoted).read_text(encoding="utf-8"), f"{document}:{block.line}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_into_the_repository_lead_somewhere(document: str) -> None:
    links = LINK.findall((ROOT / document).read_text(encoding="utf-8"))
    folder = (ROOT / document).parent
    assert [link for link in links if not (folder / link).exists()] == []


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if one not in PAGES])
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
