"""`python -m codegen`: what it prints and how it exits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import OUTPUT, PACKAGE, SPEC, main, missing_names
from tests.cases import each
from tests.codegen.building import contents, document, write_spec
from tests.codegen.custom.facets import write_schemas
from tests.conftest import ROOT

pytestmark = pytest.mark.check

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the committed package."""
    folder = tmp_path / "generated"
    shutil.copytree(OUTPUT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def check(output: Path) -> int:
    return main(["--check", "--output", str(output), "--package", PACKAGE])


def test_writing_again_changes_nothing(copy: Path, capsys: Captured) -> None:
    before = contents(copy)
    assert main(["--output", str(copy), "--package", PACKAGE]) == 0
    assert contents(copy) == before
    assert capsys.readouterr().out == f"{len(before)} files in {copy}\n"


def test_an_edited_file_is_drift_shown_as_a_unified_diff(copy: Path, capsys: Captured) -> None:
    edited = copy / "sql_job.py"
    edited.write_text(edited.read_text(encoding="utf-8").replace("class SQLJobFacet", "class SqlJobFacet"))
    before = contents(copy)
    assert check(copy) == 1
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0].startswith("--- ")
    assert lines[0].endswith("sql_job.py")
    assert lines[1].startswith("+++ ")
    assert lines[2].startswith("@@ ")
    assert "-class SqlJobFacet(JobFacet):" in lines
    assert "+class SQLJobFacet(JobFacet):" in lines
    assert "make regen" in shown.err
    assert contents(copy) == before, "a check writes nothing"


def test_a_missing_file_and_one_too_many_are_drift(copy: Path, capsys: Captured) -> None:
    (copy / "sql_job.py").unlink()
    (copy / "left_over.py").write_text("LEFT = 'over'\n")
    assert check(copy) == 1
    assert {"+class SQLJobFacet(JobFacet):", "-LEFT = 'over'"} <= {*capsys.readouterr().out.splitlines()}


def test_an_absent_package_is_drift(tmp_path: Path) -> None:
    assert check(tmp_path / "nothing_here") == 1
    assert not (tmp_path / "nothing_here").exists()


def test_drift_is_shown_on_a_terminal_that_knows_ascii_alone(tmp_path: Path) -> None:
    thing = {"type": "object", "properties": {}, "description": "Größe und Gewicht \N{SCALES}."}
    spec = write_spec(tmp_path / "spec", {"Thing.json": document("Thing", {"Thing": thing})})
    done = subprocess.run(
        [sys.executable, "-m", "codegen", "--check", "--spec", spec, "--output", tmp_path / "none"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "Gewicht" in done.stdout


def test_another_spec_and_output_take_the_package_name_of_the_folder(tmp_path: Path) -> None:
    thing = {"type": "object", "properties": {"x": {"type": "string"}}}
    spec = write_spec(tmp_path / "spec", {"Thing.json": document("Thing", {"Thing": thing})})
    assert main(["--spec", str(spec), "--output", str(tmp_path / "acme_facets")]) == 0
    source = (tmp_path / "acme_facets" / "open_lineage.py").read_text(encoding="utf-8")
    assert "from acme_facets.containers import" in source


@each(
    ("arguments", "message"),
    [
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["spec"], "unrecognized arguments: spec"),
        (["--spec"], "expected one argument"),
        (["--package", "not a package"], "'not a package' is not an import path"),
        (["--package", ""], "is not an import path"),
        (["--package", "a..b"], "'a..b' is not an import path"),
        (["--package", "from.class"], "'from.class' is not an import path"),
        (["--output", "/"], "is not an import path"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_invalid_arguments_exit_with_2_and_a_message(
    arguments: list[str], message: str, capsys: Captured
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


BAD = document("Bad", {"Bad": {"type": "object", "patternProperties": {}}})

REFUSED = [
    # files below the folder, the schemas, the output, the error
    ({}, "none", "out", "{}/none: no such folder; pass the folder that holds the schemas"),
    ({"spec": "{}"}, "spec", "out", "{}/spec: "),
    ({"spec/Bad.json": BAD}, "spec", "out", "Bad.json#/$defs/Bad/patternProperties: "),
    ({"out": "mine"}, SPEC, "out", "{}/out: "),
    ({"file": "mine"}, SPEC, "file/out", "{}/file"),
]


@each(("files", "spec", "output", "message"), REFUSED)
def test_what_cannot_be_generated_exits_with_2_and_writes_nothing(
    files: dict[str, Any], spec: Any, output: str, message: str, tmp_path: Path, capsys: Captured
) -> None:
    write_schemas(tmp_path, files)
    if "spec/Bad.json" in files:
        write_spec(tmp_path / "spec", {})
    before = {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")}
    assert main(["--spec", str(tmp_path / spec), "--output", str(tmp_path / output)]) == 2
    shown = capsys.readouterr()
    (line,) = shown.err.splitlines()
    assert line.startswith(f"error: {message.format(tmp_path)}")
    assert shown.out == ""
    assert {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")} == before


def test_schemas_that_lack_what_the_library_uses_are_refused_before_writing(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, library = tmp_path / "older", tmp_path / "library"
    output = library / "generated"
    shutil.copytree(ROOT / "spec", spec)
    (spec / "facets" / "LineageFacet.json").unlink()
    (library / "state").mkdir(parents=True)
    use = "from openlineage_facets.generated.lineage import LineageJobFacet\n"
    (library / "state" / "lineage.py").write_text(f"{use}from openlineage_facets.facets import RunFacet\n")
    monkeypatch.setattr("codegen.__main__.OUTPUT", output)
    assert main(["--spec", str(spec), "--output", str(output)]) == 2
    assert capsys.readouterr().err == (
        f"error: {spec}: defines no lineage.LineageJobFacet, which state/lineage.py needs; use a newer "
        "release, or generate a separate package from it: "
        f"python -m codegen --spec {spec} --output FOLDER\n"
    )
    assert not output.exists()
    assert main(["--spec", str(spec), "--output", str(tmp_path / "separate")]) == 0
    (library / "state" / "lineage.py").unlink()
    assert main(["--spec", str(spec), "--output", str(output)]) == 0


def test_the_library_uses_only_what_is_generated() -> None:
    assert (
        missing_names({path.name: path.read_text("utf-8") for path in OUTPUT.glob("*.py")}, OUTPUT.parent)
        == {}
    )
