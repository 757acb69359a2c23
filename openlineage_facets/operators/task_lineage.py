"""`TaskInstanceLineage`: the run and job facets, inputs and outputs of one task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from pydantic import Field
from typing_extensions import Self

from openlineage_facets.base.errors.findings import EventError, Finding, describe, invalid
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.redaction.redact import redact_json
from openlineage_facets.base.wire.types import Maybe
from openlineage_facets.generated.containers import JobFacets, RunFacets
from openlineage_facets.generated.open_lineage import InputDataset, JobFacet, OutputDataset, RunFacet
from openlineage_facets.openlineage_python import client_lineage
from openlineage_facets.operators.plain_lineage import FindingCollector, completed_fields, text_keyed

PlainFacet: TypeAlias = Mapping[str, Any]
"""A facet as a dict by wire name. Producer and schema URL have defaults."""


class TaskInstanceLineage(Model):
    """The lineage of one task. All fields are optional.

    Facets and datasets are typed, or plain dicts by wire name. `_producer` and `_schemaURL` of plain facets
    have defaults. A plain facet with a `_schemaURL` may have unknown fields.

    Args:
        run_facets: Facets of this run, such as `externalQuery`.
        job_facets: Facets of the job, such as `sql`.
        inputs: Datasets that are read, with their `facets` and `inputFacets`.
        outputs: Datasets that are written, with their `facets` and `outputFacets`.

    Raises:
        EventError: A facet belongs to another entity, or a value violates its schema.

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
        # Any iterable of facets is accepted; with Iterable, mypy would infer it for a dict of mixed facets.
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
        """Compose lineage from a dict with `runFacets`, `jobFacets`, `inputs` and `outputs`.

        Unlike `from_json`, this fills in missing producers and schema URLs.

        Raises:
            EventError: A facet belongs to another entity, or a value violates its schema.

        Example:
            >>> plain = {"outputs": [{"namespace": "postgres://db:5432", "name": "shop.orders"}]}
            >>> TaskInstanceLineage.from_dict(plain).outputs[0].name
            'shop.orders'
        """
        if not isinstance(lineage, Mapping):
            raise EventError([_not_a_lineage(lineage)])
        findings = FindingCollector()
        composed = cls(**text_keyed(lineage, "", findings))
        if findings:
            raise EventError(findings)
        return composed

    @classmethod
    def from_airflow(cls, lineage: Any) -> Self:
        """Convert the `OperatorLineage` of Airflow's OpenLineage provider.

        Secrets in facets and namespaces are redacted.

        Raises:
            EventError: The argument is not an `OperatorLineage`, or a facet violates its schema, also once
                its secrets are redacted.
        """
        if not _is_operator_lineage(lineage):
            hint = "pass what an operator of Airflow returns; from_dict accepts a dict"
            raise invalid("", "an OperatorLineage", describe(lineage), hint)
        return redacted(cls.from_dict(_operator_lineage_fields(lineage)))

    def to_airflow(self) -> Any:
        """Convert to the `OperatorLineage` of Airflow's OpenLineage provider.

        An operator returns it from its `get_openlineage_facets_on_...` methods, and the provider emits it.
        Facets and datasets become the objects of openlineage-python that `to_openlineage` creates. The wire
        format is the same, except for explicit nulls, which openlineage-python drops.

        Raises:
            EventError: openlineage-python cannot represent a part of the lineage: an empty object in a list,
                an unknown field of the lineage or of a dataset, or a tag of the run or job with an unknown
                field or in the proposed wire format.
            ImportError: The provider is not installed.
        """
        try:
            provider: Any = import_module("airflow.providers.openlineage.extractors")
        except ImportError as error:
            raise ImportError(
                "to_airflow needs Airflow's OpenLineage provider: pip install"
                " apache-airflow-providers-openlineage"
            ) from error
        return provider.OperatorLineage(**client_lineage(self))

    def _compose(self, wire: dict[str, Any]) -> None:
        findings = FindingCollector()
        completed = completed_fields(wire, findings)
        if findings:
            raise EventError(findings) from findings.raised
        super()._compose(completed)


Lineage = TypeVar("Lineage", bound=TaskInstanceLineage)


def redacted(lineage: Lineage) -> Lineage:
    """Return lineage with the secrets in its facets and namespaces redacted, or itself if it has none.

    Raises:
        EventError: A redacted value violates the schema, such as a number in a field `token`.
    """
    wire = lineage.to_dict()
    clean = redact_json(wire)
    return lineage if clean is wire else type(lineage).from_json(clean)


def redacted_parts(lineage: TaskInstanceLineage) -> tuple[TaskInstanceLineage, FindingCollector]:
    """Return redacted lineage without the parts that are invalid then, and findings for them."""
    try:
        return redacted(lineage), FindingCollector()
    except EventError:
        return read_reported_lineage(redact_json(lineage.to_dict()))


def read_reported_lineage(reported: Any) -> tuple[TaskInstanceLineage, FindingCollector]:
    """Return the valid parts of the lineage that an operator reported, and findings for the others.

    Args:
        reported: A TaskInstanceLineage, a dict by wire name or Airflow's `OperatorLineage`. Any other value
            is a finding.
    """
    if isinstance(reported, TaskInstanceLineage):
        return reported, FindingCollector()
    if not isinstance(reported, Mapping) and _is_operator_lineage(reported):
        reported = _operator_lineage_fields(reported)
    if not isinstance(reported, Mapping):
        return TaskInstanceLineage(), FindingCollector([_not_a_lineage(reported)])
    findings = FindingCollector()
    names = wire_names(TaskInstanceLineage)
    known: dict[str, Any] = {}
    for name, value in text_keyed(reported, "", findings).items():
        if name not in names and name not in names.values():
            with findings.at(""):
                TaskInstanceLineage(**{name: value})
        elif value is not None:
            known[names.get(name, name)] = value
    return TaskInstanceLineage(**completed_fields(known, findings)), findings


_ATTRIBUTES = ("inputs", "outputs", "run_facets", "job_facets")
"""The attributes of an `OperatorLineage`."""


def _is_operator_lineage(reported: Any) -> bool:
    return all(hasattr(reported, name) for name in _ATTRIBUTES)


def _operator_lineage_fields(lineage: Any) -> dict[str, Any]:
    """Return the non-empty fields of an `OperatorLineage`, with unchanged values."""
    return {name: value for name in _ATTRIBUTES if (value := getattr(lineage, name))}


def _not_a_lineage(reported: Any) -> Finding:
    hint = "return a TaskInstanceLineage or a dict of runFacets, jobFacets, inputs and outputs"
    return Finding("", "a lineage", describe(reported), hint)
