"""HTML with which notebooks display values, and the pictures of their graphs. Everything is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.display.short_values import MOST_PARTS, Rest, TruncatedRepr, redacted_items
from openlineage_facets.base.times.timestamp import Timestamp

MOST_ROWS = MOST_PARTS
"""Rows and lines that are shown at most."""


@dataclass(frozen=True)
class Rows:
    """A table in a cell.

    Args:
        header: The names of the columns.
        rows: The values of each row, at least of the first `MOST_ROWS`.
        total: How many rows there are.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    total: int


@dataclass(frozen=True)
class Lines:
    """The lines of a cell.

    Args:
        shown: The lines, at most `MOST_ROWS`.
        total: How many there are.
    """

    shown: Sequence[str]
    total: int


def notebook_table(
    title: str,
    rows: Iterable[tuple[str, str | Iterable[str] | Lines | Rows]],
    *,
    total: int | None = None,
) -> str:
    """Return a table with a row for each name and its value, its lines, or its rows, at most `MOST_ROWS`.

    Args:
        title: The title.
        rows: The names and values.
        total: The number of rows if not all are passed.
    """
    listed = list(rows)
    shown = "".join(f"<tr>{_cell('th', name)}{_cell('td', value)}</tr>" for name, value in listed[:MOST_ROWS])
    return _table(title, shown) + _rest(len(listed) if total is None else total)


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
    return _table(title, _rows(header, listed)) + _rest(len(listed) if total is None else total)


def field_lines(value: Any) -> str | Lines | Rows:
    """Return a field as lines: one for each item or facet, shortened and redacted; entities as summaries."""
    if hasattr(value, "__summary__"):
        return str(value.__summary__())
    if isinstance(value, tuple) and value and all(hasattr(item, "__summary__") for item in value[:MOST_ROWS]):
        summaries = [item.__summary__() for item in value[:MOST_ROWS]]
        cells = [(summary.identity, summary.size, ", ".join(summary.keys)) for summary in summaries]
        return Rows(("dataset", "size", "facets"), cells, len(value))
    if isinstance(value, Mapping):
        items = redacted_items(value.items(), MOST_ROWS)
        return Lines([f"{key}: {TruncatedRepr(item)!r}" for key, item in items], len(value))
    if isinstance(value, (list, tuple)):
        return Lines([repr(TruncatedRepr(item)) for item in value[:MOST_ROWS]], len(value))
    if isinstance(value, Enum):
        return Lines([str(value.value)], 1)
    return Lines([value.text if isinstance(value, Timestamp) else repr(TruncatedRepr(value))], 1)


def _table(title: str, rows: str) -> str:
    return f"<div><strong>{_text(title)}</strong><table>{rows}</table></div>"


def _rows(header: Iterable[str], rows: Sequence[Iterable[str | Iterable[str]]]) -> str:
    """Return a header and at most `MOST_ROWS` rows."""
    shown = "".join(f"<tr>{''.join(_cell('td', value) for value in row)}</tr>" for row in rows[:MOST_ROWS])
    return f"<tr>{''.join(_cell('th', name) for name in header)}</tr>{shown}"


def _cell(tag: str, value: str | Iterable[str] | Lines | Rows) -> str:
    if isinstance(value, Rows):
        table = f"<table>{_rows(value.header, value.rows)}</table>{_rest(value.total)}"
        return f"<{tag}>{table}</{tag}>"
    if not isinstance(value, Lines):
        lines = [value] if isinstance(value, str) else list(value)
        value = Lines(lines[:MOST_ROWS], len(lines))
    text = "<br>".join(map(_text, value.shown))
    return f'<{tag} style="text-align: left; vertical-align: top">{text}{_rest(value.total)}</{tag}>'


def _rest(total: int) -> str:
    rest = Rest(total)
    return f"<div>{rest!r}</div>" if rest else ""


def _text(text: str) -> str:
    from openlineage_facets.base.redaction.redact import redact_for_display  # Loaded with the first table.

    return html.escape(printable(redact_for_display(text)))


def picture_of(value: Any) -> str:
    """Return a picture as HTML, or "" if there is nothing to see, or too much."""
    picture: str = import_module("openlineage_facets.graphs.notebook").picture(value)
    return picture


def show_graph(value: Any) -> Path:
    """Open a page in a browser, and return its file."""
    path: Path = import_module("openlineage_facets.graphs.notebook").show(value)
    return path
