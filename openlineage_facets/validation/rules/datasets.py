"""Rules for duplicate datasets and columns, and for those that column lineage refers to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeAlias

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.errors.name_suggestions import normalized
from openlineage_facets.validation.event_document import DatasetName, Document, Entity, Facet, objects_in
from openlineage_facets.validation.rule import rule

_DEEPEST = 64
"""Maximum depth of nested columns in a path."""

_Steps: TypeAlias = "tuple[str | int, ...]"


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


@rule("OL307", "Duplicate dataset", see="https://openlineage.io/docs/spec/object-model")
def dataset_twice(document: Document) -> Iterator[Finding]:
    """A dataset is identified by namespace and name. It may be both an input and an output, but each list
    contains it once. If a list contains it twice, consumers keep the facets of either one.

    Merge the facets into one dataset. Two entries with different `subset` facets are valid.
    """
    known: dict[tuple[str, DatasetName], dict[str | None, str]] = {}
    for entity in document.entities:
        identity = entity.identity if entity.kind in ("input", "output") else None
        if identity is None:
            continue
        facets = entity.value.get(f"{entity.kind}Facets")
        subset = facets.get("subset") if isinstance(facets, dict) else None
        part = None if subset is None else json.dumps(subset, sort_keys=True)
        earlier = known.setdefault((entity.kind, identity), {})
        # Without a subset, an entry is the whole dataset, which contains all subsets.
        overlapping = earlier if part is None else (part, None)
        pointer = next((earlier[other] for other in overlapping if other in earlier), None)
        earlier.setdefault(part, entity.pointer)
        if pointer is not None:
            yield Finding(
                entity.pointer,
                f"each dataset once among the {entity.kind}s",
                f"{describe(identity.name)} again, as in {pointer}",
                "merge the facets into one dataset",
            )


@rule("OL308", "Duplicate column", see="https://openlineage.io/docs/spec/facets/dataset-facets/schema")
def column_twice(document: Document) -> Iterator[Finding]:
    """A schema facet lists each column once. If two columns have the same name, consumers keep either one,
    and column lineage is ambiguous.
    """
    columns = document.cached(columns_by_entity)
    for entity in document.entities:
        if entity.pointer in columns and columns[entity.pointer].has_duplicates:
            for steps, name in _duplicates(entity.facet("schema"), ()):
                pointer = f"{entity.pointer}/facets/schema{json_pointer(steps)}"
                yield Finding(pointer, "each column once", f"{describe(name)} again")


def _duplicates(holder: dict[str, Any], steps: _Steps) -> Iterator[tuple[_Steps, str]]:
    """Yield location and name of each column with the same name as an earlier one on its level."""
    seen: set[str] = set()
    for index, field in objects_in(holder, "fields"):
        name = field.get("name")
        if isinstance(name, str):
            if name in seen:
                yield (*steps, "fields", index, "name"), name
            seen.add(name)
            yield from _duplicates(field, (*steps, "fields", index))


_SEE = "https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet"
_KEY = "columnLineage"


@rule("OL303", "Column lineage refers to a dataset that is not in the event", see=_SEE)
def lineage_dataset(document: Document) -> Iterator[Finding]:
    """Column lineage refers to an input dataset by namespace and name. No dataset of the event has this name,
    neither directly nor through a symlink, so consumers cannot connect the edge.

    Add the dataset to `inputs`, or use the same namespace and name in both. Events without any inputs are not
    checked, since an earlier event of the run may have listed them.
    """
    lineages = document.cached(_lineages)
    if not lineages or not document.inputs:
        return
    known = {name for dataset in document.datasets for name in _names(dataset)}
    for lineage in lineages:
        if known.issuperset(lineage.columns):
            continue
        for steps, item in lineage.input_fields():
            name = _identity(item)
            if name is not None and name not in known:
                yield Finding(
                    lineage.pointer(*steps),
                    "a dataset of this event",
                    describe(f"{name[0]} {name[1]}"),
                    "add it to 'inputs', or use the same namespace and name as there",
                )


@rule("OL304", "Column lineage refers to an unknown input column", see=_SEE)
def lineage_input_column(document: Document) -> Iterator[Finding]:
    """Column lineage refers to a column of an input dataset. The schema facet of that input, in the same
    event, does not list the column. Names are case-sensitive.

    Use the name of the schema facet, or add the column to it.
    """
    lineages = document.cached(_lineages)
    listed = document.cached(columns_by_entity) if lineages else {}
    columns: dict[tuple[str, str], Columns] = {}
    for dataset in document.inputs if listed else ():
        if dataset.pointer in listed:
            for name in _names(dataset):
                own = listed[dataset.pointer]
                columns[name] = columns[name].with_columns_of(own) if name in columns else own
    for lineage in lineages:
        if all(name not in columns or columns[name].has_all(used) for name, used in lineage.columns.items()):
            continue
        for steps, item in lineage.input_fields():
            known = columns.get(_identity(item) or ("", ""))
            field = item.get("field")
            if known is not None and isinstance(field, str) and field not in known:
                yield Finding(
                    lineage.pointer(*steps, "field"),
                    "a column of the input's schema facet",
                    describe(field),
                    _did_you_mean(field, known),
                )


@rule("OL305", "Column lineage describes an unknown output column", see=_SEE)
def lineage_output_column(document: Document) -> Iterator[Finding]:
    """Each key of `fields` in a column lineage facet is a column of the dataset that has the facet. The
    schema facet of the dataset does not list this column.

    Use the name of the schema facet, or add the column to it.
    """
    for lineage in document.cached(_lineages):
        known = document.cached(columns_by_entity).get(lineage.dataset.pointer)
        if known is None or known.paths.issuperset(lineage.fields):
            continue
        for field in lineage.fields:
            if field not in known:
                yield Finding(
                    lineage.pointer("fields", field),
                    "a column of the schema facet",
                    describe(field),
                    _did_you_mean(field, known),
                )


class _Lineage:
    """The column lineage of one dataset."""

    def __init__(self, facet: Facet) -> None:
        self.dataset = facet.entity
        self.fields = _fields(facet)
        self.columns = facet.cached(_referenced_columns)
        self._facet = facet

    def pointer(self, *steps: str | int) -> str:
        """Return the JSON Pointer to the value at `steps` of the facet."""
        return f"{self.dataset.pointer}/facets/{_KEY}{json_pointer(steps)}"

    def input_fields(self) -> Iterator[tuple[_Steps, dict[str, Any]]]:
        """Return each reference to an input column, with the steps to it."""
        return _input_fields(self._facet)


def _lineages(document: Document) -> list[_Lineage]:
    """Return the column lineage of each output, and of the dataset of a dataset event."""
    return [
        _Lineage(facet)
        for facet in document.facets
        if facet.label.key == _KEY
        and facet.field == "facets"
        and facet.entity.kind in ("output", "dataset")
        and not facet.label.deleted
    ]


def _fields(facet: Facet) -> dict[str, Any]:
    fields = facet.value.get("fields")
    return fields if isinstance(fields, dict) else {}


def _input_fields(facet: Facet) -> Iterator[tuple[_Steps, dict[str, Any]]]:
    """Yield each reference to an input column, with the steps to it."""
    for field, sources in _fields(facet).items():
        # Without `objects_in`, since a facet may have a thousand fields.
        items = sources.get("inputFields") if isinstance(sources, dict) else None
        for index, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict):
                yield ("fields", field, "inputFields", index), item
    for index, item in objects_in(facet.value, "dataset"):
        yield ("dataset", index), item


def _referenced_columns(facet: Facet) -> dict[tuple[str, str], set[str]]:
    """Return the referenced columns by dataset."""
    columns: dict[tuple[str, str], set[str]] = {}
    for _, item in _input_fields(facet):
        name, field = _identity(item), item.get("field")
        if name is not None:
            columns.setdefault(name, set()).update([field] if isinstance(field, str) else [])
    return columns


def _identity(item: dict[str, Any]) -> tuple[str, str] | None:
    namespace, name = item.get("namespace"), item.get("name")
    return (namespace, name) if isinstance(namespace, str) and isinstance(name, str) else None


def _names(dataset: Entity) -> list[tuple[str, str]]:
    """Return the names of a dataset: its own, and those of its symlinks."""
    symlinks = objects_in(dataset.facet("symlinks"), "identifiers")
    names = [dataset.identity, *[_identity(symlink) for _, symlink in symlinks]]
    return [name for name in names if name is not None]


def _did_you_mean(field: str, known: Columns) -> str:
    similar = known.similar(field)
    return f"did you mean {describe(similar)}?" if similar is not None else ""
