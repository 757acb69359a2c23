"""The command sifts an archive: the counts add up, nothing is lost, and what fails leaves nothing behind."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.cli.spark_validate import main
from openlineage_facets.spark.events import LineageTables, sift_archive
from tests.conftest import ROOT
from tests.spark.events.archives import BAD, BLANK, GOOD, packed, write_lines
from tests.spark.events.streams import folded
from tests.spark.events.tables import told_by_state, told_by_tables

pytestmark = pytest.mark.usefixtures("spark")

FINISHED = GOOD.replace(b"START", b"COMPLETE").replace(b"00:00:00.123", b"00:00:01.123")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    write_lines(tmp_path / "in" / "a.ndjson", [GOOD, *BAD.values()])
    write_lines(tmp_path / "in" / "b.ndjson.gz", [*BLANK, FINISHED, b"{"])
    return tmp_path / "in"


def lines_in(folder: Path) -> list[bytes]:
    return sorted(
        line
        for path in folder.iterdir()
        if path.suffix == ".txt"
        for line in path.read_bytes().split(b"\n")
        if line
    )


def test_good_lines_bad_lines_and_state_each_get_a_folder(
    spark: SparkSession, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, state = (tmp_path / name for name in ("good", "deep/bad", "state"))
    code = main([str(archive), f"--good={good}", f"--quarantine={bad}", f"--state={state}"])
    lines = map(str.split, capsys.readouterr().out.splitlines())
    printed = {name: int(count.replace(",", "")) for name, count in lines}
    assert code == 1
    assert (printed["lines"], printed["good"], printed["blank"]) == (len(BAD) + 6, 2, 3)
    assert printed["lines"] == printed["good"] + printed["quarantined"] + printed["blank"]
    assert printed["OL001"] >= 2
    assert lines_in(good) == sorted([GOOD, FINISHED])
    quarantined = [json.loads(line) for line in lines_in(bad)]
    assert sorted(map(exact, quarantined)) == sorted([*BAD.values(), b"{"])
    assert all(row["findings"] and row["line_number"] and row["file"] for row in quarantined)
    tables = LineageTables.load(spark, str(state))
    assert told_by_tables(tables) == told_by_state(folded([json.loads(GOOD), json.loads(FINISHED)]))
    assert spark.read.parquet(f"{state}/runs").count() == 1
    assert sorted(os.listdir(tmp_path)) == ["deep", "good", "in", "state"]


def exact(row: dict[str, str]) -> bytes:
    return base64.b64decode(row["line_base64"]) if "line_base64" in row else row["line"].encode()


def test_a_state_goes_on_from_an_earlier_one(spark: SparkSession, tmp_path: Path) -> None:
    for day, line in (("1", GOOD), ("2", FINISHED)):
        write_lines(tmp_path / f"{day}.ndjson", [line])
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    assert main([str(tmp_path / "1.ndjson"), "--state", first]) == 0
    assert main([str(tmp_path / "2.ndjson"), "--state", second, "--into", first]) == 0
    assert told_by_tables(LineageTables.load(spark, second)) == told_by_state(
        folded([json.loads(GOOD), json.loads(FINISHED)])
    )


def test_without_folders_it_only_counts(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(archive / "a.ndjson")]) == 1
    assert capsys.readouterr().out.split() == [
        *("lines", str(len(BAD) + 1), "good", "1", "quarantined", str(len(BAD)), "blank", "0")
    ]
    assert os.listdir(tmp_path) == ["in"]


def test_an_archive_without_bad_lines_has_an_empty_quarantine(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.ndjson", [GOOD])
    bad = tmp_path / "bad"
    assert main([str(tmp_path / "in.ndjson"), "--quarantine", str(bad), "--compression=gzip"]) == 0
    assert lines_in(bad) == []


def test_a_folder_that_is_there_is_left_alone(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad").mkdir()
    assert main([str(archive), f"--good={tmp_path}/good", f"--quarantine={tmp_path}/bad"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {tmp_path}/bad: expected nothing to be there yet")
    assert sorted(os.listdir(tmp_path)) == ["bad", "in"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["in", "--good=HERE/x", "--quarantine=HERE/x"], "good: expected a folder apart from that of"),
        (["in", "--good=HERE/x", "--quarantine=HERE/./y/../x//"], "good: expected a folder apart from"),
        (["in", "--good=HERE/x", "--state=HERE/x/y"], "state: expected a folder apart from that of good"),
        (["in", "--good=HERE/[x", "--state=HERE/[x/y"], "state: expected a folder apart from that of good"),
        (["in", "--good=HERE/in/good"], "good: expected a folder outside of what is read"),
        (["in/*", "--state=HERE/in/state"], "state: expected a folder outside of what is read"),
        (["i{n/a*,m}", "--good=HERE/in/accepted"], "good: expected a folder outside of what is read"),
        (["in", "--good="], "good: expected the path of a folder to make, found ''"),
        (["in", "--quarantine=//"], "quarantine: expected the path of a folder to make, found '//'"),
    ],
)
def test_folders_that_would_mix_are_refused_before_anything_is_read(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    before = sorted(tmp_path.rglob("*"))
    paths, *options = arguments
    assert main([f"{tmp_path}/{paths}", *(it.replace("HERE", str(tmp_path)) for it in options)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {told}")
    assert sorted(tmp_path.rglob("*")) == before


def test_folders_side_by_side_with_what_is_read_are_fine(archive: Path, tmp_path: Path) -> None:
    assert main([str(archive / "*.ndjson*"), f"--good={archive}/good", f"--state={archive}/good.state"]) == 1
    assert sorted(os.listdir(archive)) == ["a.ndjson", "b.ndjson.gz", "good", "good.state"]


def test_paths_are_paths(spark: SparkSession, archive: Path, tmp_path: Path) -> None:
    sifted = sift_archive(spark, archive, good=tmp_path / "good", state=tmp_path / "state")
    assert sifted.good == len(lines_in(tmp_path / "good")) == 2
    assert LineageTables.load(spark, tmp_path / "state").save(tmp_path / "again").runs.count() == 1


def test_an_earlier_state_is_looked_at_before_anything_is_read(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="into: expected LineageTables.*found 'first'; LineageTables.load"):
        sift_archive(spark, tmp_path / "nowhere", state=tmp_path / "state", into="first")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["HERE/nowhere.ndjson"], "nowhere.ndjson"),
        (["HERE/in", "--into=HERE/nowhere", "--state=HERE/state"], "nowhere"),
        (["HERE/in", "--good=HERE/good", "--compression=magic"], "magic"),
        (["HERE/in", "--good=/dev/null/good"], "Parent path is not a directory: file:/dev/null"),
        (["HERE/in", "--conf", "spark.x"], "--conf spark.x: expected NAME=VALUE"),
    ],
)
def test_what_cannot_run_is_told_in_one_line(
    archive: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    assert main([it.replace("HERE", str(tmp_path)) for it in arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert os.listdir(tmp_path) == ["in"]


@pytest.mark.parametrize("name", ["cut.ndjson.gz", "cut.ndjson.zst"])
def test_a_damaged_file_leaves_nothing_half_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    lines = b"".join(GOOD.replace(b"load", b"%d" % number) + b"\n" for number in range(999))
    whole = packed(name, lines)
    (tmp_path / name).write_bytes(whole[: len(whole) - 50])
    assert main([str(tmp_path / name), f"--good={tmp_path}/good"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert name in error or "Unexpected end of input stream" in error  # Spark 3.5 does not say of which file
    assert os.listdir(tmp_path) == [name]


WITHOUT_PANDAS = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pandas":
            raise ModuleNotFoundError("no pandas here", name=name)

sys.meta_path.insert(0, Finder())
"""


def test_it_runs_as_a_program_and_without_pandas(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT_PANDAS)
    command = [sys.executable, "-m", "openlineage_facets.cli.spark_validate", "--master=local[1]"]
    folders = [f"--{name}={tmp_path / name}" for name in ("good", "quarantine", "state")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)])}
    ended = subprocess.run(
        [*command, str(archive), *folders], env=environment, capture_output=True, text=True, timeout=300
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False), ended.stderr
    assert ended.stdout.split()[:2] == ["lines", str(len(BAD) + 6)]
    assert len(lines_in(tmp_path / "good")) == 2
