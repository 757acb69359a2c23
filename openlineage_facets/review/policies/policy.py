"""Policies as data: the tables of a policy file, which are also its JSON Schema, and their reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StrictBool, StrictInt, StrictStr

from openlineage_facets.toml_file import TomlTable

Pattern: TypeAlias = Annotated[StrictStr, Field(min_length=1)]
"""Part of `namespace/name`, or of the name alone, with `*` for any text."""

Patterns: TypeAlias = Annotated[list[Pattern], Field(min_length=1)]

_EVERY_DATASET: Any = Field(["*"], description="Datasets, as patterns. Default: all.")
_NEEDED: Any = Field(description="What they must have.", min_length=1)


class Policy(BaseModel):
    """A table of a policy file."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, alias_generator=lambda name: name.replace("_", "-")
    )
    code: ClassVar[str]

    severity: Literal["error", "warning", "note"] = Field(
        "error", description="Severity of its findings. Errors cause exit code 1."
    )
    reason: StrictStr = Field("", description="Why the policy exists, or how to fix a violation.")
    _line: int | None = PrivateAttr(None)

    @property
    def line(self) -> int | None:
        """The line of the table in its file."""
        return self._line


class TagPolicy(Policy):
    """Columns with a tag must not reach datasets, unless they are masked on the way."""

    code = "OL821"

    tag: StrictStr | None = Field(None, description="Key of the tag, or key=value.", min_length=1)
    facet: StrictStr | None = Field(
        None,
        description="Instead of a tag: a facet of datasets and the field in it that lists columns, "
        "such as acme_privacy/columns.",
        pattern=r"^[^/]+/[^/]+$",
    )
    must_not_reach: Patterns = Field(description="Datasets, as patterns of namespace/name or name.")
    through: list[Literal["FILTER", "JOIN", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL"]] = Field(
        [], description="Also follow columns that only decide about rows."
    )

    def model_post_init(self, context: Any, /) -> None:
        """Check that there is either a tag or a facet."""
        if (self.tag is None) == (self.facet is None):
            raise ValueError("expected either tag or facet")


class WriterPolicy(Policy):
    """Only these jobs, or jobs of these owners, write these datasets."""

    code = "OL822"

    datasets: Patterns = Field(description="Datasets, as patterns of namespace/name or name.")
    jobs: list[Pattern] = Field([], description="Jobs, as patterns of namespace/name or name.")
    owners: list[Pattern] = Field([], description="Owners of jobs, as patterns.")


class OutputPolicy(Policy):
    """Every dataset that a job writes has an owner, a schema, a description."""

    code = "OL823"

    datasets: Patterns = _EVERY_DATASET
    have: list[Literal["owner", "schema", "description"]] = _NEEDED


class UsePolicy(Policy):
    """Every dataset has a reader, a writer."""

    code = "OL824"

    datasets: Patterns = _EVERY_DATASET
    have: list[Literal["reader", "writer"]] = _NEEDED


class CyclePolicy(Policy):
    """No dataset is computed from itself through several datasets."""

    code = "OL825"

    datasets: Patterns = _EVERY_DATASET
    also_direct: StrictBool = Field(False, description="Whether a job must not read what it writes, either.")


class DistancePolicy(Policy):
    """At most so many jobs are between a source, which no job writes, and a product."""

    code = "OL826"

    products: Patterns = Field(description="Datasets, as patterns of namespace/name or name.")
    jobs: StrictInt = Field(description="The largest number of jobs in a row.", ge=1)


class LayerPolicy(Policy):
    """Datasets of one layer must not be computed from those of another."""

    code = "OL827"

    datasets: Patterns = Field(description="What is computed, as patterns of namespace/name or name.")
    must_not_read: Patterns = Field(description="What they must not be computed from, as patterns.")


class PublishedPolicy(Policy):
    """Jobs of one namespace read what jobs of another write only if it is published."""

    code = "OL828"

    published: Patterns = Field(description="Published datasets, as patterns of namespace/name or name.")


class CustomPolicy(Policy):
    """A function of an installed package, found by the entry point group openlineage_facets.policies."""

    code = "OL829"

    name: StrictStr = Field(description="Name of the entry point.")
    options: dict[str, Any] = Field({}, description="Passed to the function.")


class Policies(BaseModel):
    """A policy file: tables such as [[tag]] and [[writers]], each with one policy."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="Policies of openlineage-facets")

    tag: list[TagPolicy] = []
    writers: list[WriterPolicy] = []
    outputs: list[OutputPolicy] = []
    used: list[UsePolicy] = []
    cycles: list[CyclePolicy] = []
    distance: list[DistancePolicy] = []
    layers: list[LayerPolicy] = []
    published: list[PublishedPolicy] = []
    custom: list[CustomPolicy] = []

    def facets(self) -> frozenset[str]:
        """Return the keys of the facets of datasets that policies read in addition to reviewed ones."""
        return frozenset(policy.facet.partition("/")[0] for policy in self.tag if policy.facet)

    def tables(self) -> Iterator[tuple[str, Policy]]:
        """Yield the policies with the names of their tables."""
        return ((name, policy) for name in type(self).model_fields for policy in getattr(self, name))

    def __len__(self) -> int:
        return len([*self.tables()])


PROJECT_TABLE = "tool.openlineage-facets.policies"
"""The table of policies in a pyproject.toml."""


def read_policies(path: Path) -> Policies:
    """Return the policies of a file, or of `[tool.openlineage-facets.policies]` if it is a pyproject.toml.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not valid TOML, or a policy is invalid. There is a line for each problem.
        ModuleNotFoundError: On Python 3.10, tomli is not installed.

    Example:
        >>> policies = read_policies(Path("policies.toml"))
    """
    table = TomlTable(path, PROJECT_TABLE if path.name == "pyproject.toml" else "")
    policies = table.read_as(Policies)
    for name in Policies.model_fields:
        for index, policy in enumerate(getattr(policies, name)):
            policy._line = table.line_of((name, index)) or 1
    return policies
