"""What an operator says of one task: the facets of its run and its job, what it reads and what it writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Field
from typing_extensions import Self

from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.base.model import Model, wire_names
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.containers import JobFacets, RunFacets
from openlineage_facets.generated.open_lineage import InputDataset, JobFacet, OutputDataset, RunFacet
from openlineage_facets.operators.airflow_provider import plain_lineage
from openlineage_facets.operators.completing import Wrongs, completed_lineage

__all__ = ["TaskInstanceLineage", "read_lineage"]

PlainFacet: TypeAlias = Mapping[str, Any]
"""A facet as a dict by wire name; without producer and schema URL it gets them."""


class TaskInstanceLineage(Model):
    """What an operator says of one task; every part of it is optional.

    Facets and datasets are typed, or plain dicts by wire name. A plain facet gets its producer and its
    schema URL; one that brings its own `_schemaURL` keeps whatever else it holds.

    Args:
        run_facets: Facets of this run, such as `externalQuery`.
        job_facets: Facets of the job, such as `sql`.
        inputs: Datasets that are read, each with its `facets` and `inputFacets`.
        outputs: Datasets that are written, each with its `facets` and `outputFacets`.

    Raises:
        EventError: A facet stands on the wrong entity, or something is not what its schema says.

    Example:
        >>> lineage = TaskInstanceLineage(job_facets={"sql": {"query": "SELECT 1"}})
        >>> lineage.job_facets.sql.query
        'SELECT 1'
    """

    run_facets: Annotated[Maybe[RunFacets], Field(alias="runFacets")] = None
    """Facets of this run."""
    job_facets: Annotated[Maybe[JobFacets], Field(alias="jobFacets")] = None
    """Facets of the job."""
    inputs: Maybe[tuple[InputDataset, ...]] = None
    """Datasets that are read."""
    outputs: Maybe[tuple[OutputDataset, ...]] = None
    """Datasets that are written."""

    if TYPE_CHECKING:
        # Any iterable of facets will do; where one is asked for, mypy takes a dict of mixed facets for it.
        def __init__(
            self,
            *,
            run_facets: RunFacets | Sequence[RunFacet] | Mapping[str, RunFacet | PlainFacet] | None = None,
            job_facets: JobFacets | Sequence[JobFacet] | Mapping[str, JobFacet | PlainFacet] | None = None,
            inputs: Iterable[InputDataset | Mapping[str, Any]] | None = None,
            outputs: Iterable[OutputDataset | Mapping[str, Any]] | None = None,
        ) -> None: ...

    @classmethod
    def from_dict(cls, lineage: Mapping[str, Any]) -> Self:
        """Return the lineage of a plain dict by wire name: `runFacets`, `jobFacets`, `inputs`, `outputs`.

        Unlike `from_json`, which reads what is complete, it composes: producers and schema URLs that are
        not there are filled in.

        Raises:
            EventError: As the constructor does.

        Example:
            >>> plain = {"outputs": [{"namespace": "postgres://db:5432", "name": "shop.orders"}]}
            >>> TaskInstanceLineage.from_dict(plain).outputs[0].name
            'shop.orders'
        """
        if not isinstance(lineage, Mapping):
            raise EventError([_no_lineage(lineage)])
        findings = Wrongs()
        made = cls(**_named(lineage, findings))
        if findings:
            raise EventError(findings)
        return made

    @classmethod
    def from_airflow(cls, lineage: Any) -> Self:
        """Return the lineage that Airflow's OpenLineage provider holds in its `OperatorLineage`.

        Raises:
            ImportError: The provider is not installed.
            EventError: A facet is not what its schema says.
        """
        return cls.from_dict(plain_lineage(lineage))

    def to_airflow(self) -> Any:
        """Return this lineage as the `OperatorLineage` of Airflow's OpenLineage provider.

        Facets become the official client's classes where it has them, else its base facets with more
        attributes; values inside them stay plain. On the wire they say the same, but for explicit nulls,
        which the official client leaves out.

        Raises:
            ImportError: The provider is not installed.
            ValueError: The name of a custom facet's field can't be an attribute.
        """
        from openlineage_facets.operators.airflow_provider import operator_lineage

        return operator_lineage(self)

    def _compose(self, wire: dict[str, Any]) -> None:
        findings = Wrongs()
        completed = completed_lineage(wire, findings)
        if findings:
            raise EventError(findings) from findings.raised
        super()._compose(completed)


def read_lineage(told: Any) -> tuple[TaskInstanceLineage, Wrongs]:
    """Return what is right of whatever an operator told, and a finding for each thing that is wrong.

    Args:
        told: A TaskInstanceLineage, its plain form or Airflow's `OperatorLineage`; or rubbish.
    """
    if isinstance(told, TaskInstanceLineage):
        return told, Wrongs()
    if not isinstance(told, Mapping) and _is_operator_lineage(told):
        told = plain_lineage(told)
    if not isinstance(told, Mapping):
        return TaskInstanceLineage(), Wrongs([_no_lineage(told)])
    findings = Wrongs()
    names = wire_names(TaskInstanceLineage)
    known: dict[str, Any] = {}
    for name, value in _named(told, findings).items():
        if name not in names and name not in names.values():
            findings.extend(_refusal(name, value))
        elif value is not None:
            known[names.get(name, name)] = value
    return TaskInstanceLineage(**completed_lineage(known, findings)), findings


def _named(told: Mapping[Any, Any], findings: Wrongs) -> dict[str, Any]:
    """Return what stands under names that are text."""
    findings.extend(
        Finding("", "names that are text", f"the name {shown(name)}")
        for name in told
        if not isinstance(name, str)
    )
    return {name: value for name, value in told.items() if isinstance(name, str)}


def _refusal(name: str, value: Any) -> Iterable[Finding]:
    """Return what composing says of a field that no lineage has."""
    try:
        TaskInstanceLineage(**{name: value})
    except EventError as error:
        return error.findings
    return ()


def _is_operator_lineage(told: Any) -> bool:
    return all(hasattr(told, name) for name in ("inputs", "outputs", "run_facets", "job_facets"))


def _no_lineage(told: Any) -> Finding:
    hint = "return a TaskInstanceLineage, or a dict of runFacets, jobFacets, inputs and outputs"
    return Finding("", "a lineage", shown(told), hint)
