"""The tag as people write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.tags.metadata import flattened, split_token
from openlineage_facets.tags.value import TagValue, checked_text, checked_value

__all__ = ["Tag", "tag_as_read"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tag:
    """A label on a run, a job, a dataset or one field of a dataset.

    Two tags are equal where their JSON values are: `true` and `1` are two values, `1` and `1.0` one.

    Args:
        key: Name of the tag, as close to its origin as possible.
        value: Text, a finite number or a boolean; True for a tag that is a mere word.
        source: Where the tag comes from, such as `USER`, `INTEGRATION`, `DBT CORE` or `SPARK`.
        field: The dataset's field that the tag is about; None for the dataset as a whole.

    Raises:
        EventError: The key is empty, or something is of a type that no tag has.

    Example:
        >>> Tag("visibility", "public", source="SNOWFLAKE", field="job_title")
        Tag('visibility', 'public', source='SNOWFLAKE', field='job_title')
    """

    key: str
    value: TagValue = True
    source: str | None = None
    field: str | None = None

    def __post_init__(self) -> None:
        findings: list[Finding] = []
        for name in ("key", "value", "source", "field"):
            given: object = getattr(self, name)
            try:
                object.__setattr__(self, name, _checked(name, given))
            except EventError as error:
                findings.extend(error.findings)
        if findings:
            raise EventError(findings)

    @classmethod
    def parse(cls, token: str, source: str | None = None, field: str | None = None) -> Tag:
        """Return the tag that a token spells, as schedulers and command lines take them.

        `pii` is the key with the value True; `team=dataos` is a key and its value, split at the first
        `=`. Blanks around both are stripped. A value after `=` is text whatever it looks like: `a=1`
        has the value "1", and `a=` an empty one.

        Raises:
            EventError: There is no key before the `=`, or nothing at all.

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

        The key is the names that lead to the value, outermost first, joined with `_` and otherwise
        as they stand. What becomes of a value:

        - text, numbers and booleans keep their type;
        - None, an empty object and an empty list say nothing, and give no tag;
        - each item of a list is a token, read as `parse` reads it: `{"tags": ["pii", "team=dataos"]}`
          gives `tags_pii` (True) and `tags_team` ("dataos"), and without a name around the list `pii`
          and `team`; a number or boolean in a list is the token that JSON spells;
        - a list in a list is read as if its items stood in the outer one;
        - an object in a list adds its place, counted from 0: `{"owners": [{"name": "ana"}]}` gives
          `owners_0_name`;
        - names that are numbers or booleans, as YAML allows, count as JSON spells them.

        Where two values get one key, the later one holds and the loss is logged.

        Args:
            metadata: An object, or a list of tokens and objects.
            source: The source of every tag.
            field: The dataset's field that every tag is about.

        Raises:
            EventError: A value is none of these (a date, say), not finite, or nested beyond 64 levels.

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


def tag_as_read(key: str, value: TagValue, source: str | None, field: str | None) -> Tag:
    """Return a tag as a valid facet has it: the schema allows an empty key, and reading loses nothing."""
    tag = Tag.__new__(Tag)
    for name, read in (("key", key), ("value", value), ("source", source), ("field", field)):
        object.__setattr__(tag, name, read)
    return tag


def _checked(name: str, given: object) -> object:
    pointer = f"/{name}"
    if name == "value":
        return checked_value(given, pointer)
    if name != "key" and given is None:
        return None
    if not isinstance(given, str):
        expected = "a string" if name == "key" else "a string, or None where there is none"
        raise EventError([Finding(pointer, expected, shown(given), f"write the {name} as text")])
    if name == "key" and not given.strip():
        raise EventError(
            [Finding(pointer, "a key that is not empty", shown(given), "name the tag, as in Tag('pii')")]
        )
    return checked_text(given, pointer)
