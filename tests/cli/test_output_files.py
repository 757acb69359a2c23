"""Commands replace no file but their own, never follow symlinks, and leave no part of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from openlineage_facets.cli.formats import Format
from openlineage_facets.cli.formats.report import is_report
from openlineage_facets.cli.results.finding_groups import is_baseline
from openlineage_facets.graphs.page import is_graph
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines
from tests.cli.golden import GOLDEN

CLASS = "openlineage_facets.facets:SQLJobFacet"

WRITING = {
    "graph": ("graph", "e.json", "--format", "svg", "-o"),
    "lock": ("lock", "valid.json", "-o"),
    "validate": ("validate", "e.json", "--format", "json", "-o"),
    "baseline": ("validate", "e.json", "--write-baseline"),
    "schema": ("schema", CLASS, "-o"),
}
"""Commands without the name of their output file."""


@pytest.fixture(autouse=True)
def event_file(command: Command) -> None:
    Path("e.json").write_bytes(lines(invalid_event(), job_event()))
    Path("valid.json").write_bytes(lines(job_event()))


@each("arguments", WRITING.values(), ids=WRITING)
def test_the_file_of_an_earlier_call_is_replaced(
    arguments: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    output = tmp_path / "output"
    output.touch(0o640)
    for _ in range(2):
        result = command(*arguments, output)
        assert (result.code < 2, output.stat().st_size > 0) == (True, True), result.err
    assert output.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["output"]


@pytest.mark.check
@each("arguments", WRITING.values(), ids=WRITING)
def test_a_file_of_somebody_else_is_replaced_only_with_force(
    arguments: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    output = tmp_path / "output"
    for text in ('{"version": 1}', "# Notes\nerror: OL001 is a code\n", "\n"):
        output.write_text(text)
        result = command(*arguments, output)
        assert (result.code, result.out, output.read_text()) == (2, "", text)
        assert result.err.startswith(f"openlineage-facets: {output} exists and is not a ")
        assert result.err.endswith("; choose another name or remove it, or add --force\n")
        assert len(result.err.splitlines()) == 1
    assert command(*arguments, output, "--force").code < 2
    assert output.read_text() != text


@each("arguments", WRITING.values(), ids=WRITING)
@each("target", ["file", "nowhere"])
@each("force", [(), ("--force",)])
def test_symlinks_are_not_followed(
    arguments: tuple[str, ...], target: str, force: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    output = tmp_path / "link"
    output.symlink_to(target)
    result = command(*arguments, output, *force)
    message = f"{output}: expected a file, found a symlink to {target}; pass that or remove the link"
    assert (result.code, result.err) == (2, f"openlineage-facets: {message}\n")
    assert (tmp_path / "file").read_text() == ""
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.check
@each("arguments", [WRITING[one] for one in ("graph", "validate", "baseline", "lock")])
def test_an_input_is_not_replaced_under_any_name(
    arguments: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    file = Path(arguments[1])
    text = file.read_bytes()
    (tmp_path / "hard").hardlink_to(file.absolute())
    for output in ([file], [f"./{file}", "--force"], [file.absolute()], [tmp_path / "hard", "--force"]):
        result = command(*arguments, *output)
        assert result.code == 2
        assert f"expected another file than the input, found {file}; choose another name" in result.err
        assert len(result.err.splitlines()) == 1
    assert file.read_bytes() == (tmp_path / "hard").read_bytes() == text


def test_a_report_and_a_baseline_are_different_files(command: Command, tmp_path: Path) -> None:
    result = command("validate", "e.json", "-o", tmp_path / "x", "--write-baseline", tmp_path / "x")
    assert (result.code, "expected another file than --output" in result.err) == (2, True)


@pytest.mark.check
@each("arguments", [WRITING[one] for one in ("graph", "validate")])
def test_what_cannot_be_written_is_reported_with_a_fix(
    arguments: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    expected = {
        tmp_path: "expected a file, found a folder; add the name of a file to it",
        tmp_path / "no" / "x": f"found no folder {tmp_path / 'no'}; create it",
        tmp_path / "file" / "x": f"found no folder {tmp_path / 'file'}; create it",
        tmp_path / ("x" * 300): "cannot write: file name too long; choose a shorter name",
        Path("/dev/full"): "cannot write: no space left on device; free some space, or choose another folder",
    }
    for path, text in expected.items():
        result = command(*arguments, path)
        assert (result.code, text in result.err.splitlines()[-1]) == (2, True), result


@each("arguments", WRITING.values(), ids=WRITING)
def test_a_name_that_is_not_that_of_a_file_is_rejected(arguments: tuple[str, ...], command: Command) -> None:
    for name, fix in (
        ("-", "leave the option out for standard output"),
        ("x.svg/", "add the name of a file"),
    ):
        result = command(*arguments, name)
        assert (result.code, fix in result.err, Path("x.svg").exists()) == (2, True, False), result


def test_a_generated_package_is_not_written_through_a_dangling_symlink(
    command: Command, tmp_path: Path
) -> None:
    assert command("new", "AcmeCost", "--entity", "run", "--output", tmp_path / "facets").code == 0
    (tmp_path / "acme_facets").symlink_to("nowhere")
    result = command("generate", tmp_path / "facets", "--output", tmp_path / "acme_facets")
    assert (result.code, "a symlink to nowhere, which does not exist" in result.err) == (2, True)
    assert not (tmp_path / "nowhere").exists()


def test_naming_rules_are_added_only_to_a_file_in_an_existing_folder(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "link.toml").symlink_to("nowhere.toml")
    for name, reason in (("link.toml", "found a symlink to nowhere.toml"), ("no/naming.toml", "create it")):
        result = command("names", "valid.json", "--write", tmp_path / name)
        assert (result.code, reason in result.err) == (2, True), result
    assert not (tmp_path / "nowhere.toml").exists()


def test_devices_are_written_even_if_they_lead_to_a_file(command: Command) -> None:
    for arguments in WRITING.values():
        assert command(*arguments, "/dev/null").code < 2


def test_the_schema_of_another_class_is_kept(command: Command, tmp_path: Path) -> None:
    output = tmp_path / "schema.json"
    assert command("schema", CLASS, "-o", output).code == 0
    result = command("schema", "openlineage_facets.facets:TagsJobFacet", "-o", output)
    assert (result.code, "is not a schema of TagsJobFacet" in result.err) == (2, True)


@each("form", Format)
@each("options", [(), ("--quiet",), ("--statistics",), ("--max-findings", "1"), ("--select", "OL9")])
def test_reports_are_recognized(
    form: Format, options: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    if form is not Format.TEXT and {"--statistics", "--max-findings"}.intersection(options):
        return
    output = tmp_path / "report"
    assert command("validate", "e.json", "--format", form.value, "-o", output, *options).code < 2
    text = output.read_text()
    assert not text or is_report(text)
    assert not is_baseline(text)


def test_only_reports_are_recognized() -> None:
    found = {path.name for path in GOLDEN.iterdir() if path.is_file() and is_report(path.read_text())}
    reports = {path.name for path in GOLDEN.glob("report.*")}
    assert found == reports | {"strict.txt"}


def test_reports_of_notes_and_own_codes_are_recognized() -> None:
    assert is_report("notes.json:1: note OL721 /run: more than the backend keeps\n")
    assert is_report("events.json:1: error ACME_OWNER /job: expected an owner\n")
    annotation = "::notice file=events.json,title=OL721 /run::more\n"
    assert is_report(f"{annotation}0 errors and 0 warnings in 1 event of 1 file\n")


@each(
    "text",
    [
        "<!DOCTYPE html>\n<html><body>our home page</body></html>\n",
        '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>\n',
        "flowchart LR\n  a --> b\n",
        "```mermaid\nflowchart LR\n  classDef failed fill:#fff\n```\n\nand more\n",
        "digraph lineage {\n  a -> b\n}\n",
        '{\n  "jobs": []\n}\n',
    ],
)
def test_only_graphs_of_lineage_are_recognized(text: str) -> None:
    assert not is_graph(text)
