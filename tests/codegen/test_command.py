"""`python -m codegen`: what it prints and how it exits."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import OUTPUT, main, missing_names
from tests.cases import each
from tests.codegen.building import contents, document, write_spec
from tests.codegen.custom.facets import write_schemas
from tests.conftest import ROOT

pytestmark = pytest.mark.check

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the core and one other schema."""
    thing = {"type": "object", "properties": {}, "description": "Größe und Gewicht \N{SCALES}."}
    schemas = {"Thing.json": document("Thing", {"Thing": thing})}
    return write_spec(tmp_path_factory.mktemp("spec"), schemas)


@pytest.fixture(scope="module")
def original(spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("original") / "acme_facets"
    assert main(["--spec", str(spec), "--output", str(output)]) == 0
    return output


@pytest.fixture
def output(original: Path, tmp_path: Path) -> Path:
    """Return a copy of the package of the schemas."""
    return shutil.copytree(original, tmp_path / "acme_facets")


def check(spec: Path, output: Path) -> int:
    return main(["--check", "--spec", str(spec), "--output", str(output)])


def test_writing_again_changes_nothing(spec: Path, output: Path, capsys: Captured) -> None:
    before = contents(output)
    assert main(["--spec", str(spec), "--output", str(output)]) == 0
    assert contents(output) == before
    assert capsys.readouterr().out == f"{len(before)} files in {output}\n"
    assert "from acme_facets.containers import" in before["open_lineage.py"], "named after its folder"


def test_differences_are_shown_as_a_unified_diff(spec: Path, output: Path, capsys: Captured) -> None:
    edited = output / "thing.py"
    edited.write_text(edited.read_text(encoding="utf-8").replace("class Thing", "class Things"), "utf-8")
    (output / "left_over.py").write_text("LEFT = 'over'\n")
    (output / "index.py").unlink()
    before = contents(output)
    assert check(spec, output) == 1
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    place = next(number for number, line in enumerate(lines) if line == f"--- {output}/thing.py")
    assert lines[place + 1].startswith("+++ ")
    assert lines[place + 2].startswith("@@ ")
    assert {"-class Things(Model):", "+class Thing(Model):", "-LEFT = 'over'"} <= {*lines}
    assert {f"only in {output}: left_over.py", "only in generated: index.py"} <= {*lines}
    assert "make regen" in shown.err
    assert contents(output) == before, "a check writes nothing"


def test_an_absent_package_differs_also_on_a_terminal_that_knows_ascii_alone(
    spec: Path, tmp_path: Path
) -> None:
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
    assert not (tmp_path / "none").exists()


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


THING = document("Thing", {"Thing": {"type": "object"}})
BAD = document("Bad", {"Bad": {"type": "object", "patternProperties": {}}})

REFUSED = [
    # files below the folder, the schemas, the output, the error
    ({}, "none", "out", "{}/none: no such folder; pass the folder that holds the schemas"),
    ({"spec": "{}"}, "spec", "out", "{}/spec: "),
    ({"spec/Bad.json": BAD}, "spec", "out", "Bad.json#/$defs/Bad/patternProperties: "),
    ({"spec/Thing.json": THING, "out": "mine"}, "spec", "out", "{}/out: "),
    ({"spec/Thing.json": THING, "file": "mine"}, "spec", "file/out", "{}/file"),
]


@each(("files", "spec", "output", "message"), REFUSED)
def test_what_cannot_be_generated_exits_with_2_and_writes_nothing(
    files: dict[str, Any], spec: str, output: str, message: str, tmp_path: Path, capsys: Captured
) -> None:
    write_schemas(tmp_path, files)
    if (tmp_path / "spec").is_dir():
        write_spec(tmp_path / "spec", {})
    before = {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")}
    assert main(["--spec", str(tmp_path / spec), "--output", str(tmp_path / output)]) == 2
    shown = capsys.readouterr()
    (line,) = shown.err.splitlines()
    assert line.startswith(f"error: {message.format(tmp_path)}")
    assert shown.out == ""
    assert {path: path.is_file() and path.read_text() for path in tmp_path.rglob("*")} == before


def test_schemas_that_lack_what_the_library_uses_are_refused_before_writing(
    spec: Path, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "library"
    output = library / "generated"
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
    (library / "state" / "lineage.py").unlink()
    assert main(["--spec", str(spec), "--output", str(output)]) == 0


def test_the_library_uses_only_what_is_generated() -> None:
    assert (
        missing_names({path.name: path.read_text("utf-8") for path in OUTPUT.glob("*.py")}, OUTPUT.parent)
        == {}
    )
