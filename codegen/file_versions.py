"""Versions in URLs of schemas, as MODEL-REVISION-ADDITION, and files that are versions of one schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .documents import Document
from .errors import SchemaError

Version = tuple[int, int, int]


def version_of(schema_id: str) -> Version | None:
    """Return the version in a schema URL such as `.../facets/1-0-2/SQLJobFacet.json`, None without one."""
    match = re.search(r"/(\d{1,9})-(\d{1,9})-(\d{1,9})/", schema_id)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def version_text(version: Version | None) -> str:
    """Return a version as it appears in URLs, "" for None."""
    return "" if version is None else "-".join(map(str, version))


def older_versions(documents: Iterable[Document]) -> Iterator[tuple[Document, SchemaError]]:
    """Yield each document of which there is a newer version, and why it cannot be used.

    Versions of a schema have the same URL but for the version in it.
    """
    families: dict[str, list[Document]] = {}
    for document in documents:
        version = version_of(document.schema_id)
        if version is not None:
            family = document.schema_id.replace(f"/{version_text(version)}/", "/", 1)
            families.setdefault(family, []).append(document)
    for versions in families.values():
        *older, newest = sorted(versions, key=lambda document: version_of(document.schema_id) or ())
        for document in older:
            message = (
                f"version {version_text(version_of(document.schema_id))} of a schema of which "
                f"{newest.path.as_posix()} is version {version_text(version_of(newest.schema_id))}; "
                "pass the folder of one version"
            )
            yield document, document.error("/$id", message)
