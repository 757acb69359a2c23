"""`openlineage-facets generate`: what it writes, what it prints, and how it exits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from openlineage_facets.cli.generator import generator_module
from openlineage_facets.version import install_command
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.in_process import Result
from tests.codegen.building import contents
from tests.codegen.custom.facets import facet_file, write_schemas
from tests.conftest import ROOT

OUTPUT = Path("acme_facets")
Generate = Command


@pytest.fixture
def generate(command: Command) -> Generate:
    """Return a function that generates a package from a folder with one schema."""
    write_schemas(Path("schemas"), {"AcmeCostRunFacet.json": facet_file()})

    def run(*options: str, schemas: str = "schemas", output: str = "acme_facets") -> Result:
        return command("generate", schemas, "--output", output, *options)

    return run


def test_a_package_is_written(generate: Generate) -> None:
    assert generate() == Result(0, "5 files in acme_facets\n", "")
    names = {"__init__.py", "acme_cost_run.py", "builders.py", "py.typed", "registry.py"}
    assert set(contents(OUTPUT)) == names
    assert generate("--check", schemas="schemas/AcmeCostRunFacet.json").code == 0, "from a single file"


def test_it_is_up_to_date_until_a_schema_changes(generate: Generate) -> None:
    assert [generate().code, generate("--check").code] == [0, 0]
    write_schemas(
        Path("schemas"), {"AcmeCostRunFacet.json": facet_file(properties={"eur": {"type": "number"}})}
    )
    before = contents(OUTPUT)
    result = generate("--check")
    assert "+    eur: Maybe[Number] = None" in result.out.splitlines()
    problem = "acme_facets is not up to date with its schemas; generate it again\n"
    assert (result.code, result.err, contents(OUTPUT)) == (1, problem, before)


def test_a_package_with_missing_or_other_files_is_not_up_to_date(generate: Generate) -> None:
    generate()
    (OUTPUT / "py.typed").unlink()
    (OUTPUT / "sub").mkdir()
    assert generate("--check") == Result(
        1,
        "only in generated: py.typed\nonly in acme_facets: sub\n",
        "acme_facets is not up to date with its schemas; remove sub, which is not generated\n",
    )


def test_a_missing_package_is_not_up_to_date(generate: Generate) -> None:
    problem = "acme_facets does not exist; generate it without --check\n"
    assert generate("--check") == Result(1, "", problem)
    assert not OUTPUT.exists()


def test_every_invalid_file_is_reported_and_nothing_written(generate: Generate) -> None:
    invalid = facet_file("AcmeBRunFacet", "acme_b", type="strng")
    write_schemas(Path("schemas"), {"A.json": "{", "B.json": invalid})
    result = generate()
    names = [line.partition(": ")[2].partition(".json")[0] for line in result.err.splitlines()]
    assert (result.code, names, OUTPUT.exists()) == (2, ["A", "B"], False)


def test_keep_going_generates_the_valid_files_and_exits_with_1(generate: Generate) -> None:
    write_schemas(Path("schemas"), {"A.json": "{"})
    result = generate("--keep-going")
    assert (result.code, result.out) == (1, "5 files in acme_facets\n")
    assert result.err.startswith("error: A.json: not valid JSON")


def test_keep_going_without_any_valid_file_writes_nothing(generate: Generate) -> None:
    write_schemas(Path("bad"), {"A.json": "{"})
    assert generate("--keep-going", schemas="bad").code == 2
    assert not OUTPUT.exists()


def test_notes_go_to_standard_error(generate: Generate) -> None:
    write_schemas(Path("s"), {"AcmeCostRunFacet.json": facet_file(key="cost")})
    result = generate(schemas="s")
    note = "note: AcmeCostRunFacet.json#/properties/cost: the key 'cost' has no prefix"
    assert (result.code, result.err.startswith(note), result.err.count("\n")) == (0, True, 1)


@each(
    ("option", "value", "message"),
    [
        ("--package", "not a package", "'not a package' is not an import path"),
        ("--package", "openlineage_facets.acme", "belongs to another package"),
        ("--package", "json", "belongs to another package"),
        ("--id-base", "acme", "--id-base: expected an absolute URL, found 'acme'"),
    ],
)
def test_invalid_options_exit_with_2(option: str, value: str, message: str, generate: Generate) -> None:
    result = generate(option, value)
    assert (result.code, message in result.err, OUTPUT.exists()) == (2, True, False)


def test_a_folder_with_other_files_is_not_replaced(generate: Generate) -> None:
    OUTPUT.mkdir()
    (OUTPUT / "mine.txt").write_text("mine")
    result = generate()
    problem = "acme_facets/mine.txt: not a generated file and would be deleted; pass an empty folder\n"
    assert (result.code, result.out, result.err.endswith(problem)) == (2, "", True)
    assert set(contents(OUTPUT)) == {"mine.txt"}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_exits_with_2(generate: Generate) -> None:
    Path("fixed").mkdir(mode=0o500)
    result = generate(output="fixed/acme_facets")
    assert (result.code, "cannot be written: permission denied" in result.err) == (2, True)


def test_an_output_below_a_file_exits_with_2(generate: Generate) -> None:
    Path("file").write_text("mine")
    result = generate(output="file/acme_facets")
    (line,) = result.err.splitlines()
    assert (result.code, line.startswith("openlineage-facets: ")) == (2, True)


def test_an_interrupt_leaves_the_previous_package(
    generate: Generate, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate()
    before = contents(OUTPUT)

    def interrupted(source: object, target: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(generator_module("write").os, "replace", interrupted)
    assert generate().code == 130
    assert contents(OUTPUT) == before
    assert sorted(path.name for path in Path().iterdir()) == ["acme_facets", "schemas"]


def test_a_missing_extra_is_named_with_the_command_that_installs_it(generate: Generate) -> None:
    code = (
        "import sys; sys.modules['datamodel_code_generator'] = None\n"
        "from openlineage_facets.cli.app import run\n"
        f"sys.exit(run(['generate', {str(Path('schemas').absolute())!r}, '--output', 'acme_facets']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "openlineage-facets: this command needs the package datamodel_code_generator: "
        f"{install_command('cli,codegen')}\n"
    )
