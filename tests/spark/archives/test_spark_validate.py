"""split_archive and spark-validate: nothing is lost, and failures leave no output."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.cli.commands.spark_validate import main
from openlineage_facets.spark.archives import LineageTables, split_archive
from openlineage_facets.spark.archives.file_system import FileSystem
from tests.conftest import ROOT
from tests.events import folded
from tests.spark.archives.sample_archives import BAD, BLANK, GOOD, compressed, write_lines
from tests.spark.archives.table_contents import state_as_dict, tables_as_dict

pytestmark = pytest.mark.usefixtures("without_code_generation")

RUNNING = GOOD.replace(b"START", b"RUNNING")
FINISHED = GOOD.replace(b"START", b"COMPLETE").replace(b"00:00:00.123", b"00:00:01.123")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    write_lines(tmp_path / "in" / "a.ndjson", [GOOD, *BAD.values()])
    write_lines(tmp_path / "in" / "b.ndjson.gz", [*BLANK, RUNNING, b"{"])
    return tmp_path / "in"


def lines_in(folder: Path) -> list[bytes]:
    return sorted(
        line
        for path in folder.iterdir()
        if path.suffix == ".txt"
        for line in path.read_bytes().split(b"\n")
        if line
    )


def test_valid_lines_quarantine_and_a_continued_state_are_written(
    spark: SparkSession, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, state, earlier = (tmp_path / name for name in ("good", "deep/bad", "state", "earlier"))
    write_lines(tmp_path / "earlier.ndjson", [FINISHED])
    assert main([f"{earlier}.ndjson", "--state", str(earlier)]) == 0
    capsys.readouterr()
    folders = [f"--valid={good}", f"--quarantine={bad}", f"--state={state}"]
    code = main([str(archive), *folders, "--previous-state", str(earlier)])
    lines = map(str.split, capsys.readouterr().out.splitlines())
    printed = {name: int(count.replace(",", "")) for name, count in lines}
    assert code == 1
    assert (printed["lines"], printed["valid"], printed["blank"]) == (len(BAD) + 6, 2, 3)
    assert printed["lines"] == printed["valid"] + printed["quarantined"] + printed["blank"]
    assert printed["OL001"] >= 2
    assert lines_in(good) == sorted([GOOD, RUNNING])
    quarantined = [json.loads(line) for line in lines_in(bad)]
    assert sorted(map(exact, quarantined)) == sorted([*BAD.values(), b"{"])
    assert all(row["findings"] and row["line_number"] and row["file"] for row in quarantined)
    tables = LineageTables.load(spark, str(state))
    assert tables_as_dict(tables) == state_as_dict(folded(*map(json.loads, (GOOD, RUNNING, FINISHED))))
    assert spark.read.parquet(f"{state}/runs").count() == 1
    assert sorted(os.listdir(tmp_path)) == ["deep", "earlier", "earlier.ndjson", "good", "in", "state"]


def exact(row: dict[str, str]) -> bytes:
    return base64.b64decode(row["line_base64"]) if "line_base64" in row else row["line"].encode()


@pytest.mark.check
def test_without_folders_only_counts_are_returned(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(archive / "a.ndjson")]) == 1
    assert capsys.readouterr().out.split() == [
        *("lines", str(len(BAD) + 1), "valid", "1", "quarantined", str(len(BAD)), "blank", "0")
    ]
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.check
def test_quarantine_is_empty_for_valid_archive(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.ndjson", [GOOD])
    bad = tmp_path / "bad"
    assert main([str(tmp_path / "in.ndjson"), "--quarantine", str(bad), "--compression=gzip"]) == 0
    assert lines_in(bad) == []


@pytest.mark.check
def test_existing_folder_is_not_changed(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad").mkdir()
    assert main([str(archive), f"--valid={tmp_path}/good", f"--quarantine={tmp_path}/bad"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {tmp_path}/bad: already exists")
    assert sorted(os.listdir(tmp_path)) == ["bad", "in"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["in", "--valid=HERE/x", "--quarantine=HERE/x"],
            "valid: .*/x overlaps the folder of quarantine; choose",
        ),
        (
            ["in", "--valid=HERE/x", "--quarantine=HERE/./y/../x//"],
            "valid: .*/x overlaps the folder of quarantine; choose",
        ),
        (["in", "--valid=HERE/x", "--state=HERE/x/y"], "state: .*/x/y overlaps the folder of valid; choose"),
        (["in", "--valid=HERE/[x", "--state=HERE/[x/y"], "state: .*x/y overlaps the folder of valid; choose"),
        (["in", "--valid=HERE/in/good"], "valid: .*/in/good is inside the input"),
        (["in/*", "--state=HERE/in/state"], "state: .*/in/state is inside the input"),
        (["i{n/a*,m}", "--valid=HERE/in/accepted"], "valid: .*/in/accepted is inside the input"),
        (["in", "--valid="], "valid: expected the path of a new folder, found ''"),
        (["in", "--quarantine=//"], "quarantine: expected the path of a new folder, found '//'"),
    ],
)
@pytest.mark.check
def test_overlapping_folders_are_rejected(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    before = sorted(tmp_path.rglob("*"))
    paths, *options = arguments
    assert main([f"{tmp_path}/{paths}", *(it.replace("HERE", str(tmp_path)) for it in options)]) == 2
    assert re.match(f"error: {message}", capsys.readouterr().err)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.check
def test_folders_next_to_input_are_allowed(archive: Path, tmp_path: Path) -> None:
    assert main([str(archive / "*.ndjson*"), f"--valid={archive}/good", f"--state={archive}/good.state"]) == 1
    assert sorted(os.listdir(archive)) == ["a.ndjson", "b.ndjson.gz", "good", "good.state"]


@pytest.mark.check
def test_folders_with_characters_of_globs_are_written_and_continued(
    spark: SparkSession, tmp_path: Path
) -> None:
    write_lines(tmp_path / "in.ndjson", [GOOD, b"{"])
    folder = tmp_path / "day[1]{a,b}*?"
    split = split_archive(
        spark,
        tmp_path / "in.ndjson",
        valid=folder / "good",
        quarantine=folder / "bad",
        state=folder / "state",
    )
    assert (split.valid, split.errors) == (1, {"OL001": 1})
    assert LineageTables.load(spark, folder / "state").records.count() == 4, "a job, two datasets and a run"


@pytest.mark.check
def test_a_folder_inside_a_file_is_rejected_before_anything_is_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="/file/a/bad: expected a folder at /.*/file, found a file"):
        split_archive(
            spark, tmp_path / "nowhere", valid=tmp_path / "p/good", quarantine=tmp_path / "file/a/bad"
        )
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.check
def test_a_folder_that_cannot_be_moved_leaves_no_others(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(tmp_path / "in.ndjson", [GOOD, b"{"])
    move = FileSystem.move

    def move_until_full(files: FileSystem, source: str, target: str) -> None:
        if target.endswith("bad"):
            (tmp_path / "late").write_text("")  # A file that another program has created meanwhile.
        move(files, source, target)

    monkeypatch.setattr(FileSystem, "move", move_until_full)
    with pytest.raises(OSError, match="/late/bad: could not move .* here: .*FileAlreadyExists"):
        split_archive(
            spark, tmp_path / "in.ndjson", valid=tmp_path / "good", quarantine=tmp_path / "late/bad"
        )
    assert sorted(os.listdir(tmp_path)) == ["in.ndjson", "late"]


@pytest.mark.check
def test_invalid_into_is_rejected_before_reading(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="into: expected LineageTables.*found 'first'; LineageTables.load"):
        split_archive(spark, tmp_path / "nowhere", state=tmp_path / "state", into="first")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["HERE/nowhere.ndjson"], "nowhere.ndjson"),
        (["HERE/in", "--previous-state=HERE/nowhere", "--state=HERE/state"], "nowhere"),
        (["HERE/in", "--valid=HERE/good", "--compression=magic"], "magic"),
        (
            ["HERE/in", "--valid=/dev/null/good"],
            "good: expected a folder at /dev/null, found a file; choose another",
        ),
        (["HERE/in", "--compact"], "--state-format and --compact: expected --state-table as well"),
        (["HERE/in", "--state-table=lineage"], "lineage: no such table; to create it, pass a format"),
        (["HERE/in", "--state-table=lineage", "--state-format=parquet"], "found 'parquet'"),
        (["HERE/in", "--conf", "spark.x"], "--conf spark.x: expected NAME=VALUE"),
    ],
)
def test_errors_are_reported_in_one_line(
    archive: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    assert main([it.replace("HERE", str(tmp_path)) for it in arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.parametrize(
    "name", [pytest.param("cut.ndjson.gz", marks=pytest.mark.thorough), "cut.ndjson.zst"]
)
@pytest.mark.check
def test_damaged_file_leaves_no_output(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    lines = b"".join(GOOD.replace(b"load", b"%d" % number) + b"\n" for number in range(999))
    whole = compressed(name, lines)
    (tmp_path / name).write_bytes(whole[: len(whole) - 50])
    assert main([str(tmp_path / name), f"--valid={tmp_path}/good"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{name}: cannot be decompressed: found " in error
    assert os.listdir(tmp_path) == [name]


WITHOUT_PANDAS = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError("no pandas here", name=name)

sys.meta_path.insert(0, Finder())
"""


@pytest.mark.thorough
@pytest.mark.check
def test_runs_as_program_without_pandas(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT_PANDAS)
    command = [sys.executable, "-m", "openlineage_facets.cli.commands.spark_validate", "--master=local[1]"]
    folders = [f"--{name}={tmp_path / name}" for name in ("valid", "quarantine", "state")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)])}
    ended = subprocess.run(
        [*command, str(archive), *folders], env=environment, capture_output=True, text=True, timeout=300
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False), ended.stderr
    assert ended.stdout.split()[:2] == ["lines", str(len(BAD) + 6)]
    assert len(lines_in(tmp_path / "valid")) == 2


@pytest.mark.check
def test_null_is_read_as_absent_on_request(tmp_path: Path) -> None:
    exported = GOOD.rstrip()[:-1] + b', "inputs": null}'
    write_lines(tmp_path / "in" / "a.ndjson", [exported])
    paths = [str(tmp_path / "in"), "--valid", str(tmp_path / "good")]
    assert main(paths[:1]) == 1
    assert main([*paths, "--null-is-absent", "--state", str(tmp_path / "state")]) == 0
    assert lines_in(tmp_path / "good") == [exported], "valid lines are unchanged"


def test_what_backends_refuse_is_quarantined_on_request(tmp_path: Path) -> None:
    declared = json.dumps(
        {key: value for key, value in json.loads(GOOD).items() if key not in ("run", "eventType")}
    )
    write_lines(tmp_path / "in" / "a.ndjson", [GOOD, declared.encode()])
    good, bad = tmp_path / "good", tmp_path / "bad"
    options = [f"--valid={good}", f"--quarantine={bad}", "--backend=aws-datazone"]
    assert main([str(tmp_path / "in"), *options]) == 1
    [quarantined] = map(json.loads, lines_in(bad))
    assert (lines_in(good), quarantined["line"]) == ([GOOD], declared)
    assert "aws-datazone/only-runs" in json.dumps(quarantined["findings"])
