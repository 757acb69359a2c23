"""Qualified paths on a Spark Connect server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def server_path(spark: SparkSession, path: str) -> str:
    """Return a path with its file system.

    A path without a scheme is in the server's default file system: `spark.hadoop.fs.defaultFS`, or the local
    one if the warehouse is local.

    Raises:
        LookupError: The file system or the folder of a relative path is unknown to the client.
    """
    if _SCHEME.match(path):
        return path
    if path.startswith("/"):
        default = spark.conf.get("spark.hadoop.fs.defaultFS", None)
        if default:
            return default.rstrip("/") + path
        if (spark.conf.get("spark.sql.warehouse.dir", None) or "").startswith("file:"):
            return f"file:{path}"
    raise LookupError(
        f"cannot find the file system of {path!r}: Spark Connect does not report it; use a path such as "
        "file:/lake/orders, or name the dataset with dataset=(namespace, name)"
    )
