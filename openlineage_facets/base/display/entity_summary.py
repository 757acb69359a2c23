"""What an entity is and contains, for notebooks and one-line representations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from openlineage_facets.base.redaction.redacted_keys import redact_key


@dataclass(frozen=True)
class EntitySummary:
    """A run, job or dataset in a few words.

    Args:
        identity: Namespace and name, or the run id.
        size: The number of columns and rows that its facets report, such as "3 columns, 1,200 rows".
        keys: The facet keys, with secrets redacted.
    """

    identity: str
    size: str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        size = f" ({self.size})" if self.size else ""
        return f"{self.identity}{size}{': ' if self.keys else ''}{', '.join(self.keys)}"


def summary_of(identity: Iterable[object], facets: Iterable[tuple[str, Any]]) -> EntitySummary:
    """Return the summary of an entity.

    Args:
        identity: Namespace and name, or the run id.
        facets: Facet keys and facets.
    """
    pairs = list(facets)
    name = "/".join(str(part).removeprefix("/") for part in identity if part is not None)
    return EntitySummary(
        name, size_of(facet for _, facet in pairs), tuple(redact_key(key) for key, _ in pairs)
    )


def size_of(facets: Iterable[Any]) -> str:
    """Return the number of columns and rows that facets report, such as "3 columns, 1,200 rows written"."""
    return ", ".join(_sizes(facets))


_ROLES = {"inputStatistics": " read", "outputStatistics": " written"}
"""A run may read a dataset twice and append to one: the rows of these facets are not those of the dataset."""


def _sizes(facets: Iterable[Any]) -> Iterator[str]:
    for facet in facets:
        key = getattr(facet, "__facet_key__", None)
        if key == "schema":
            yield _counted(len(getattr(facet, "fields", None) or ()), "column")
        rows = getattr(facet, "row_count", None)
        if isinstance(rows, int):
            yield _counted(rows, "row") + _ROLES.get(key or "", "")


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"
