"""The dataset that a path names, as the naming specification has it."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["before_glob", "dataset_of_path", "is_partition", "without_partitions"]

_PATH = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]+):)?(?://([^/]*))?(.*)", re.DOTALL
)  # a one-letter scheme is a drive
_PARTITION = re.compile(r"[^/=]+=[^/=]+")  # in names and values, Spark escapes both
_GLOB = re.compile(r"(?<!\\)[*?{\[]")

_ONE_STORE = {"s3a": "s3", "s3n": "s3", "abfs": "abfss", "wasb": "wasbs"}
"""Schemes that are other ways into a store with a name of its own."""

_OBJECT_STORES = {"s3", "gs", "wasbs"}
"""Stores whose datasets are named by an object key, which starts with no slash."""

_CONTAINER_BEFORE_AT = {"abfss", "wasbs"}
"""Schemes where what stands before the @ is a container, and no login."""


def dataset_of_path(path: str) -> tuple[str, str]:
    """Return namespace and name of the dataset at a path, as Hadoop writes it: nothing in it is URL-encoded.

    Example:
        >>> dataset_of_path("s3a://lake/raw/orders/"), dataset_of_path("file:/tmp/orders")
        (('s3://lake', 'raw/orders'), ('file', '/tmp/orders'))
    """
    parts = _PATH.fullmatch(path)
    scheme, authority, name = parts.groups() if parts else (None, None, path)
    scheme = (scheme or "file").lower()
    scheme = _ONE_STORE.get(scheme, scheme)
    if authority and scheme not in _CONTAINER_BEFORE_AT:
        authority = authority.rpartition("@")[2]
    name = name.rstrip("/")
    if scheme in _OBJECT_STORES:
        name = name.lstrip("/")
    elif authority and not name.startswith("/"):
        name = "/" + name
    return (f"{scheme}://{authority}" if authority else scheme), name or "/"


def is_partition(path: str) -> bool:
    """Tell whether a path is that of a partition, `/t/day=1`, and not the folder of a table."""
    return _PARTITION.fullmatch(path.rstrip("/").rpartition("/")[2]) is not None


def without_partitions(path: str) -> str:
    """Return the folder of a table, for a path of one of its partitions: `/t/day=1/hour=2` is in `/t`."""
    path = path.rstrip("/") or path
    parent, slash, last = path.rpartition("/")
    while slash and parent and is_partition(last):
        path = parent
        parent, slash, last = path.rpartition("/")
    return path


def before_glob(path: str) -> str | None:
    """Return the folder that a pattern such as `/lake/orders/*.csv` looks in; None for a path without one.

    Of a pattern without a folder, that is the one the job works in.
    """
    found = _GLOB.search(path)
    if found is None:
        return None
    folder, slash, _ = path[: found.start()].rpartition("/")
    return folder or slash or "."


def folders_of_files(paths: Iterable[str]) -> list[str]:
    """Return, for files, the folders that they lie in, each once."""
    return list(dict.fromkeys(path.rpartition("/")[0] or "/" for path in paths))
