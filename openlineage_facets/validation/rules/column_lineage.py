"""Column lineage, and the datasets and columns it names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from openlineage_facets.base.errors import Finding, json_pointer, shown
from openlineage_facets.validation.columns import Columns, columns_by_entity
from openlineage_facets.validation.document import Document, Entity
from openlineage_facets.validation.rule import rule

_SEE = "https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet"
_KEY = "columnLineage"

_Steps: TypeAlias = "tuple[str | int, ...]"

_NOTHING = Entity("input", "", {})


@rule("OL303", "Column lineage names a dataset that the event does not have", see=_SEE)
def lineage_dataset(document: Document) -> Iterator[Finding]:
    """Column lineage says from which columns of which inputs a column comes. Here it names a dataset that
    is none of the event's datasets, by namespace and name or by a symlink: an edge that starts nowhere.

    Either the input is missing from `inputs`, or it is spelled in two ways. Events that list no inputs at
    all are passed over, since an earlier event of the run may have told of them.
    """
    lineages = document.once(_lineages)
    if not lineages or not document.inputs:
        return
    known = {name for entity in document.entities if entity.is_dataset for name in _names(entity)}
    for lineage in lineages:
        if known.issuperset(lineage.columns):
            continue
        for steps, item in lineage.input_fields():
            name = _identity(item)
            if name is not None and name not in known:
                yield Finding(
                    lineage.pointer(*steps),
                    "a dataset of this event",
                    shown(f"{name[0]} {name[1]}"),
                    "add it to 'inputs', or spell it as it is spelled there",
                )


@rule("OL304", "Column lineage names a column that the input does not have", see=_SEE)
def lineage_input_column(document: Document) -> Iterator[Finding]:
    """Column lineage names a column of an input; the schema facet of that input, in the same event, lists its
    columns, and this one is not among them. Readers join the two by name, letter by letter.
    """
    lineages = document.once(_lineages)
    listed = document.once(columns_by_entity) if lineages else {}
    columns: dict[tuple[str, str], Columns] = {}
    for dataset in document.inputs if listed else ():
        if dataset.pointer in listed:
            for name in _names(dataset):
                columns.setdefault(name, Columns(_NOTHING)).add(listed[dataset.pointer])
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
                    shown(field),
                    _did_you_mean(field, known),
                )


@rule("OL305", "Column lineage is about a column that the output does not have", see=_SEE)
def lineage_output_column(document: Document) -> Iterator[Finding]:
    """Each key of `fields` in a column lineage facet is a column of the dataset that carries the facet.
    The schema facet beside it lists the columns, and this one is not among them.
    """
    for lineage in document.once(_lineages):
        known = document.once(columns_by_entity).get(lineage.dataset.pointer)
        if known is None or known.paths.issuperset(lineage.fields):
            continue
        for field in lineage.fields:
            if field not in known:
                yield Finding(
                    lineage.pointer("fields", field),
                    "a column of the schema facet",
                    shown(field),
                    _did_you_mean(field, known),
                )


class _Lineage:
    """The column lineage of one dataset."""

    def __init__(self, dataset: Entity, facet: dict[str, Any]) -> None:
        self.dataset = dataset
        fields, items = facet.get("fields"), facet.get("dataset")
        self.fields: dict[str, Any] = fields if isinstance(fields, dict) else {}
        self._of_dataset: list[Any] = items if isinstance(items, list) else []
        self.columns = self._columns()

    def pointer(self, *steps: str | int) -> str:
        """Return the JSON Pointer to what `steps` lead to from the facet."""
        return f"{self.dataset.pointer}/facets/{_KEY}{json_pointer(steps)}"

    def input_fields(self) -> Iterator[tuple[_Steps, dict[str, Any]]]:
        """Yield each input column that is named, with the steps to it."""
        for field, sources in self.fields.items():
            items = sources.get("inputFields") if isinstance(sources, dict) else None
            for index, item in enumerate(items if isinstance(items, list) else ()):
                if isinstance(item, dict):
                    yield ("fields", field, "inputFields", index), item
        for index, item in enumerate(self._of_dataset):
            if isinstance(item, dict):
                yield ("dataset", index), item

    def _columns(self) -> dict[tuple[str, str], set[str]]:
        """Return the columns named of each dataset; enough to see that all is well, as it mostly is."""
        columns: dict[tuple[str, str], set[str]] = {}
        try:
            items = [item for sources in self.fields.values() for item in sources["inputFields"]]
            for item in items + self._of_dataset:
                columns.setdefault((item["namespace"], item["name"]), set()).add(item["field"])
        except (KeyError, TypeError):  # Not as the schema says: pass over what is wrong, piece by piece.
            columns = {}
            for _, item in self.input_fields():
                name, field = _identity(item), item.get("field")
                if name is not None:
                    columns.setdefault(name, set()).update([field] if isinstance(field, str) else [])
        return columns


def _lineages(document: Document) -> list[_Lineage]:
    """Return the column lineage of each output, and of a dataset that is described alone."""
    found = []
    for entity in document.entities:
        if entity.kind in ("output", "dataset"):
            facet = entity.facet(_KEY)
            if facet:
                found.append(_Lineage(entity, facet))
    return found


def _identity(item: dict[str, Any]) -> tuple[str, str] | None:
    namespace, name = item.get("namespace"), item.get("name")
    return (namespace, name) if isinstance(namespace, str) and isinstance(name, str) else None


def _names(entity: Entity) -> Iterator[tuple[str, str]]:
    """Yield the names of a dataset: its own, and those its symlinks give it."""
    own = _identity(entity.value)
    if own is not None:
        yield own
    identifiers = entity.facet("symlinks").get("identifiers")
    for identifier in identifiers if isinstance(identifiers, list) else ():
        name = _identity(identifier) if isinstance(identifier, dict) else None
        if name is not None:
            yield name


def _did_you_mean(field: str, known: Columns) -> str:
    likely = known.likely(field)
    return f"did you mean {shown(likely)}?" if likely is not None else ""
