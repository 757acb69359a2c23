"""Spark's daemon for Python workers, with modules from files, and those that most workers need.

A worker is a copy of the daemon. Spark's own daemon reads PySpark from a ZIP file: each worker reads its list
of files many times and compiles modules, which takes two seconds. Tests start hundreds of workers.
"""

from __future__ import annotations

import importlib
import sys

MODULES = (
    "pandas",
    "pyspark.sql.pandas.serializers",
    "openlineage_facets.spark.archives.outcomes",
    "openlineage_facets.spark.archives.tables.saved_state",
)


def main() -> None:
    """Import modules, and start workers when Spark asks for them."""
    for path in [path for path in sys.path if path.endswith("pyspark.zip")]:
        sys.path.remove(path)
    for path in [path for path in sys.path_importer_cache if "pyspark.zip" in path]:
        del sys.path_importer_cache[path]
    if sys.argv[1:] == ["pyspark.worker"]:  # Data sources in Python have other workers, which need less.
        for name in MODULES:
            importlib.import_module(name)
    importlib.import_module("pyspark.daemon").manager()


if __name__ == "__main__":
    main()
