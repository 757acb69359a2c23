"""read_events returns one row per line, valid or not."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from pathlib import Path

import pytest
from pyspark.sql import Row, SparkSession

from openlineage_facets.spark.archives import read_events, validate_events
from openlineage_facets.validation import validate
from tests.spark.archives.sample_archives import BAD, BLANK, GOOD, compressed, write_lines

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("without_code_generation")]


def rows_of(spark: SparkSession, *paths: Path, **options: bool) -> list[Row]:
    rows = read_events(spark, [str(path) for path in paths], **options).collect()
    return sorted(rows, key=lambda row: (row.file, row.line_number or 0))


@pytest.fixture(scope="module")
def all_rows(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Return the rows of an archive with all kinds of lines."""
    path = tmp_path_factory.mktemp("archive") / "all_rows.ndjson"
    return rows_of(spark, write_lines(path, [GOOD, *BAD.values(), *BLANK, GOOD + b"\r"]))


def test_every_line_is_a_row_with_its_location(all_rows: list[Row]) -> None:
    lines = [GOOD, *BAD.values(), *BLANK, GOOD + b"\r"]
    assert [row.line_number for row in all_rows] == [*range(1, len(lines) + 1)]
    assert [exact(row) for row in all_rows] == lines
    assert {Path(row.file).name for row in all_rows} == {"all_rows.ndjson"}


def exact(row: Row) -> bytes:
    return bytes(row.line_bytes) if row.line_bytes is not None else row.line.encode()


def test_columns_of_valid_event(all_rows: list[Row]) -> None:
    good = all_rows[0]
    assert good.valid is True
    assert (good.kind, good.event_type) == ("run", "START")
    assert good.event_time == "2026-01-01T00:00:00.123456789+02:00"
    assert good.event_timestamp.astimezone(timezone.utc) == datetime(
        2025, 12, 31, 22, 0, 0, 123456, tzinfo=timezone.utc
    )
    assert good.run_id == "01950000-0000-7000-8000-00000000000a"
    assert (good.job.namespace, good.job.name, good.dataset) == ("etl", "load", None)
    assert [tuple(it) for it in good.inputs] == [("db", "orders")]
    assert [tuple(it) for it in good.outputs] == [("db", "daily")]
    assert all_rows[-1].valid is True


@pytest.mark.parametrize("name", BAD)
def test_findings_of_invalid_line(all_rows: list[Row], name: str) -> None:
    number = [*BAD].index(name) + 1
    row = all_rows[number]
    expected = validate(BAD[name])
    assert row.valid is False
    assert [(it.code, it.severity, it.pointer, it.message) for it in row.findings] == [
        (it.code, it.severity, it.pointer, it.message) for it in expected
    ]
    assert any(it.severity == "error" for it in row.findings)


def test_columns_of_invalid_event(all_rows: list[Row]) -> None:
    bad = all_rows[[*BAD].index("no offset") + 1]
    assert (bad.event_time, bad.event_timestamp) == ("2026-01-01T00:00:00.123456789", None)
    assert (bad.kind, bad.run_id[-1], bad.job.name) == ("run", "a", "load")
    assert all_rows[[*BAD].index("wrong names") + 1].job == Row(namespace="etl", name=None)


def test_event_timestamp_outside_supported_years_is_null(spark: SparkSession, tmp_path: Path) -> None:
    rims = ("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59")
    write_lines(
        tmp_path / "rims.ndjson",
        [GOOD.replace(b"2026-01-01T00:00:00.123456789+02:00", rim.encode()) for rim in rims],
    )
    rows = read_events(spark, tmp_path / "rims.ndjson").collect()
    assert {(row.valid, row.event_time, row.event_timestamp) for row in rows} == {
        (True, rim, None) for rim in rims
    }


def test_blank_line_is_neither_valid_nor_invalid(all_rows: list[Row]) -> None:
    blank = all_rows[-1 - len(BLANK) : -1]
    assert [(row.valid, row.kind, row.findings) for row in blank] == [(None, None, [])] * len(BLANK)


def test_event_with_warnings_is_valid(spark: SparkSession, tmp_path: Path) -> None:
    document = json.loads(GOOD)
    document["producer"] = "no uri"
    path = write_lines(tmp_path / "warned.ndjson", [json.dumps(document).encode()])
    (row,) = rows_of(spark, path)
    assert row.valid is True
    assert "OL016" in [finding.code for finding in row.findings]


def test_compressed_files(spark: SparkSession, tmp_path: Path) -> None:
    """Also with a byte order mark, which is removed."""
    lines = [GOOD, b"", b"\xff", GOOD]
    names = ("a.ndjson", "b.ndjson.gz", "c.ndjson.bz2", "d.ndjson.zst", "sub folder/e.ndjson.gz")
    paths = [write_lines(tmp_path / name, [b"\xef\xbb\xbf" + GOOD, *lines[1:]]) for name in names]
    rows = rows_of(spark, *paths)
    assert [(re.sub("^file:/+", "file:///", row.file), row.line_number, exact(row)) for row in rows] == [
        (path.as_uri(), number, line) for path in paths for number, line in enumerate(lines, 1)
    ]


def test_folders_are_read_recursively(spark: SparkSession, tmp_path: Path) -> None:
    """Including folders that look like partitions."""
    names = ["2026/deep/b.ndjson", "a.ndjson", "day=3/c.ndjson.zst", "day=3/hour=1/d.ndjson.gz", "z/day=4/e"]
    for number, name in enumerate(names, 1):
        write_lines(tmp_path / name, [GOOD] * number)
    expected = [(name, number) for count, name in enumerate(names, 1) for number in range(1, count + 1)]
    for given in ([tmp_path / "*"], [tmp_path, tmp_path / "day=3", tmp_path / "a.ndjson"]):
        rows = rows_of(spark, *given)
        assert [(row.file.partition(f"{tmp_path.name}/")[2], row.line_number) for row in rows] == expected


@pytest.mark.parametrize(
    ("name", "given"),
    [("_a.ndjson", "_a.ndjson"), (".a.ndjson", ".a*"), ("a._COPYING_", "a._COPYING_")],
)
def test_files_that_spark_ignores_are_rejected(
    spark: SparkSession, tmp_path: Path, name: str, given: str
) -> None:
    write_lines(tmp_path / name, [GOOD])
    with pytest.raises(FileNotFoundError, match="no files to read.*: rename them"):
        read_events(spark, tmp_path / given)


def test_folder_with_ignored_name_can_be_read(spark: SparkSession, tmp_path: Path) -> None:
    write_lines(tmp_path / "_b" / "c.ndjson", [GOOD])
    for given in ("_b", "_*/", "_b/c.ndjson", "_b/../_b/"):
        assert read_events(spark, f"{tmp_path}/{given}").count() == 1


@pytest.mark.parametrize("name", [pytest.param("a.ndjson", marks=pytest.mark.thorough), "a.ndjson.zst"])
def test_long_line_without_line_end(spark: SparkSession, tmp_path: Path, name: str) -> None:
    long = GOOD.replace(b"load", b"x" * 5_000_000)
    path = tmp_path / name
    path.write_bytes(compressed(name, GOOD + b"\n" + long))
    assert [exact(row) for row in rows_of(spark, path)] == [GOOD, long]


@pytest.mark.parametrize(
    ("name", "megabytes"),
    [
        ("long.ndjson.zst", 40),
        pytest.param("bomb.ndjson.zst", 700, marks=pytest.mark.thorough),
        pytest.param("bomb.ndjson.gz", 700, marks=pytest.mark.thorough),
    ],
)
def test_lines_that_are_too_long_are_invalid_and_fit_in_memory(
    spark: SparkSession, tmp_path: Path, name: str, megabytes: int
) -> None:
    """The JVM of the tests has 1 GB of memory, less than the longest line."""
    path = tmp_path / name
    path.write_bytes(compressed(name, b" " * (megabytes << 20) + b"\n" + GOOD))
    events = read_events(spark, path).selectExpr(
        "line_number", "length(line) as size", "valid", "findings.code"
    )
    rows = sorted(events.collect())
    assert [tuple(row) for row in rows] == [
        (1, (32 << 20) + 1, False, ["OL806"]),
        (2, len(GOOD), True, []),
    ]


def test_too_long_events_in_tables_are_invalid(spark: SparkSession) -> None:
    table = spark.range(2).selectExpr("repeat('1', cast(33554432 + id as int)) as value")
    codes = validate_events(table, "value").selectExpr("findings.code").collect()
    assert [row.code for row in codes] == [["OL001"], ["OL806"]]


@pytest.fixture
def small_pieces(spark: SparkSession):
    """Let Spark split files after 4 kB."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", 4096)
    yield
    spark.conf.unset("spark.sql.files.maxPartitionBytes")


@pytest.mark.usefixtures("small_pieces")
def test_line_numbers_of_split_file(spark: SparkSession, tmp_path: Path) -> None:
    lines = [GOOD.replace(b"load", b"load-%d" % number) for number in range(30)]
    path = write_lines(tmp_path / "large.ndjson", lines)
    unasked = [row.line_number for row in rows_of(spark, path)]
    assert None in unasked
    assert sorted(filter(None, unasked)) == [*range(1, len([*filter(None, unasked)]) + 1)]
    rows = rows_of(spark, path, line_numbers=True)
    assert [(row.line_number, exact(row)) for row in rows] == [*enumerate(lines, 1)]


class TestTables:
    """validate_events for tables and streams."""

    @pytest.mark.parametrize("kind", ["string", "binary"])
    def test_event_columns_are_added(self, spark: SparkSession, kind: str) -> None:
        table = spark.createDataFrame(
            [(1, GOOD, {"a": [1]}), (2, b"{", {}), (3, None, {}), (4, b" ", None)],
            "offset int, value binary, headers map<string, array<int>>",
        ).selectExpr("offset", f"cast(value as {kind}) value", "headers", "current_timestamp() as received")
        rows = validate_events(table, "value").orderBy("offset").collect()
        assert [row.offset for row in rows] == [1, 2, 3, 4]
        assert [row.valid for row in rows] == [True, False, None, None]
        assert (rows[0].headers, rows[0].run_id[:4]) == ({"a": [1]}, "0195")
        assert validate_events(table, "value").columns[:4] == table.columns

    def test_invalid_column_is_rejected(self, spark: SparkSession) -> None:
        table = spark.range(1).selectExpr("id", "'x' as Kind")
        with pytest.raises(ValueError, match="'id' of type bigint"):
            validate_events(table, "id")
        with pytest.raises(ValueError, match="no column 'value'"):
            validate_events(table, "value")
        with pytest.raises(ValueError, match=r"\['kind'\]"):
            validate_events(table, "Kind")

    def test_stream(self, spark: SparkSession, tmp_path: Path) -> None:
        write_lines(tmp_path / "in" / "a.ndjson", [GOOD, b"{"])
        lines = spark.readStream.text(str(tmp_path / "in"))
        query = (
            validate_events(lines, "value")
            .writeStream.format("parquet")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .start(str(tmp_path / "out"))
        )
        query.processAllAvailable()
        query.stop()
        assert sorted(row.valid for row in spark.read.parquet(str(tmp_path / "out")).collect()) == [
            False,
            True,
        ]
