"""The short forms in which tags can be passed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, TypeAlias

from openlineage_facets.base.errors.findings import EventError, Finding, describe
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
