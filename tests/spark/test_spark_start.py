"""Spark starts with the settings of tests, and with the archive of classes that `make test` creates."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tools import spark_start

MAPS = Path("/proc/self/maps")


def test_the_session_has_the_settings_of_tests(spark: SparkSession) -> None:
    java = spark.sparkContext._jvm.java.lang.management.ManagementFactory.getRuntimeMXBean()
    arguments = list(java.getInputArguments())
    wanted = spark_start.settings()
    assert [one for one in wanted.pop("spark.driver.extraJavaOptions").split() if one not in arguments] == []
    for key in ("spark.master", "spark.sql.shuffle.partitions"):
        del wanted[key]  # The fixture sets others.
    found = spark.sparkContext.getConf()
    assert {key: found.get(key) for key in wanted} == wanted


@pytest.mark.skipif(not MAPS.exists(), reason="this system has no /proc with the files a process has mapped")
def test_java_uses_the_archive(spark: SparkSession) -> None:
    if not spark_start.ARCHIVE.exists():
        pytest.skip(f"Spark starts slowly: {spark_start.ARCHIVE} is missing; `make test` creates it")
    process = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    assert str(spark_start.ARCHIVE) in Path(f"/proc/{process}/maps").read_text(), (
        "Java ignores the archive: it was created with another Java; delete it"
    )


def test_java_keeps_the_code_that_it_compiles(spark: SparkSession) -> None:
    if not spark_start.ARCHIVE.exists():
        pytest.skip(f"Java has its defaults: {spark_start.ARCHIVE} is missing; `make test` creates it")
    pools = spark.sparkContext._jvm.java.lang.management.ManagementFactory.getMemoryPoolMXBeans()
    sizes = [pool.getUsage().getMax() for pool in pools if pool.getName().startswith("Code")]
    assert sum(sizes) == 240 << 20


def test_without_an_archive_the_folder_of_settings_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(spark_start, "ARCHIVE", tmp_path / "missing.jsa")
    assert spark_start.variables() == {"SPARK_CONF_DIR": str(spark_start.SETTINGS)}
    assert (spark_start.SETTINGS / "spark-defaults.conf").is_file()
