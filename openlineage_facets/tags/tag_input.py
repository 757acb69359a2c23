"""The tags that functions accept: short forms are expanded, duplicates removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, Literal, TypeAlias, get_args

from openlineage_facets.base.errors.findings import EventError, Finding, describe
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.tags.tag import Tag
from openlineage_facets.tags.value import TagValue

TagsInput: TypeAlias = (
    Iterable[Tag] | list[str] | list[Tag | str] | tuple[Tag | str, ...] | Set[str] | Mapping[str, TagValue]
)
"""Tags: `Tag` objects, tokens such as "pii" and "team=dataos", or a mapping from key to value.

Not any iterable of strings, so that type checkers report a single string.
"""


def tag_list(tags: Any) -> list[Any]:
    """Return tags as `Tag` objects: tokens are parsed, and a mapping has a tag for each key.

    Items of other types are returned unchanged.

    Raises:
        EventError: A token or a value is invalid, or `tags` is a single tag.

    Example:
        >>> tag_list(["pii", "team=dataos"]) == tag_list({"pii": True, "team": "dataos"})
        True
    """
    if isinstance(tags, Mapping):
        if {"key", "value"} <= tags.keys() <= {"key", "value", "source", "field"}:
            raise _not_a_list("a single tag")
        return [Tag(key, value) for key, value in tags.items()]
    if isinstance(tags, (Tag, str, bytes)) or not isinstance(tags, Iterable):
        raise _not_a_list("a Tag" if isinstance(tags, Tag) else describe(tags))
    return [Tag.parse(tag) if isinstance(tag, str) else tag for tag in tags]


def _not_a_list(found: str) -> EventError:
    return EventError([Finding("/tags", "a list of tags", found, "wrap a single tag in a list")])


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
