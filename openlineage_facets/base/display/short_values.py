"""Values in a few words: truncated and redacted for `repr`, and what a run, job or dataset contains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from reprlib import Repr
from typing import Any

from typing_extensions import override

from openlineage_facets.base.redaction.redacted_keys import redact_key


class TruncatedRepr:
    """Wraps a value so that its `repr` stays short, even for an event with two thousand columns."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return _TRUNCATING.repr(self._value)


def redacted_items(items: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Redact the texts among named values by their names: `password`, and `value` if `name` is "password"."""
    # Loaded with the first `repr`.
    from openlineage_facets.base.redaction.redact import name_in, redact_option
    from openlineage_facets.base.redaction.secret_table import VALUE_KEYS

    named = dict(items)
    name_of_value = name_in(named)

    def redacted(name: str, text: str) -> str:
        return redact_option(name_of_value if name_of_value and VALUE_KEYS.fullmatch(name) else name, text)

    return [
        (name, redacted(str(name), value) if isinstance(value, str) else value)
        for name, value in named.items()
    ]


class _RedactingRepr(Repr):
    """Redacts texts, before truncating them: half a secret is no longer recognized."""

    @override
    def repr_str(self, x: str, level: int) -> str:
        from openlineage_facets.base.redaction.redact import redact_start

        return super().repr_str(redact_start(x), level)

    @override
    def repr_dict(self, x: dict[str, Any], level: int) -> str:
        return super().repr_dict(dict(redacted_items(x.items())), level)


_TRUNCATING = _RedactingRepr()
_TRUNCATING.maxlevel = 3
_TRUNCATING.maxdict = _TRUNCATING.maxlist = _TRUNCATING.maxtuple = 3
_TRUNCATING.maxstring = 60
_TRUNCATING.maxother = 160


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
