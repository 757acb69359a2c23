"""What makes a tag one of its kind within a facet."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.tags.tag import Tag

__all__ = ["Entity", "unique_tags"]

_log = logging.getLogger("openlineage_facets.tags")

Entity: TypeAlias = Literal["run", "job", "dataset"]
"""What may carry tags."""


def unique_tags(entity: Entity, tags: Iterable[Tag]) -> list[Tag]:
    """Return the tags that an entity can carry together, in the order of their first mention.

    Key and source, and on a dataset the field as well, occur once in a facet. Of two tags that share
    them the later one holds; where that loses a value, it is logged.

    Args:
        entity: What carries the tags.
        tags: The tags.

    Raises:
        EventError: Something is no tag, or a tag of a run or a job names a field, which only a dataset
            has.
    """
    if entity not in get_args(Entity):
        raise EventError([Finding("/entity", "'run', 'job' or 'dataset'", shown(entity))])
    if isinstance(tags, (Tag, str)) or not isinstance(tags, Iterable):
        raise EventError(
            [Finding("/tags", "a list of tags", _described(tags), "wrap a single tag in a list")]
        )
    unique: dict[tuple[str, str | None, str | None], Tag] = {}
    for place, tag in enumerate(tags):
        if not isinstance(tag, Tag):
            raise EventError(
                [
                    Finding(
                        f"/tags/{place}",
                        "a Tag",
                        _described(tag),
                        "write Tag('pii') or Tag.parse('team=dataos')",
                    )
                ]
            )
        if entity != "dataset" and tag.field is not None:
            raise EventError(
                [
                    Finding(
                        f"/tags/{place}/field",
                        f"no field on a tag of a {entity}",
                        shown(tag.field),
                        "tag the dataset that has the field, or leave `field` out",
                    )
                ]
            )
        identity = (tag.key, tag.source, tag.field)
        earlier = unique.get(identity, tag)
        if earlier != tag:
            _log.warning("%r of a %s is lost to a later tag of the same key: %r", earlier, entity, tag)
        unique[identity] = tag
    return list(unique.values())


def _described(value: object) -> str:
    return "a Tag" if isinstance(value, Tag) else shown(value)
