"""The released and the proposed wire format of tags, and conversion between them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args, overload

from openlineage_facets.base.errors.findings import describe, invalid
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.model.tombstones import is_deleted
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.generated.tag import TagDatasetFacet, TagFacetFields, TagJobFacet, TagRunFacet
from openlineage_facets.generated.tags_dataset import TagsDatasetFacet, TagsDatasetFacetFields
from openlineage_facets.generated.tags_job import TagsJobFacet
from openlineage_facets.generated.tags_run import TagsRunFacet
from openlineage_facets.tags.tag import Entity, Tag, TagsInput, unchecked_tag, unique_tags
from openlineage_facets.tags.values import as_text, from_text

_log = redacting_logger("openlineage_facets.tags")

WireFormat: TypeAlias = Literal["released", "proposal"]
"""`released`: `TagsRunFacet` etc. with string values. `proposal`: `TagRunFacet` etc. with typed values."""

_RunFacet: TypeAlias = TagsRunFacet | TagRunFacet
_JobFacet: TypeAlias = TagsJobFacet | TagJobFacet
_DatasetFacet: TypeAlias = TagsDatasetFacet | TagDatasetFacet

TagsFacet: TypeAlias = _RunFacet | _JobFacet | _DatasetFacet
"""Any tags facet."""

_Run: TypeAlias = Literal["run"]
_Job: TypeAlias = Literal["job"]
_Dataset: TypeAlias = Literal["dataset"]
_Released: TypeAlias = Literal["released"]
_Proposal: TypeAlias = Literal["proposal"]
_Tags: TypeAlias = TagsInput
_Uri: TypeAlias = str | None

_CLASSES: dict[tuple[Entity, WireFormat], type[TagsFacet]] = {
    ("run", "released"): TagsRunFacet,
    ("run", "proposal"): TagRunFacet,
    ("job", "released"): TagsJobFacet,
    ("job", "proposal"): TagJobFacet,
    ("dataset", "released"): TagsDatasetFacet,
    ("dataset", "proposal"): TagDatasetFacet,
}


@overload
def tags_facet(
    entity: _Run, tags: _Tags, wire_format: _Released = ..., *, producer: _Uri = ...
) -> TagsRunFacet: ...
@overload
def tags_facet(entity: _Run, tags: _Tags, wire_format: _Proposal, *, producer: _Uri = ...) -> TagRunFacet: ...
@overload
def tags_facet(
    entity: _Job, tags: _Tags, wire_format: _Released = ..., *, producer: _Uri = ...
) -> TagsJobFacet: ...
@overload
def tags_facet(entity: _Job, tags: _Tags, wire_format: _Proposal, *, producer: _Uri = ...) -> TagJobFacet: ...
@overload
def tags_facet(
    entity: _Dataset, tags: _Tags, wire_format: _Released = ..., *, producer: _Uri = ...
) -> TagsDatasetFacet: ...
@overload
def tags_facet(
    entity: _Dataset, tags: _Tags, wire_format: _Proposal, *, producer: _Uri = ...
) -> TagDatasetFacet: ...
def tags_facet(
    entity: Entity, tags: TagsInput, wire_format: WireFormat = "released", *, producer: str | None = None
) -> TagsFacet:
    """Return the tags facet of a run, a job or a dataset.

    The facet is the complete set of tags: it replaces earlier ones, and an empty facet means no tags.
    Duplicate tags are removed (`unique_tags`).

    Args:
        entity: The kind of the facet.
        tags: All tags of the entity.
        wire_format: `released` writes values as strings, numbers and booleans as JSON; `proposal` writes
            typed values.
        producer: The producer of the facet. Default: the current producer.

    Raises:
        EventError: An item is not a Tag, or a tag of a run or job has a field.

    Example:
        >>> tags_facet("dataset", [Tag("pii", field="email")]).tags[0].to_dict()
        {'key': 'pii', 'value': 'true', 'field': 'email'}
    """
    known = unique_tags(entity, tags)
    facet_class: Any = _facet_class(entity, wire_format)
    facet: TagsFacet = facet_class(tags=[_wire(tag, wire_format) for tag in known], producer=producer)
    return facet


def tags_of(facet: TagsFacet | None, *, typed: bool = False) -> list[Tag]:
    """Return the tags of a facet in either wire format, an empty list for None and tombstones.

    Args:
        facet: A tags facet, such as `run.facets.tags`.
        typed: Convert strings such as "true" and "20" to booleans and numbers. By default strings stay
            strings, because "20" may have been a string originally.

    Example:
        >>> facet = tags_facet("run", [Tag("pii")])
        >>> tags_of(facet), tags_of(facet, typed=True)
        ([Tag('pii', 'true')], [Tag('pii', True)])
    """
    if facet is None or _is_tombstone(facet):
        return []
    _entity_of(facet)
    tags = []
    for item in facet.tags or ():
        value = from_text(item.value) if typed and isinstance(item.value, str) else item.value
        # Released run and job tags have no field; `field` is an unknown field there.
        field = item.field if isinstance(item, (TagsDatasetFacetFields, TagFacetFields)) else None
        tags.append(unchecked_tag(item.key, value, item.source, field))
    return tags


@overload
def convert_tags(facet: _RunFacet, wire_format: _Released, *, typed: bool = ...) -> TagsRunFacet: ...
@overload
def convert_tags(facet: _RunFacet, wire_format: _Proposal, *, typed: bool = ...) -> TagRunFacet: ...
@overload
def convert_tags(facet: _JobFacet, wire_format: _Released, *, typed: bool = ...) -> TagsJobFacet: ...
@overload
def convert_tags(facet: _JobFacet, wire_format: _Proposal, *, typed: bool = ...) -> TagJobFacet: ...
@overload
def convert_tags(facet: _DatasetFacet, wire_format: _Released, *, typed: bool = ...) -> TagsDatasetFacet: ...
@overload
def convert_tags(facet: _DatasetFacet, wire_format: _Proposal, *, typed: bool = ...) -> TagDatasetFacet: ...
def convert_tags(facet: TagsFacet, wire_format: WireFormat, *, typed: bool = False) -> TagsFacet:
    """Convert a tags facet to a wire format. A facet that already has it is returned unchanged.

    Producer, order, unknown fields and `_deleted` are preserved. A parsed tombstone is returned unchanged.
    Converting to the released format and back preserves string values. Other data:

    - Booleans and numbers become strings. Converting back with `typed=True` restores them, but also converts
      strings that look like them ("true", "20").
    - The `field` of a tag on a run or job does not exist in the released format. It is removed in both
      directions, and logged.

    Args:
        facet: A tags facet.
        wire_format: The wire format to return.
        typed: When converting to the proposal, convert strings like `tags_of(..., typed=True)`.
    """
    if _is_tombstone(facet) and not isinstance(facet, tuple(_CLASSES.values())):
        return facet
    entity = _entity_of(facet)
    facet_class = _facet_class(entity, wire_format)
    if isinstance(facet, facet_class):
        return facet
    wire = facet.to_dict()
    wire["_schemaURL"] = facet_class.__schema_url__
    for item in wire.get("tags", ()):
        if wire_format == "released":
            item["value"] = as_text(item["value"])
        elif typed:
            item["value"] = from_text(item["value"])
        if entity != "dataset" and "field" in item:
            field = item.pop("field")
            _log.warning(
                "tag %r of a %s: field %r is removed: only datasets have fields", item["key"], entity, field
            )
    return facet_class.from_json(wire)


def _is_tombstone(facet: object) -> bool:
    """Return whether a facet is a tombstone. Parsed tombstones have none of the tags classes."""
    return isinstance(facet, FacetModel) and is_deleted(facet)


def _wire(tag: Tag, wire_format: WireFormat) -> dict[str, Any]:
    value = tag.value if wire_format == "proposal" else as_text(tag.value)
    item = {"key": tag.key, "value": value, "source": tag.source, "field": tag.field}
    return {name: part for name, part in item.items() if part is not None}


def _facet_class(entity: Entity, wire_format: WireFormat) -> type[TagsFacet]:
    if wire_format not in get_args(WireFormat):
        raise invalid("/wire_format", "'released' or 'proposal'", describe(wire_format))
    return _CLASSES[entity, wire_format]


def _entity_of(facet: TagsFacet) -> Entity:
    for (entity, _), facet_class in _CLASSES.items():
        if isinstance(facet, facet_class):
            return entity
    raise invalid(
        "/facet",
        "a tags facet",
        describe(facet),
        "pass the facet stored under `tags`, such as run.facets.tags",
    )
