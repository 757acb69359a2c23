"""The column lineage of a dataset as lines of text, one paragraph per column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.formats.value_text import MAX_LENGTH, compact, word

_MAX_COLUMN = 40
"""Maximum number of characters of a column name, unless everything is shown in full."""


class DatasetNumbers:
    """Numbers for the datasets of an event, so that column lineage need not repeat their names.

    Args:
        inputs: The input datasets of the event, which get the first numbers.
    """

    def __init__(self, inputs: Iterable[dict[str, Any]]) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        for dataset in inputs:
            self.of(dataset)

    def of(self, dataset: dict[str, Any]) -> int:
        """Return the number of a dataset, a new one for an unknown dataset."""
        return self._numbers.setdefault(_key(dataset), len(self._numbers) + 1)

    def __contains__(self, dataset: dict[str, Any]) -> bool:
        return _key(dataset) in self._numbers


def _key(dataset: dict[str, Any]) -> tuple[str, str]:
    return word(dataset.get("namespace")), word(dataset.get("name"))


def lineage_lines(facet: dict[str, Any], numbers: DatasetNumbers, *, width: int, full: bool) -> Iterator[str]:
    """Yield the lines of a column lineage facet, which may be invalid.

    Args:
        facet: The facet, as plain JSON.
        numbers: Numbers of the datasets; source datasets without one get one and an additional line.
        width: Number of characters after which a line is wrapped.
        full: Whether to show long column names and the descriptions of transformations in full.

    Example:
        >>> facet = {"fields": {"total": {"inputFields": [{"namespace": "s3://shop", "name": "orders",
        ...     "field": "amount", "transformations": [{"type": "DIRECT", "subtype": "AGGREGATION"}]}]}}}
        >>> print(*lineage_lines(facet, DatasetNumbers([]), width=80, full=False), sep="\\n")
          [1] s3://shop  orders
          total <- [1].amount (AGGREGATION)
    """
    fields = facet.get("fields")
    columns = {
        column: _objects(lineage.get("inputFields") if isinstance(lineage, dict) else None)
        for column, lineage in (fields.items() if isinstance(fields, dict) else ())
    }
    whole = _objects(facet.get("dataset"))
    for source in (source for sources in (*columns.values(), whole) for source in sources):
        if isinstance(source, dict) and source not in numbers:
            yield f"  [{numbers.of(source)}] {'  '.join(filter(None, _key(source))) or '(no name)'}"
    for column, sources in columns.items():
        shown = [_source(source, numbers, full) + _how(source, full) for source in sources]
        described = _description(fields[column], full) if isinstance(fields, dict) else ""
        yield from _wrapped(f"  {_column(column, full)} <-", shown or ["(no source)"], width, described)
    by_kind: dict[str, list[str]] = {}
    for source in whole:
        for kind in _transformations(source, full) or ["other"]:
            by_kind.setdefault(kind, []).append(_source(source, numbers, full))
    for kind, shown in by_kind.items():
        yield from _wrapped(f"  (all columns) {kind}:", shown, width)


def _objects(values: Any) -> list[Any]:
    return values if isinstance(values, list) else []


def _column(name: Any, full: bool) -> str:
    """Return a column name, long ones without their start: names differ at the end."""
    text = word(name)
    return text if full or len(text) <= _MAX_COLUMN else f"...{text[3 - _MAX_COLUMN :]}"


def _source(source: Any, numbers: DatasetNumbers, full: bool) -> str:
    if not isinstance(source, dict):
        return compact(source, None if full else MAX_LENGTH)
    return f"[{numbers.of(source)}].{_column(source.get('field'), full)}"


def _how(source: Any, full: bool) -> str:
    kinds = _transformations(source, full)
    return f" ({'; '.join(kinds)})" if kinds else ""


def _transformations(source: Any, full: bool) -> list[str]:
    """Return the kind of each transformation of a source, such as "AGGREGATION masked"."""
    shown = []
    for step in _objects(source.get("transformations") if isinstance(source, dict) else None):
        if isinstance(step, dict):
            kind = word(step.get("subtype")) or word(step.get("type"))
            masked = " masked" if step.get("masking") is True else ""
            description = word(step.get("description")) if full else ""
            shown.append(f"{kind}{masked}{': ' if description else ''}{description}")
    return [kind for kind in shown if kind]


def _description(lineage: Any, full: bool) -> str:
    """Return the deprecated description of how a column is computed."""
    if not isinstance(lineage, dict):
        return ""
    parts = (lineage.get("transformationType"), lineage.get("transformationDescription"))
    return compact(" ".join(word(part) for part in parts if part), None if full else MAX_LENGTH)


def _wrapped(start: str, items: Iterable[str], width: int, end: str = "") -> Iterator[str]:
    """Yield a list as lines of at most `width` characters; longer items are not broken."""
    line = start
    items = list(items)
    for number, item in enumerate(items, 1):
        piece = f" {item}{',' if number < len(items) else ''}"
        if len(line) + len(piece) > width and line != start:
            yield line
            line = "     "
        line += piece
    if end:
        line += f" -- {printable(end)}"
    yield line
