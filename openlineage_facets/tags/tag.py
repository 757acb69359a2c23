"""The Tag class, and the tags that functions accept: short forms are expanded, duplicates removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from openlineage_facets.base.errors.findings import EventError, Finding, describe, invalid
from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.tags.values import (
    TagValue,
    checked_text,
    checked_value,
    collecting,
    flattened,
    split_token,
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tag:
    """A label on a run, a job, a dataset or a field of a dataset.

    Tags are compared by their JSON values: `true` and `1` differ, `1` and `1.0` are equal.

    Args:
        key: Name of the tag, unchanged from its origin if possible.
        value: A string, a finite number or a boolean. Default: True, for a tag without a value.
        source: The origin of the tag, such as `USER`, `INTEGRATION`, `DBT CORE` or `SPARK`.
        field: The field of the dataset. Default: None, the whole dataset.

    Raises:
        EventError: The key is empty, or an argument has an invalid type.

    Example:
        >>> Tag("visibility", "public", source="SNOWFLAKE", field="job_title")
        Tag('visibility', 'public', source='SNOWFLAKE', field='job_title')
    """

    __composed_by__: ClassVar[str] = 'tags_facet("job", [...]) composes a facet from tags'
    """Hint of the error when a tag is passed to the class of a facet."""

    key: str
    value: TagValue = True
    source: str | None = None
    field: str | None = None

    def __post_init__(self) -> None:
        findings: list[Finding] = []
        for name in ("key", "value", "source", "field"):
            with collecting(findings):
                object.__setattr__(self, name, _checked(name, getattr(self, name)))
        if findings:
            raise EventError(findings)

    @classmethod
    def parse(cls, token: str, source: str | None = None, field: str | None = None) -> Tag:
        """Parse a token, the format of tags in schedulers and on command lines.

        `pii` is a key with the value True; `team=dataos` is a key and its value, split at the first `=`.
        Surrounding whitespace is stripped. A value after `=` is always a string: `a=1` has the value "1",
        `a=` an empty string.

        Raises:
            EventError: The token has no key.

        Example:
            >>> Tag.parse("team = dataos", source="AIRFLOW")
            Tag('team', 'dataos', source='AIRFLOW')
        """
        key, value = split_token(token, "/key")
        return cls(key, value, source, field)

    @classmethod
    def flatten(
        cls, metadata: Mapping[str, Any] | Sequence[Any], source: str | None = None, field: str | None = None
    ) -> list[Tag]:
        """Return a tag for each value in nested metadata, such as dbt's `meta`.

        The key consists of the unchanged names of all levels, joined with `_`. Values:

        - Strings, numbers and booleans keep their type.
        - None, empty objects and empty lists are skipped.
        - Each item of a list is a token for `parse`: `{"tags": ["pii", "team=dataos"]}` returns the tags
          `tags_pii` (True) and `tags_team` ("dataos"); `["pii"]` returns `pii`. Numbers and booleans in a
          list are tokens in their JSON form.
        - The items of a nested list belong to the outer list.
        - An object in a list adds its index: `{"owners": [{"name": "ana"}]}` returns `owners_0_name`.
        - Names that are numbers or booleans, as in YAML, are used in their JSON form.

        If two values have the same key, the later one is kept and the loss is logged.

        Args:
            metadata: An object, or a list of tokens and objects.
            source: The source of every tag.
            field: The dataset field of every tag.

        Raises:
            EventError: A value has another type (such as a date), is not finite, or is nested more than
                64 levels.

        Example:
            >>> Tag.flatten({"meta": {"nr_config": {"team": "Order Management"}}}, source="DBT")
            [Tag('meta_nr_config_team', 'Order Management', source='DBT')]
        """
        return [cls(key, value, source, field) for key, value in flattened(metadata).items()]

    def __eq__(self, other: object) -> bool:
        return self._compared() == other._compared() if isinstance(other, Tag) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[object, ...]:
        return self.key, isinstance(self.value, bool), self.value, self.source, self.field

    def __repr__(self) -> str:
        from openlineage_facets.base.display.short_values import redacted_items  # Composing needs none.

        names = ("key", "value", "source", "field")
        shown = dict(redacted_items((name, getattr(self, name)) for name in names))
        named = [f", {name}={shown[name]!r}" for name in names[2:] if shown[name] is not None]
        return f"Tag({shown['key']!r}, {shown['value']!r}{''.join(named)})"


def unchecked_tag(key: str, value: TagValue, source: str | None, field: str | None) -> Tag:
    """Return a tag of a valid facet without checks. The schema allows an empty key."""
    tag = Tag.__new__(Tag)
    for name, attribute in (("key", key), ("value", value), ("source", source), ("field", field)):
        object.__setattr__(tag, name, attribute)
    return tag


def _checked(name: str, argument: object) -> object:
    pointer = f"/{name}"
    if name == "value":
        return checked_value(argument, pointer)
    if name != "key" and argument is None:
        return None
    if not isinstance(argument, str):
        expected = "a string" if name == "key" else "a string or None"
        raise invalid(pointer, expected, describe(argument), f"pass the {name} as a string")
    if name == "key" and not argument.strip():
        raise invalid(pointer, "a non-empty key", describe(argument), "pass a key, such as Tag('pii')")
    return checked_text(argument, pointer)


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
    return invalid("/tags", "a list of tags", found, "wrap a single tag in a list")


_log = redacting_logger("openlineage_facets.tags")

Entity: TypeAlias = Literal["run", "job", "dataset"]
"""What can have tags."""


TagIdentity: TypeAlias = tuple[str, str | None, str | None]
"""Key, source and field of a tag."""


def identity_of(tag: Tag) -> TagIdentity:
    """Return what two tags of one entity must not have in common."""
    return tag.key, tag.source, tag.field


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
        raise invalid("/entity", "'run', 'job' or 'dataset'", describe(entity))
    unique: dict[TagIdentity, Tag] = {}
    for index, tag in enumerate(tag_list(tags)):
        if not isinstance(tag, Tag):
            raise invalid(
                f"/tags/{index}", "a Tag", describe(tag), "write Tag('pii'), 'pii' or 'team=dataos'"
            )
        if entity != "dataset" and tag.field is not None:
            raise invalid(
                f"/tags/{index}/field",
                f"a tag of a {entity} without a field",
                describe(tag.field),
                "only datasets have fields: tag the dataset, or omit `field`",
            )
        identity = identity_of(tag)
        earlier = unique.get(identity, tag)
        if earlier != tag:
            _log.warning("%r of a %s is replaced by a later tag with the same key: %r", earlier, entity, tag)
        unique[identity] = tag
    return list(unique.values())
