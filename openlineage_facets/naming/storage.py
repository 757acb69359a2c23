"""Dataset names of paths in file systems and object stores."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from openlineage_facets.naming.systems import system_of_scheme
from openlineage_facets.naming.uris import escaped

_SAFE_IN_PATH = "!$&'()*+,/:;=@~"
_PATH = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]+):)?(?://([^/]*))?(.*)", re.DOTALL
)  # A one-letter scheme is a drive.
_PARTITION = re.compile(r"[^/=]+=[^/=]+")  # Spark escapes slashes and equals signs in names and values.
_GLOB = re.compile(r"(?<!\\)[*?{\[]")


def dataset_of_path(path: str) -> tuple[str, str]:
    """Return the namespace and name of the dataset at a Hadoop path, which is not URL-encoded.

    Example:
        >>> dataset_of_path("s3a://lake/raw/orders/"), dataset_of_path("file:/tmp/orders")
        (('s3://lake', 'raw/orders'), ('file', '/tmp/orders'))
    """
    parts = _PATH.fullmatch(path)
    scheme, authority, name = parts.groups() if parts else (None, None, path)
    scheme = (scheme or "file").lower()
    system = system_of_scheme(scheme)
    if system is not None:
        scheme = system.scheme
    if authority and not (system is not None and system.has_container):
        authority = authority.rpartition("@")[2]
    name = name.rstrip("/")
    if system is not None and system.has_object_keys:
        name = name.lstrip("/")
    elif authority and not name.startswith("/"):
        name = "/" + name
    return (escaped(f"{scheme}://{authority}") if authority else scheme), name or "/"


def uri_of_path(path: str) -> str:
    """Return the percent-encoded URI of a folder.

    Args:
        path: The Hadoop path, which is not URL-encoded.

    Example:
        >>> uri_of_path("/data/my warehouse"), uri_of_path("s3a://lake/warehouse")
        ('file:/data/my%20warehouse', 's3://lake/warehouse')
    """
    namespace, name = dataset_of_path(path)
    name = quote(name, safe=_SAFE_IN_PATH, errors="replace")
    if "://" not in namespace:
        return f"{namespace}:{name}"
    return namespace if name == "/" else f"{namespace}/{name.lstrip('/')}"


def is_partition_path(path: str) -> bool:
    """Return whether a path is a partition folder, such as `/t/day=1`."""
    return _PARTITION.fullmatch(path.rstrip("/").rpartition("/")[2]) is not None


def table_folder(path: str) -> str:
    """Return the path without trailing partition folders: `/t` for `/t/day=1/hour=2`."""
    path = path.rstrip("/") or path
    end = len(path)
    while True:
        slash = path.rfind("/", 0, end)
        if slash < 1 or _PARTITION.fullmatch(path, slash + 1, end) is None:
            return path[:end]
        end = slash


def glob_parent(path: str) -> str | None:
    """Return the folder before the first wildcard of a glob pattern; None if the path has no wildcard.

    Example:
        >>> glob_parent("/lake/orders/*.csv"), glob_parent("*.csv"), glob_parent("/lake/orders")
        ('/lake/orders', '.', None)
    """
    wildcard = _GLOB.search(path)
    if wildcard is None:
        return None
    folder, slash, _ = path[: wildcard.start()].rpartition("/")
    return folder or slash or "."


def parent_folders(paths: Iterable[str]) -> list[str]:
    """Return the distinct parent folders of files, in order of first occurrence."""
    return list(dict.fromkeys(path.rpartition("/")[0] or "/" for path in paths))
