"""Values in a few words: truncated and redacted for `repr`, and what a run, job or dataset contains."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice
from reprlib import Repr
from typing import Any

from typing_extensions import override

from openlineage_facets.base.redaction.redacted_keys import redact_key


class TruncatedRepr:
    """Wraps a value so that its `repr` has no secrets and stays short, even for thousands of columns."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        ((_, redacted),) = redacted_items([("", self._value)])
        return _TRUNCATING.repr(redacted)


def redacted_items(items: Iterable[tuple[str, Any]], most: int | None = None) -> list[tuple[str, Any]]:
    """Redact named values by their names: `password`, and `value` if `name` is "password".

    What is not shown of large values is replaced by None. Containers of facets are returned as they are: they
    redact themselves.

    Args:
        items: The names and values.
        most: The number of values to return at most. Default: all.
    """
    # Loaded with the first `repr`.
    from openlineage_facets.base.redaction.redact import name_in, redact_json
    from openlineage_facets.base.redaction.secret_table import VALUE_KEYS

    named = dict(items)
    name_of_value = name_in(named)

    def redacted(name: str, value: Any) -> Any:
        if isinstance(value, Mapping) and not isinstance(value, dict):
            return value
        option = name_of_value if name_of_value and VALUE_KEYS.fullmatch(name) else name
        return redact_json({option: _shown_parts(value)}, for_display=True).popitem()[1]

    return [(name, redacted(str(name), value)) for name, value in islice(named.items(), most)]


MOST_PARTS = 100
"""Parts of a value that notebooks show at most."""


class Rest:
    """Stands for the parts of a value that are not shown, after the first `MOST_PARTS`.

    Args:
        total: How many parts there are.
    """

    def __init__(self, total: int) -> None:
        self._left_out = total - MOST_PARTS

    def __bool__(self) -> bool:
        return self._left_out > 0

    def __repr__(self) -> str:
        return f"and {self._left_out:,} more"


def shown_keys(keys: Collection[str]) -> tuple[str, ...]:
    """Return the first facet keys, with secrets redacted, and how many more there are."""
    rest = Rest(len(keys))
    return (*map(redact_key, islice(keys, MOST_PARTS)), *([repr(rest)] if rest else ()))


def _shown_parts(value: Any, levels: int = 4, most: int = MOST_PARTS) -> Any:
    """Return a value with None for each part that neither `repr` nor a notebook shows.

    Args:
        value: The value. It may contain itself.
        levels: Levels of dicts and lists to keep. A notebook shows each item of the outermost one.
        most: Entries to keep.
    """
    if type(value) not in (dict, list, tuple) or not value:
        return value
    if levels == 0:
        return {None: None} if type(value) is dict else type(value)([None])
    if type(value) is dict:
        shown = {*islice(value, most), *_smallest(value), *_keys_of_names(value)}
        return {
            key: _shown_parts(part, levels - 1, 4) if key in shown else None for key, part in value.items()
        }
    parts = [_shown_parts(part, levels - 1, 4) for part in value[:most]]
    return type(value)([*parts, *[None] * (len(value) - most)])


def _smallest(keys: Iterable[Any]) -> list[Any]:
    """Return the keys that `repr` shows: it sorts them if that is possible."""
    try:
        return nsmallest(_TRUNCATING.maxdict, keys)
    except TypeError:
        return []


def _keys_of_names(keys: Iterable[Any]) -> Iterator[Any]:
    """Yield the keys whose value may say that another one is a secret."""
    from openlineage_facets.base.redaction.secret_table import NAME_KEYS

    return (key for key in keys if NAME_KEYS.fullmatch(str(key)))


class _RedactingRepr(Repr):
    """Redacts texts, before truncating them: half a secret is no longer recognized."""

    @override
    def repr_str(self, x: str, level: int) -> str:
        from openlineage_facets.base.redaction.redact import redact_start

        return super().repr_str(redact_start(x), level)

    @override
    def repr_instance(self, x: Any, level: int) -> str:
        is_ours = hasattr(type(x), "__wire_serializer__")  # Its own `repr` is redacted.
        return super().repr_instance(x if is_ours else _Redacted(x), level)


class _Redacted:
    """Wraps a value of any class so that its `repr` has no secrets."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        from openlineage_facets.base.redaction.redact import redact_start

        return redact_start(repr(self._value))


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
        keys: The first facet keys, with secrets redacted, and how many more there are.
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
    keys = shown_keys([key for key, _ in pairs])
    return EntitySummary(name, size_of(facet for _, facet in pairs), keys)


def size_of(facets: Iterable[Any]) -> str:
    """Return the number of columns and rows that facets report, such as "3 columns, 1,200 rows written"."""
    return ", ".join(_sizes(facets))


_ROLES = {"inputStatistics": " read", "outputStatistics": " written"}
"""A run may read a dataset twice and append to one: the rows of these facets are not those of the dataset."""


def _sizes(facets: Iterable[Any]) -> Iterator[str]:
    for facet in facets:
        key = getattr(facet, "__facet_key__", None)
        if key == "schema":
            yield counted(len(getattr(facet, "fields", None) or ()), "column")
        rows = getattr(facet, "row_count", None)
        if isinstance(rows, int):
            yield counted(rows, "row") + _ROLES.get(key or "", "")


def counted(count: float, noun: str) -> str:
    """Return a number with its noun, such as "1,200 rows"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
