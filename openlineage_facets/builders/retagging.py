"""Replace the tags in tags facets, and keep everything else that the facets contain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from openlineage_facets.base.model.tombstones import is_deleted
from openlineage_facets.tags import Entity, Tag, TagsFacet, WireFormat, convert_tags, tags_facet


def retagged(
    entity: Entity,
    facets: Iterable[TagsFacet],
    tags: Iterable[Tag],
    wire_format: WireFormat,
    producer: str | None = None,
) -> TagsFacet:
    """Return a tags facet with other tags, and with the remaining content of facets.

    The content is their producer, schema URL and unknown fields, and the unknown fields of tags with the same
    key, source and field. Of several facets, the later ones take precedence. Tombstones have no content.

    Args:
        entity: What has the tags.
        facets: The facets whose content to keep.
        tags: All tags of the entity.
        wire_format: The wire format to return.
        producer: The producer if there are no facets. Default: the current producer.

    Raises:
        EventError: A tag is not valid on the entity, or a facet is not a tags facet.
    """
    replaced = tags_facet(entity, tags, wire_format, producer=producer)
    contents = [convert_tags(facet, wire_format) for facet in facets if not is_deleted(facet)]
    if not contents:
        return replaced
    merged: dict[str, Any] = {}
    items: dict[object, dict[str, Any]] = {}
    for facet in contents:
        wire = facet.to_dict()
        merged |= wire
        items |= {_identity(item): item for item in wire.get("tags", ())}
    merged["tags"] = [{**items.get(_identity(item), {}), **item} for item in replaced.to_dict()["tags"]]
    return type(contents[-1]).from_json(merged)


def _identity(item: dict[str, Any]) -> object:
    return item["key"], item.get("source"), item.get("field")
