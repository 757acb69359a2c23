"""`openlineage-facets diff`: formats, exit codes and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from openlineage_facets.cli.app import run
from tests.cli.golden import GOLDEN
from tests.conftest import ROOT

Captured = pytest.CaptureFixture[str]

OLD, NEW = (str(GOLDEN / "schemas" / side) for side in ("old", "new"))


def test_breaking_changes_are_reported_with_exit_code_1(capsys: Captured) -> None:
    assert run(["diff", OLD, NEW]) == 1
    assert capsys.readouterr().out == (GOLDEN / "diff.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("fail_on", "code"), [("breaking", 0), ("any", 1), ("never", 0)])
def test_additions_cause_exit_code_1_only_on_request(fail_on: str, code: int) -> None:
    files = [f"{folder}/AcmeTeamJobFacet.json" for folder in (OLD, NEW)]
    assert run(["diff", *files, "--fail-on", fail_on]) == code


def test_breaking_changes_can_be_tolerated() -> None:
    assert run(["diff", OLD, NEW, "--fail-on", "never"]) == 0


def test_the_installed_schemas_are_one_of_the_sides(capsys: Captured) -> None:
    assert run(["diff", "installed", str(ROOT / "spec"), "--fail-on", "any"]) == 0
    assert capsys.readouterr().out.startswith("no differences in ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file or folder"),
        ("{", "one.json: not valid JSON at line 1"),
        ('{"$defs": {}}', "one.json#/$id: expected the absolute URL of this schema, found None"),
        ('{"job": {}}', "no JSON Schemas found; a schema has an '$id'"),
    ],
)
def test_an_invalid_side_exits_with_2_and_one_line(
    content: str | None, message: str, tmp_path: Path, capsys: Captured
) -> None:
    if content is not None:
        (tmp_path / "side").mkdir()
        (tmp_path / "side" / "one.json").write_text(content)
    assert run(["diff", str(tmp_path / "side"), "installed"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"openlineage-facets: {tmp_path / 'side'}: ")
    assert message in line
