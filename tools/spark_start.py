"""Archive the classes that Spark loads, so that the tests start Spark with half the CPU time.

Java maps the classes in an archive into memory instead of reading, verifying and linking them (class data
sharing). It ignores an archive of other jars or of another Java.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SETTINGS = ROOT / "examples" / "spark-conf"
"""How Spark is configured in tests."""

FOLDER = Path(sys.prefix).resolve() / "spark-start"
"""Contains the archive, and an empty folder: a folder with files on the class path prevents archiving."""

ARCHIVE = FOLDER / "classes.jsa"

_EMPTY = FOLDER / "conf"

_JOB = """
import sys
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

spark = SparkSession.builder.master("local[2]").getOrCreate()
rows = spark.range(100).select("id", (f.col("id") % 7).alias("day"), f.lit("x").alias("text"))
for format in ("parquet", "orc", "csv", "json"):
    rows.write.format(format).save(f"{sys.argv[1]}/{format}")
days = spark.read.parquet(f"{sys.argv[1]}/parquet").groupBy("day").agg(f.sum("id").alias("total"))
days.createOrReplaceTempView("days")
rows.join(days, "day").orderBy("id").collect()
spark.sql("CREATE TABLE daily USING parquet AS SELECT * FROM days WHERE total > 1")
spark.sql("INSERT INTO daily SELECT * FROM days")
spark.sql("DROP TABLE daily")
gateway = SparkContext._gateway
spark.stop()
gateway.shutdown()
gateway.proc.stdin.close()
gateway.proc.wait()  # Java writes the archive when it ends.
"""


def main() -> None:
    """Create the archive. If Java cannot create it, print that; the tests then start Spark without it."""
    _EMPTY.mkdir(parents=True, exist_ok=True)
    ARCHIVE.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        written = Path(folder) / ARCHIVE.name
        done = subprocess.run(
            [sys.executable, "-c", _JOB, folder],
            cwd=folder,
            env={**os.environ, **_variables(f"-XX:ArchiveClassesAtExit={written}")},
            capture_output=True,
            text=True,
        )
        if done.returncode == 0 and written.exists():
            written.replace(ARCHIVE)
            return
    lines = (done.stderr or done.stdout).strip().splitlines()
    reason = lines[-1] if lines else "Java has written no archive"
    print(f"Cannot create {ARCHIVE}: {reason}", file=sys.stderr)


def variables() -> dict[str, str]:
    """Return environment variables to start Spark with the settings of tests, and any archive."""
    if not ARCHIVE.exists():
        return {"SPARK_CONF_DIR": str(SETTINGS)}
    return _variables(f"-XX:SharedArchiveFile={ARCHIVE}")


def settings() -> dict[str, str]:
    """Return the settings of Spark in tests."""
    lines = (SETTINGS / "spark-defaults.conf").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {key: value.strip() for key, value in pairs}


def _variables(option: str) -> dict[str, str]:
    """Return variables with the content of the folder of settings, which cannot be on the class path."""
    spark = settings()
    options = [
        *spark.pop("spark.driver.extraJavaOptions").split(),
        "-Xlog:disable",  # Otherwise Java prints which classes it cannot archive.
        option,
        # Tests compile more than the default of 48 MB, of which Java would discard code and compile it again.
        "-XX:ReservedCodeCacheSize=240m",
        f"-Dlog4j2.configurationFile={(SETTINGS / 'log4j2.properties').as_uri()}",
        *(f"-D{key}={value}" for key, value in spark.items()),
    ]
    return {
        "SPARK_CONF_DIR": str(_EMPTY),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_SUBMIT_OPTS": " ".join(f'"{one}"' for one in options),
    }


if __name__ == "__main__":
    main()
