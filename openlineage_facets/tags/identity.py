"""The identity of a tag within a facet."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from openlineage_facets.base.errors.findings import EventError, Finding, describe
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.tags.tag import Tag
from openlineage_facets.tags.tag_input import TagsInput, tag_list

_log = redacting_logger("openlineage_facets.tags")

Entity: TypeAlias = Literal["run", "job", "dataset"]
"""What can have tags."""


def unique_tags(entity: Entity, tags: TagsInput) -> list[Tag]:
    """Return the tags without duplicates, in the order of their first occurrence.

    A tag is identified by key and source, on a dataset also by field. Of two tags with the same identity, the
    later one is kept; if their values differ, the loss is logged.

    Args:
        entity: What has the tags.
        tags: `Tag` objects, tokens such as "pii" and "team=dataos", or a mapping from key to value.

    Raises:
        EventError: An item is not a Tag, or a tag of a run or job has a field.
    """
    if entity not in get_args(Entity):
        raise EventError([Finding("/entity", "'run', 'job' or 'dataset'", describe(entity))])
    unique: dict[tuple[str, str | None, str | None], Tag] = {}
    for index, tag in enumerate(tag_list(tags)):
        if not isinstance(tag, Tag):
            raise EventError(
                [
                    Finding(
                        f"/tags/{index}",
                        "a Tag",
                        describe(tag),
                        "write Tag('pii'), 'pii' or 'team=dataos'",
                    )
                ]
            )
        if entity != "dataset" and tag.field is not None:
            raise EventError(
                [
                    Finding(
                        f"/tags/{index}/field",
                        f"a tag of a {entity} without a field",
                        describe(tag.field),
                        "only datasets have fields: tag the dataset, or omit `field`",
                    )
                ]
            )
        identity = (tag.key, tag.source, tag.field)
        earlier = unique.get(identity, tag)
        if earlier != tag:
            _log.warning("%r of a %s is replaced by a later tag with the same key: %r", earlier, entity, tag)
        unique[identity] = tag
    return list(unique.values())
