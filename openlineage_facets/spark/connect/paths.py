"""Paths as the server of Spark Connect takes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["qualified"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


def qualified(spark: SparkSession, path: str) -> str:
    """Return a path with its file system.

    A path without one lies in the default file system of the server. That is the one its configuration names,
    or the local one where nothing speaks of another: where its warehouse is local, too.

    Raises:
        LookupError: The client can't know where the path lies.
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
        f"Spark Connect does not say where its server looks for {path!r}; write the path in full, as in "
        "file:/lake/orders, or name the dataset yourself with dataset=(namespace, name)"
    )
