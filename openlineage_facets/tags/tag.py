"""The Tag class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from openlineage_facets.base.errors.findings import EventError, Finding, describe
from openlineage_facets.tags.metadata import flattened, split_token
from openlineage_facets.tags.value import TagValue, checked_text, checked_value


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
            argument: object = getattr(self, name)
            try:
                object.__setattr__(self, name, _checked(name, argument))
            except EventError as error:
                findings.extend(error.findings)
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
        cls,
        metadata: Mapping[str, Any] | Sequence[Any],
        source: str | None = None,
        field: str | None = None,
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
        named = (
            f", {name}={value!r}"
            for name, value in (("source", self.source), ("field", self.field))
            if value is not None
        )
        return f"Tag({self.key!r}, {self.value!r}{''.join(named)})"


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
        raise EventError([Finding(pointer, expected, describe(argument), f"pass the {name} as a string")])
    if name == "key" and not argument.strip():
        raise EventError(
            [Finding(pointer, "a non-empty key", describe(argument), "pass a key, such as Tag('pii')")]
        )
    return checked_text(argument, pointer)
