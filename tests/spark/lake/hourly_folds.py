"""Fold the events of each hour into a Delta and an Iceberg table: a job that may be killed and started again.

    python -m tests.spark.lake.hourly_folds FOLDER

Reads FOLDER/HOUR.ndjson in order and prints each hour when it is folded. Hours in FOLDER/done are skipped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from openlineage_facets.spark.archives import StateTable
from tests.spark.lake.session import lake_session
from tools.java_home import java_of_machine
from tools.lake_jars import jars

TABLES = {"delta": "delta.`{folder}/hourly`", "iceberg": "ice.db.hourly"}
"""Tables that outlive a session, whose own catalog is in memory."""

COMPACTED = (8, 16)
"""The hours after which generations are merged."""


def main(folder: Path) -> None:
    """Fold all hours that are not done."""
    spark = lake_session(str(folder), [str(jar) for jar in jars()], str(java_of_machine()))
    done = folder / "done"
    done.mkdir(exist_ok=True)
    for path in sorted((folder / "hours").iterdir()):
        if (done / path.name).exists():
            continue
        lines = [(line,) for line in path.read_bytes().splitlines()]
        events = spark.createDataFrame(lines, "line binary")
        for layer, name in TABLES.items():
            state = StateTable(spark, name.format(folder=folder), format=layer)
            state.fold(events)
            print(f"{path.stem} {layer}", flush=True)
            if int(path.stem) in COMPACTED:
                state.compact()
        (done / path.name).touch()
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
