"""HTML with which notebooks display values. Everything is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from enum import Enum

from openlineage_facets.base.printable import printable
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.truncated_repr import TruncatedRepr

__all__ = ["MOST_ROWS", "field_lines", "notebook_list", "notebook_table"]

MOST_ROWS = 100
"""Rows and lines that are shown at most."""


def notebook_table(title: str, rows: Iterable[tuple[str, str | Iterable[str]]]) -> str:
    """Return a table with a row for each name and its value, or its lines."""
    return _table(title, "".join(f"<tr>{_cell('th', name)}{_cell('td', value)}</tr>" for name, value in rows))


def notebook_list(
    title: str,
    header: Iterable[str],
    rows: Iterable[Iterable[str | Iterable[str]]],
    *,
    total: int | None = None,
) -> str:
    """Return a table with a header and at most `MOST_ROWS` rows.

    Args:
        title: The title.
        header: The names of the columns.
        rows: The values of each row, or their lines.
        total: The number of rows if not all are passed.
    """
    listed = list(rows)
    shown = "".join(f"<tr>{''.join(_cell('td', value) for value in row)}</tr>" for row in listed[:MOST_ROWS])
    head = "".join(_cell("th", name) for name in header)
    return _table(title, f"<tr>{head}</tr>{shown}") + _rest(len(listed) if total is None else total)


def field_lines(value: object) -> list[str]:
    """Return a field as lines: one for each item or facet, shortened and redacted."""
    if isinstance(value, Mapping):
        return [f"{key}: {TruncatedRepr(item)!r}" for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [repr(TruncatedRepr(item)) for item in value]
    if isinstance(value, Enum):
        return [str(value.value)]
    return [value.text if isinstance(value, Timestamp) else repr(TruncatedRepr(value))]


def _table(title: str, rows: str) -> str:
    return f"<div><strong>{_text(title)}</strong><table>{rows}</table></div>"


def _cell(tag: str, value: str | Iterable[str]) -> str:
    lines = [value] if isinstance(value, str) else list(value)
    text = "<br>".join(map(_text, lines[:MOST_ROWS]))
    return f'<{tag} style="text-align: left; vertical-align: top">{text}{_rest(len(lines))}</{tag}>'


def _rest(total: int) -> str:
    left_out = total - MOST_ROWS
    return f"<div>and {left_out:,} more</div>" if left_out > 0 else ""


def _text(text: str) -> str:
    return html.escape(printable(text))
