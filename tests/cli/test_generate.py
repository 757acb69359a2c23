"""`openlineage-facets generate`: what it writes, what it prints, and how it exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from openlineage_facets.cli.app import run
from openlineage_facets.cli.generator import generator_module
from openlineage_facets.version import install_command
from tests.codegen.building import contents
from tests.codegen.custom.facets import facet_file, write_schemas
from tests.conftest import ROOT

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def schemas(tmp_path: Path) -> Path:
    return write_schemas(tmp_path / "schemas", {"AcmeCostRunFacet.json": facet_file()})


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "acme_facets"


def test_a_package_is_written(schemas: Path, output: Path, capsys: Captured) -> None:
    assert run(["generate", str(schemas), "--output", str(output)]) == 0
    assert capsys.readouterr() == (f"5 files in {output}\n", "")
    assert set(contents(output)) == {
        "__init__.py",
        "acme_cost_run.py",
        "builders.py",
        "py.typed",
        "registry.py",
    }


def test_it_is_up_to_date_until_a_schema_changes(schemas: Path, output: Path, capsys: Captured) -> None:
    command = ["generate", str(schemas), "--output", str(output)]
    assert run(command) == 0
    assert run([*command, "--check"]) == 0
    write_schemas(schemas, {"AcmeCostRunFacet.json": facet_file(properties={"eur": {"type": "number"}})})
    before = contents(output)
    capsys.readouterr()
    assert run([*command, "--check"]) == 1
    shown = capsys.readouterr()
    assert "+    eur: Maybe[Number] = None" in shown.out.splitlines()
    assert shown.err == f"{output} is not up to date with its schemas; generate it again\n"
    assert contents(output) == before


def test_a_package_with_missing_or_other_files_is_not_up_to_date(
    schemas: Path, output: Path, capsys: Captured
) -> None:
    command = ["generate", str(schemas), "--output", str(output)]
    assert run(command) == 0
    (output / "py.typed").unlink()
    (output / "sub").mkdir()
    capsys.readouterr()
    assert run([*command, "--check"]) == 1
    shown = capsys.readouterr()
    assert shown.out == f"only in generated: py.typed\nonly in {output}: sub\n"
    assert shown.err == f"{output} is not up to date with its schemas; remove sub, which is not generated\n"


def test_a_missing_package_is_not_up_to_date(schemas: Path, output: Path, capsys: Captured) -> None:
    assert run(["generate", str(schemas), "--output", str(output), "--check"]) == 1
    assert capsys.readouterr() == ("", f"{output} does not exist; generate it without --check\n")
    assert not output.exists()


def test_every_invalid_file_is_reported_and_nothing_written(
    schemas: Path, output: Path, capsys: Captured
) -> None:
    write_schemas(schemas, {"A.json": "{", "B.json": facet_file("AcmeBRunFacet", "acme_b", type="strng")})
    assert run(["generate", str(schemas), "--output", str(output)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2].partition(".json")[0] for line in lines] == ["A", "B"]
    assert not output.exists()


def test_keep_going_generates_the_valid_files_and_exits_with_1(
    schemas: Path, output: Path, capsys: Captured
) -> None:
    write_schemas(schemas, {"A.json": "{"})
    assert run(["generate", str(schemas), "--output", str(output), "--keep-going"]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("error: A.json: not valid JSON")
    assert shown.out == f"5 files in {output}\n"


def test_keep_going_without_any_valid_file_writes_nothing(tmp_path: Path, output: Path) -> None:
    write_schemas(tmp_path / "bad", {"A.json": "{"})
    assert run(["generate", str(tmp_path / "bad"), "--output", str(output), "--keep-going"]) == 2
    assert not output.exists()


def test_notes_go_to_standard_error(tmp_path: Path, output: Path, capsys: Captured) -> None:
    folder = write_schemas(tmp_path / "s", {"AcmeCostRunFacet.json": facet_file(key="cost")})
    assert run(["generate", str(folder), "--output", str(output)]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("note: AcmeCostRunFacet.json#/properties/cost: the key 'cost' has no prefix")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--package", "not a package"], "'not a package' is not an import path"),
        (["--package", "openlineage_facets.acme"], "belongs to another package"),
        (["--package", "json"], "belongs to another package"),
        (["--id-base", "acme"], "--id-base: expected an absolute URL, found 'acme'"),
    ],
)
def test_invalid_options_exit_with_2(
    options: list[str], message: str, schemas: Path, output: Path, capsys: Captured
) -> None:
    assert run(["generate", str(schemas), "--output", str(output), *options]) == 2
    assert message in capsys.readouterr().err
    assert not output.exists()


def test_a_folder_with_other_files_is_not_replaced(schemas: Path, output: Path, capsys: Captured) -> None:
    output.mkdir()
    (output / "mine.txt").write_text("mine")
    assert run(["generate", str(schemas), "--output", str(output)]) == 2
    assert capsys.readouterr().err == (
        f"openlineage-facets: {output / 'mine.txt'}: not a generated file and would be deleted; "
        "pass an empty folder\n"
    )
    assert set(contents(output)) == {"mine.txt"}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_exits_with_2(schemas: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "fixed").mkdir(mode=0o500)
    assert run(["generate", str(schemas), "--output", str(tmp_path / "fixed" / "acme_facets")]) == 2
    assert "cannot be written: permission denied" in capsys.readouterr().err


def test_an_output_below_a_file_exits_with_2(schemas: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "file").write_text("mine")
    assert run(["generate", str(schemas), "--output", str(tmp_path / "file" / "acme_facets")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("openlineage-facets: ")


def test_an_interrupt_leaves_the_previous_package(
    schemas: Path, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["generate", str(schemas), "--output", str(output)]) == 0
    before = contents(output)

    def interrupted(source: object, target: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(generator_module("write").os, "replace", interrupted)
    assert run(["generate", str(schemas), "--output", str(output)]) == 130
    assert contents(output) == before
    assert sorted(path.name for path in output.parent.iterdir()) == ["acme_facets", "schemas"]


def test_schema_text_is_only_data(tmp_path: Path, output: Path) -> None:
    schema = facet_file(
        properties={"a": {"type": "string", "description": '"""\nimport os; os.abort()\n"""'}}
    )
    folder = write_schemas(tmp_path / "s", {"AcmeCostRunFacet.json": schema})
    assert run(["generate", str(folder), "--output", str(output)]) == 0
    source = (output / "acme_cost_run.py").read_text(encoding="utf-8")
    compile(source, "acme_cost_run.py", "exec")
    assert "\nimport os" not in source


def test_a_single_file_can_be_generated(schemas: Path, output: Path) -> None:
    assert run(["generate", str(schemas / "AcmeCostRunFacet.json"), "--output", str(output)]) == 0
    assert json.loads((schemas / "AcmeCostRunFacet.json").read_text())["$id"] in (
        output / "acme_cost_run.py"
    ).read_text(encoding="utf-8")


def test_a_missing_extra_is_named_with_the_command_that_installs_it(schemas: Path, output: Path) -> None:
    code = (
        "import sys; sys.modules['datamodel_code_generator'] = None\n"
        "from openlineage_facets.cli.app import run\n"
        f"sys.exit(run(['generate', {str(schemas)!r}, '--output', {str(output)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "openlineage-facets: this command needs the package datamodel_code_generator: "
        f"{install_command('cli,codegen')}\n"
    )
