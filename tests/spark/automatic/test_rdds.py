"""RDDs are captured: what their actions read, and where they are saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark import RDD
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.spark.automatic.conftest import ORDERS
from tests.spark.etl_job import EtlJob, Events, mostly_thorough

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("without_gaps")]

OUTPUT_FORMAT = "org.apache.hadoop.mapred.TextOutputFormat"
NEW_OUTPUT_FORMAT = "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat"
CLASSES = {
    "mapreduce.job.output.key.class": "org.apache.hadoop.io.Text",
    "mapreduce.job.output.value.class": "org.apache.hadoop.io.Text",
}

SAVES: dict[str, Callable[[Any, str], Any]] = {
    "saveAsTextFile": lambda rdd, path: rdd.saveAsTextFile(path),
    "saveAsPickleFile": lambda rdd, path: rdd.saveAsPickleFile(path),
    "saveAsSequenceFile": lambda rdd, path: rdd.map(lambda row: (1, "a")).saveAsSequenceFile(path),
    "saveAsHadoopFile": lambda rdd, path: rdd.map(lambda row: (1, "a")).saveAsHadoopFile(path, OUTPUT_FORMAT),
    "saveAsNewAPIHadoopFile": lambda rdd, path: rdd.map(lambda row: ("a", "b")).saveAsNewAPIHadoopFile(
        path, NEW_OUTPUT_FORMAT
    ),
    "saveAsNewAPIHadoopDataset": lambda rdd, path: rdd.map(lambda row: ("a", "b")).saveAsNewAPIHadoopDataset(
        {
            **CLASSES,
            "mapreduce.job.outputformat.class": NEW_OUTPUT_FORMAT,
            "mapreduce.output.fileoutputformat.outputdir": path,
        }
    ),
}

ACTIONS: dict[str, Callable[[RDD[Any]], Any]] = {
    "collect": lambda rdd: rdd.collect(),
    "count": lambda rdd: rdd.count(),
    "take": lambda rdd: rdd.take(1),
    "reduce": lambda rdd: rdd.reduce(lambda a, b: a),
    "foreach": lambda rdd: rdd.foreach(print),
    "toLocalIterator": lambda rdd: list(rdd.toLocalIterator()),
    "reduceByKey": lambda rdd: rdd.map(lambda row: (1, 1)).reduceByKey(lambda a, b: a + b).collect(),
}


@pytest.mark.parametrize("method", mostly_thorough(SAVES, "saveAsNewAPIHadoopDataset"))
def test_a_saved_rdd_is_an_output(etl: EtlJob, method: str) -> None:
    path = str(etl.tmp_path / "saved")
    with etl.run("save"):
        SAVES[method](etl.orders.rdd, path)
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [path])
    assert etl.events.change(path) == "CREATE"


def test_the_format_of_text_is_known(spark: SparkSession, events: Events, tmp_path: Path) -> None:
    path = str(tmp_path / "lines")
    with SparkRun(spark, "etl", "save", emit=events, on_error="raise"):
        spark.sparkContext.parallelize(["a", "b"]).saveAsTextFile(path)
    assert (events.inputs, events.outputs) == ([], [path])
    assert events.output(path)["storage"].file_format == "text"


def test_an_rdd_that_cannot_be_saved_is_a_failed_write(etl: EtlJob) -> None:
    path = str(etl.tmp_path / "lines")
    with pytest.raises(Exception, match="secret"), etl.run("save", on_error="log"):
        etl.orders.rdd.map(lambda row: {}["secret"]).saveAsTextFile(path)
    assert etl.events.types[-1] == "FAIL"
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [path])
    assert "lifecycleStateChange" not in etl.events.output(path)


@pytest.mark.parametrize("action", mostly_thorough(ACTIONS, "take", "reduceByKey"))
def test_an_action_of_an_rdd_has_inputs(etl: EtlJob, action: str) -> None:
    with etl.run("report"):
        ACTIONS[action](etl.orders.rdd)
    assert (etl.events.inputs, etl.events.outputs) == ([etl.orders_path], [])


@pytest.mark.thorough
def test_an_rdd_of_text_files_and_a_dataframe(etl: EtlJob) -> None:
    lines = etl.tmp_path / "lines" / "log.txt"
    lines.parent.mkdir()
    lines.write_text("1 a\n2 b\n")
    with etl.run("join"):
        names = etl.spark.sparkContext.textFile(str(lines)).map(lambda line: (int(line.split()[0]), line))
        assert etl.orders.rdd.map(lambda row: (row.order, row.amount)).join(names).count() == 2
    assert sorted(etl.events.inputs) == sorted([etl.orders_path, str(lines)])


@pytest.mark.thorough
def test_the_rows_of_a_saved_rdd_are_known_to_be_collected(etl: EtlJob) -> None:
    with etl.run("copy"):
        rdd = etl.orders.rdd
        rdd.saveAsTextFile(str(etl.tmp_path / "saved"))
        etl.spark.createDataFrame(rdd.collect()).write.parquet(etl.target)
    entries = {entry.name: entry for entry in etl.events.facets["job"]["lineage"].entries}
    assert entries[etl.target].inputs is None
    assert "they may be copies of what the job has read" in etl.caplog.text
    etl.caplog.clear()


@pytest.mark.thorough
def test_nothing_is_read_before_an_action(spark: SparkSession, events: Events, orders: DataFrame) -> None:
    with SparkRun(spark, "etl", "lazy", emit=events, on_error="raise"):
        assert orders.rdd.map(lambda row: row.order).getNumPartitions() > 0
    assert events.inputs == []


@pytest.mark.thorough
def test_repeated_actions_follow_an_rdd_once(etl: EtlJob) -> None:
    from tests.spark.automatic.test_jvm_calls import counted_calls

    with etl.run("iterate"):
        rdd = etl.orders.rdd.map(lambda row: row.order)
        counts = []
        for _ in range(3):
            with counted_calls() as calls:
                assert rdd.count() == ORDERS
            counts.append(len(calls))
    assert counts[2] < counts[0]
    assert etl.events.inputs == [etl.orders_path]


@pytest.mark.parametrize("read", mostly_thorough(["textFile", "wholeTextFiles"], "wholeTextFiles"))
def test_a_pattern_names_the_folder_before_it(etl: EtlJob, read: str) -> None:
    path = str(etl.tmp_path / "orders")
    etl.orders.write.csv(path)
    with etl.run("orders.lines"):
        getattr(etl.spark.sparkContext, read)(f"{path}/*.csv").count()
    assert etl.events.inputs == [path]
