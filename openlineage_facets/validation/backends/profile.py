"""The profile of a backend: facts about the events that it refuses, loses or changes, as a TOML file.

Example:
    title = "Acme catalog"

    [[fact]]
    id = "only-runs"
    says = "only run events are processed"
    effect = "refused"
    evidence = "documentation"
    version = "4.2"
    source = "https://acme.example.com/lineage"
    remedy = "emit run events"
    reads = { kinds = ["run"] }
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from typing_extensions import Self

from openlineage_facets.toml_file import TomlTable

Effect: TypeAlias = Literal["refused", "lost", "changed"]
_EventType: TypeAlias = Literal["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"]


class BackendError(ValueError):
    """A backend is unknown, or its profile is invalid."""


def _compiled(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"expected a regular expression: {error}") from None
    return pattern


_Regex: TypeAlias = Annotated[str, AfterValidator(_compiled), Field(json_schema_extra={"format": "regex"})]
_Pointer: TypeAlias = Annotated[str, Field(pattern=r"^(/[^/]+)+$")]
_NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"
_Name: TypeAlias = Annotated[str, Field(pattern=_NAME)]
_Text: TypeAlias = Annotated[str, Field(min_length=1, pattern=r"^[^\n]+$")]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class Condition(_Table):
    """The events that a fact applies to; all by default."""

    kinds: tuple[Literal["run", "job", "dataset"], ...] = Field(default=(), description="Kinds of events.")
    types: tuple[_EventType, ...] = Field(default=(), description="Values of `eventType`.")
    has: _Pointer | None = Field(default=None, description="Only events that have a value here.")
    lacks: _Pointer | None = Field(default=None, description="Only events that have no value here.")


class Size(_Table):
    """A limit of sizes."""

    of: _Pointer | None = Field(default=None, description="What is limited; by default the event.")
    unit: Literal["bytes", "characters", "items", "links"] = Field(
        default="bytes",
        description="`characters` of a text, or of namespace and name together; `items` of a list; "
        "`links`: the number of inputs times that of outputs.",
    )
    least: int = Field(default=0, ge=0, description="The smallest size. What is absent has the size 0.")
    most: int | None = Field(default=None, ge=0, description="The largest size.")

    @model_validator(mode="after")
    def _has_what_it_counts(self) -> Self:
        if self.unit in ("characters", "items") and self.of is None:
            raise ValueError(f"expected `of`, as an event has no {self.unit}")
        if self.unit == "links" and self.of is not None:
            raise ValueError("expected no `of`, as links are those of the event")
        if not self.least and self.most is None:
            raise ValueError("expected least or most")
        return self


class Value(_Table):
    """What values must be, or that they are required."""

    at: _Pointer | tuple[_Pointer, ...] = Field(
        description="JSON Pointers of the values. The step `*` is any key or index, `a|b` both keys, each on "
        "its own, and `@datasets` the inputs, the outputs and the dataset of a dataset event."
    )
    required: bool = Field(default=False, description="Whether it must be present where its parent is.")
    absent: bool = Field(default=False, description="Whether it must be absent, or empty.")
    matches: _Regex | None = Field(default=None, description="What a text must match somewhere.")
    excludes: _Regex | None = Field(default=None, description="What a text must not match anywhere.")
    every: bool = Field(
        default=False,
        description="Only in lists of which every item has such a value; `at` ends with `/*/key`.",
    )
    where: dict[str, _Regex] = Field(
        default={},
        description="Only where these values match, each by its JSON Pointer relative to the parent, without "
        "the first slash. The empty expression matches everything that is present.",
    )

    @model_validator(mode="after")
    def _applies_to_something(self) -> Self:
        if not (self.required or self.absent or self.matches is not None or self.excludes is not None):
            raise ValueError("expected required, absent, matches or excludes")
        if self.every and not all(re.search(r"/\*/[^/*|]+$", place) for place in self.places):
            raise ValueError("expected `at` to end with `/*/key`, as `every` is about the items of a list")
        return self

    @property
    def places(self) -> tuple[str, ...]:
        """The JSON Pointers of the values."""
        return (self.at,) if isinstance(self.at, str) else self.at


class Reads(_Table):
    """The kinds and types of events, or their fields or facets, that are read."""

    kinds: tuple[Literal["run", "job", "dataset"], ...] = Field(default=(), description="Kinds of events.")
    types: tuple[_EventType, ...] = Field(
        default=(), description="Values of `eventType`; an absent one is read."
    )
    fields: tuple[str, ...] = Field(default=(), description="Fields of the event; by default all.")
    facets_of: tuple[Literal["run", "job", "dataset", "input", "output"], ...] = Field(
        default=(), description="Facets of a run, a job or a dataset; `inputFacets`, `outputFacets`."
    )
    only: tuple[str, ...] | None = Field(
        default=None, description="The facet keys that are read; `*` is any text. By default all."
    )
    but: tuple[str, ...] = Field(default=(), description="The facet keys that are not read; `*` is any text.")

    @model_validator(mode="after")
    def _leaves_something_unread(self) -> Self:
        if bool(self.facets_of) != (self.only is not None or bool(self.but)):
            raise ValueError("expected `facets_of` together with `only` or `but`")
        if not (self.kinds or self.types or self.fields or self.facets_of):
            raise ValueError("expected kinds, types, fields or facets_of")
        return self


class Rename(_Table):
    """A value that the backend replaces."""

    at: _Pointer = Field(description="JSON Pointer of the value, as for `value`.")
    matches: _Regex = Field(
        default=".", description="What a text must match to be replaced; by default, anything."
    )
    to: _Text = Field(
        description="The replacement: `{}` is the text, `{1}` the first group of `matches`, and `{/a/b}` the "
        "value there. Without such a value, nothing is renamed."
    )

    @field_validator("to")
    @classmethod
    def _has_known_placeholders(cls, to: str, info: ValidationInfo) -> str:
        groups = re.compile(info.data.get("matches", "")).groups
        for name in re.findall(r"\{([^}]*)\}", to):
            is_group = name.isdecimal() and int(name) <= groups
            if name and not name.startswith("/") and not is_group:
                raise ValueError(f"expected {{}}, {{/a/b}} or a group of `matches` instead of {{{name}}}")
        return to


class Repair(_Table):
    """What an emitter changes on request, so that the fact does not apply."""

    add_empty: bool = Field(default=False, description="Add absent `inputs`, `outputs` and `facets`, empty.")
    set: str | None = Field(default=None, description="Set a required value that is absent.")
    drop: bool = Field(default=False, description="Drop the facet that contains the value.")
    shrink: bool = Field(
        default=False, description="Shorten and drop facets, until the event is small enough."
    )
    repeat: tuple[str, ...] = Field(
        default=(),
        description="Repeat the last facets of a job or dataset with these keys in its later events.",
    )


class Fact(_Table):
    """What a backend does with some events, and how this is known."""

    id: _Name = Field(description="Its name, unique in the profile.")
    says: _Text = Field(description="The fact, as part of a sentence.")
    effect: Effect = Field(description="`refused` is an error, `lost` a warning, `changed` a note.")
    evidence: Literal["tried", "code", "documentation", "issue"] = Field(description="How it is known.")
    version: _Text = Field(description="The version of the backend for which it is known, or `unknown`.")
    source: str = Field(pattern="^https://", description="Where it can be read.")
    remedy: str = Field(default="", description="What to do, such as `emit run events`.")
    when: Condition = Condition()
    size: Size | None = None
    value: Value | None = None
    reads: Reads | None = None
    rename: Rename | None = None
    repair: Repair | None = None

    @model_validator(mode="after")
    def _has_one_check(self) -> Self:
        checks = [name for name in ("size", "value", "reads", "rename") if getattr(self, name) is not None]
        if len(checks) > 1:
            raise ValueError(f"expected one check instead of {' and '.join(checks)}")
        if self.rename is not None and self.effect != "changed":
            raise ValueError("expected the effect 'changed' for a rename")
        return self

    @property
    def check(self) -> Size | Value | Reads | Rename | None:
        """What decides whether it applies to an event; None if that cannot be seen from one event."""
        return self.size or self.value or self.reads or self.rename

    @property
    def refuses_kinds(self) -> bool:
        """Whether it refuses events for their kind: then nothing is lost or changed, and nothing repaired."""
        return self.effect == "refused" and self.reads is not None and bool(self.reads.kinds)


class Profile(_Table):
    """What is known about a backend."""

    name: _Name = Field(default="", description="The name for `--backend`; by default that of the file.")
    title: _Text = Field(description="The name of the product.")
    environment: dict[str, str] = Field(
        default={}, description="The variables that make it the destination, with examples of their values."
    )
    setup: str = Field(default="", description="How to find the values, as sentences in Markdown.")
    unknown: str = Field(default="", description="What is not known, as a sentence in Markdown.")
    fact: tuple[Fact, ...] = ()

    @property
    def commands(self) -> str:
        """The lines of a shell that set the environment, with the repairs for this backend."""
        variables = {**self.environment, "OPENLINEAGE_BACKEND": self.name} if self.environment else {}
        return "\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items())

    @model_validator(mode="after")
    def _has_unique_ids(self) -> Self:
        ids = [fact.id for fact in self.fact]
        repeated = sorted({fact_id for fact_id in ids if ids.count(fact_id) > 1})
        if repeated:
            raise ValueError(f"expected one fact with the id {' and one with '.join(repeated)}")
        return self


def read_profile(path: Path) -> Profile:
    """Return the profile in a TOML file.

    Raises:
        BackendError: The file cannot be read, or is not a profile.
        ModuleNotFoundError: On Python 3.10, tomli is not installed.
    """
    try:
        profile = TomlTable(path).read_as(Profile)
    except OSError as error:
        raise BackendError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise BackendError(str(error)) from None
    if profile.name:
        return profile
    if not re.match(_NAME, path.stem):
        raise BackendError(f"{path}: expected a file name such as acme-catalog.toml, or a `name`")
    return profile.model_copy(update={"name": path.stem})
