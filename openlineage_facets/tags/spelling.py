"""Tags on the wire: the released spelling, the proposal's, and the way between them."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, get_args, overload

from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.base.slots import is_deleted
from openlineage_facets.generated.tag import TagDatasetFacet, TagFacetFields, TagJobFacet, TagRunFacet
from openlineage_facets.generated.tags_dataset import TagsDatasetFacet, TagsDatasetFacetFields
from openlineage_facets.generated.tags_job import TagsJobFacet
from openlineage_facets.generated.tags_run import TagsRunFacet
from openlineage_facets.tags.identity import Entity, unique_tags
from openlineage_facets.tags.tag import Tag, tag_as_read
from openlineage_facets.tags.value import as_text, from_text

__all__ = ["Spelling", "TagsFacet", "convert_tags", "tags_facet", "tags_of"]

_log = logging.getLogger("openlineage_facets.tags")

Spelling: TypeAlias = Literal["released", "proposal"]
"""`released`: `TagsRunFacet` and its like, values as text. `proposal`: `TagRunFacet` and its like, typed."""

_RunFacet: TypeAlias = TagsRunFacet | TagRunFacet
_JobFacet: TypeAlias = TagsJobFacet | TagJobFacet
_DatasetFacet: TypeAlias = TagsDatasetFacet | TagDatasetFacet

TagsFacet: TypeAlias = _RunFacet | _JobFacet | _DatasetFacet
"""Any facet that holds tags."""

_Run: TypeAlias = Literal["run"]
_Job: TypeAlias = Literal["job"]
_Dataset: TypeAlias = Literal["dataset"]
_Released: TypeAlias = Literal["released"]
_Proposal: TypeAlias = Literal["proposal"]
_Tags: TypeAlias = Iterable[Tag]
_Uri: TypeAlias = str | None

_CLASSES: dict[tuple[Entity, Spelling], type[TagsFacet]] = {
    ("run", "released"): TagsRunFacet,
    ("run", "proposal"): TagRunFacet,
    ("job", "released"): TagsJobFacet,
    ("job", "proposal"): TagJobFacet,
    ("dataset", "released"): TagsDatasetFacet,
    ("dataset", "proposal"): TagDatasetFacet,
}


@overload
def tags_facet(
    entity: _Run, tags: _Tags, spelling: _Released = ..., *, producer: _Uri = ...
) -> TagsRunFacet: ...
@overload
def tags_facet(entity: _Run, tags: _Tags, spelling: _Proposal, *, producer: _Uri = ...) -> TagRunFacet: ...
@overload
def tags_facet(
    entity: _Job, tags: _Tags, spelling: _Released = ..., *, producer: _Uri = ...
) -> TagsJobFacet: ...
@overload
def tags_facet(entity: _Job, tags: _Tags, spelling: _Proposal, *, producer: _Uri = ...) -> TagJobFacet: ...
@overload
def tags_facet(
    entity: _Dataset, tags: _Tags, spelling: _Released = ..., *, producer: _Uri = ...
) -> TagsDatasetFacet: ...
@overload
def tags_facet(
    entity: _Dataset, tags: _Tags, spelling: _Proposal, *, producer: _Uri = ...
) -> TagDatasetFacet: ...
def tags_facet(
    entity: Entity, tags: Iterable[Tag], spelling: Spelling = "released", *, producer: str | None = None
) -> TagsFacet:
    """Return the facet that puts tags on a run, a job or a dataset.

    The facet is the complete set: a reader takes an empty one for "no tags", and forgets earlier ones.
    Tags that share their identity are one (`unique_tags`).

    Args:
        entity: What the facet is for.
        tags: Every tag of the entity.
        spelling: `released` writes values as text, booleans as "true" and "false" and numbers as JSON
            spells them; `proposal` writes them typed.
        producer: The facet's producer; None takes the one in force.

    Raises:
        EventError: Something is no tag, or a tag of a run or a job names a field.

    Example:
        >>> tags_facet("dataset", [Tag("pii", field="email")]).to_dict()["tags"]
        [{'key': 'pii', 'value': 'true', 'field': 'email'}]
    """
    known = unique_tags(entity, tags)
    facet_class: Any = _facet_class(entity, spelling)
    facet: TagsFacet = facet_class(tags=[_wire(tag, spelling) for tag in known], producer=producer)
    return facet


def tags_of(facet: TagsFacet | None, *, typed: bool = False) -> list[Tag]:
    """Return the tags that a facet holds, in either spelling; none for None and for a deleted facet.

    Args:
        facet: A tags facet, as `run.facets.tags` gives it.
        typed: Read text that spells a boolean or a number as the released spelling writes it ("true",
            "20") as that boolean or number. Left out, text is text: nobody knows whether "20" was a
            number once.

    Example:
        >>> facet = tags_facet("run", [Tag("pii")])
        >>> tags_of(facet), tags_of(facet, typed=True)
        ([Tag('pii', 'true')], [Tag('pii', True)])
    """
    if facet is None or _is_tombstone(facet):
        return []
    _entity_of(facet)
    tags = []
    for row in facet.tags or ():
        value = from_text(row.value) if typed and isinstance(row.value, str) else row.value
        # A released run or job tag declares no field; what stands there under that name is unknown data.
        field = row.field if isinstance(row, (TagsDatasetFacetFields, TagFacetFields)) else None
        tags.append(tag_as_read(row.key, value, row.source, field))
    return tags


@overload
def convert_tags(facet: _RunFacet, spelling: _Released, *, typed: bool = ...) -> TagsRunFacet: ...
@overload
def convert_tags(facet: _RunFacet, spelling: _Proposal, *, typed: bool = ...) -> TagRunFacet: ...
@overload
def convert_tags(facet: _JobFacet, spelling: _Released, *, typed: bool = ...) -> TagsJobFacet: ...
@overload
def convert_tags(facet: _JobFacet, spelling: _Proposal, *, typed: bool = ...) -> TagJobFacet: ...
@overload
def convert_tags(facet: _DatasetFacet, spelling: _Released, *, typed: bool = ...) -> TagsDatasetFacet: ...
@overload
def convert_tags(facet: _DatasetFacet, spelling: _Proposal, *, typed: bool = ...) -> TagDatasetFacet: ...
def convert_tags(facet: TagsFacet, spelling: Spelling, *, typed: bool = False) -> TagsFacet:
    """Return a tags facet of the same entity in another spelling; as it is where it has that one.

    Producer, order, unknown fields and `_deleted` stay; a deleted facet as it was read, which is of no class
    that holds tags, stays as it is. From the proposal to the released spelling and back nothing is lost of
    text values. Of the rest:

    - booleans and numbers become text, and stay text on the way back unless `typed` says to read what
      looks like them: then they come back, and so does text that always looked so ("true", "20");
    - `field` on a tag of a run or a job has no place in the released spelling, so it is dropped on
      either way, with a line in the log.

    Args:
        facet: A tags facet.
        spelling: The spelling to return.
        typed: Towards the proposal, read text as `tags_of(..., typed=True)` does.
    """
    if _is_tombstone(facet) and not isinstance(facet, tuple(_CLASSES.values())):
        return facet
    entity = _entity_of(facet)
    facet_class = _facet_class(entity, spelling)
    if isinstance(facet, facet_class):
        return facet
    wire = facet.to_dict()
    wire["_schemaURL"] = facet_class.__schema_url__
    for row in wire.get("tags", ()):
        if spelling == "released":
            row["value"] = as_text(row["value"])
        elif typed:
            row["value"] = from_text(row["value"])
        if entity != "dataset" and "field" in row:
            field = row.pop("field")
            _log.warning(
                "tag %r of a %s: field %r is dropped: only a dataset has fields", row["key"], entity, field
            )
    return facet_class.from_json(wire)


def _is_tombstone(facet: object) -> bool:
    """Tell whether a facet is deleted; read from the wire, it then is of no class that holds tags."""
    return isinstance(facet, FacetModel) and is_deleted(facet)


def _wire(tag: Tag, spelling: Spelling) -> dict[str, Any]:
    row: dict[str, Any] = {
        "key": tag.key,
        "value": tag.value if spelling == "proposal" else as_text(tag.value),
    }
    if tag.source is not None:
        row["source"] = tag.source
    if tag.field is not None:
        row["field"] = tag.field
    return row


def _facet_class(entity: Entity, spelling: Spelling) -> type[TagsFacet]:
    if spelling not in get_args(Spelling):
        raise EventError([Finding("/spelling", "'released' or 'proposal'", shown(spelling))])
    return _CLASSES[entity, spelling]


def _entity_of(facet: TagsFacet) -> Entity:
    for (entity, _), facet_class in _CLASSES.items():
        if isinstance(facet, facet_class):
            return entity
    raise EventError(
        [
            Finding(
                "/facet", "a tags facet", shown(facet), "give what stands under the key `tags` of the entity"
            )
        ]
    )
