"""The columns in the schema facets of datasets."""

from __future__ import annotations

from itertools import islice
from typing import Any

from openlineage_facets.base.errors.name_suggestions import normalized
from openlineage_facets.validation.event_document import Document, Facet

_DEEPEST = 64
"""Maximum depth of nested columns in a path."""


class Columns:
    """The columns of a dataset; nested columns are identified by their path.

    Args:
        schema: The schema facet.
    """

    __slots__ = ("_by_normalized_name", "_nested", "has_duplicates", "paths")

    def __init__(self, schema: dict[str, Any]) -> None:
        self.paths: set[str] = set()
        self.has_duplicates = False
        """Whether two columns of the same level have the same name."""
        self._nested: set[str] = set()
        self._by_normalized_name: dict[str, str] | None = None
        if schema.get("_deleted") is not True:
            self._collect(schema.get("fields"), "")

    def __bool__(self) -> bool:
        return bool(self.paths)

    def __contains__(self, path: object) -> bool:
        """Return whether `path` is a column, or inside a column whose nested columns are not listed."""
        if path in self.paths:
            return True
        if not isinstance(path, str):
            return False
        ends = (end for end, char in enumerate(path) if char in ".[")
        outer = (path[:end] for end in islice(ends, _DEEPEST))
        return any(column in self.paths and column not in self._nested for column in outer)

    def has_all(self, paths: set[str]) -> bool:
        """Return whether all `paths` are columns."""
        return paths <= self.paths or all(path in self for path in paths)

    def similar(self, path: str) -> str | None:
        """Return the column that differs from `path` only by case and separators."""
        if self._by_normalized_name is None:
            self._by_normalized_name = {normalized(column): column for column in sorted(self.paths)}
        return self._by_normalized_name.get(normalized(path))

    def with_columns_of(self, other: Columns) -> Columns:
        """Return these columns and those of another schema facet of the same dataset."""
        both = Columns({})
        both.paths = self.paths | other.paths
        both._nested = self._nested | other._nested
        return both

    def _collect(self, fields: Any, prefix: str) -> None:
        if not isinstance(fields, list):
            return
        try:
            names = [field["name"] for field in fields]
            "".join(names)  # The fastest check that all names are strings: raises TypeError otherwise.
            self.has_duplicates = self.has_duplicates or len(set(names)) < len(names)
        except (KeyError, TypeError):  # Ignore invalid fields.
            fields = [it for it in fields if isinstance(it, dict) and isinstance(it.get("name"), str)]
            self._collect(fields, prefix)
            return
        self.paths.update([f"{prefix}{name}" for name in names] if prefix else names)
        for field in [field for field in fields if "fields" in field]:
            if field["fields"]:
                self._nested.add(f"{prefix}{field['name']}")
                self._collect(field["fields"], f"{prefix}{field['name']}.")


def columns_by_entity(document: Document) -> dict[str, Columns]:
    """Return the columns of each dataset that has a schema facet, by the dataset's pointer."""
    columns = {
        facet.entity.pointer: facet.cached(_columns)
        for facet in document.facets
        if facet.label.key == "schema" and facet.label.container == "DatasetFacets"
    }
    return {pointer: listed for pointer, listed in columns.items() if listed}


def _columns(facet: Facet) -> Columns:
    return Columns(facet.value)
