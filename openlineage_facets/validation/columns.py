"""The columns of datasets, as their schema facets list them."""

from __future__ import annotations

from itertools import islice
from typing import Any

from openlineage_facets.validation.document import Document, Entity

__all__ = ["Columns", "columns_by_entity"]


_DEEPEST = 64
"""How many levels of nested columns a path may lead through."""


class Columns:
    """The columns of a dataset, nested ones by their path.

    Args:
        entity: The dataset.
    """

    __slots__ = ("_by_letters", "_nested", "has_twins", "paths")

    def __init__(self, entity: Entity) -> None:
        self.paths: set[str] = set()
        self.has_twins = False
        """Whether two columns of one level have one name."""
        self._nested: set[str] = set()
        self._by_letters: dict[str, str] | None = None
        schema = entity.facet("schema")
        if schema and schema.get("_deleted") is not True:
            self._collect(schema.get("fields"), "")

    def __bool__(self) -> bool:
        return bool(self.paths)

    def __contains__(self, path: object) -> bool:
        """Tell whether `path` is a column, or lies in one whose inner fields are not listed."""
        if path in self.paths:
            return True
        if not isinstance(path, str):
            return False
        ends = (end for end, char in enumerate(path) if char in ".[")
        outer = (path[:end] for end in islice(ends, _DEEPEST))
        return any(column in self.paths and column not in self._nested for column in outer)

    def has_all(self, paths: set[str]) -> bool:
        """Tell whether every one of `paths` is a column."""
        return paths <= self.paths or all(path in self for path in paths)

    def likely(self, path: str) -> str | None:
        """Return the column that `path` most likely means: one that differs in capitals and marks alone."""
        if self._by_letters is None:
            self._by_letters = {_letters(column): column for column in sorted(self.paths)}
        return self._by_letters.get(_letters(path))

    def add(self, other: Columns) -> None:
        """Add the columns that another mention of the dataset lists."""
        self.paths |= other.paths
        self._nested |= other._nested
        self._by_letters = None

    def _collect(self, fields: Any, prefix: str) -> None:
        if not isinstance(fields, list):
            return
        try:
            names = [field["name"] for field in fields]
            "".join(names)  # Raises where one is no text; the quickest way to know.
            self.has_twins = self.has_twins or len(set(names)) < len(names)
        except (KeyError, TypeError):  # Not as the schema says: pass over what is wrong.
            fields = [it for it in fields if isinstance(it, dict) and isinstance(it.get("name"), str)]
            self._collect(fields, prefix)
            return
        self.paths.update([f"{prefix}{name}" for name in names] if prefix else names)
        for field in [field for field in fields if "fields" in field]:
            if field["fields"]:
                self._nested.add(f"{prefix}{field['name']}")
                self._collect(field["fields"], f"{prefix}{field['name']}.")


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def columns_by_entity(document: Document) -> dict[str, Columns]:
    """Return the columns of each dataset that lists any, by the pointer to the dataset."""
    columns = {entity.pointer: Columns(entity) for entity in document.entities if entity.is_dataset}
    return {pointer: listed for pointer, listed in columns.items() if listed}
