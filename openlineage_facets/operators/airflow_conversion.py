"""Convert lineage to and from Airflow's `OperatorLineage` and the classes of openlineage-python."""

from __future__ import annotations

import keyword
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.generated.containers import JobFacets, RunFacets
from openlineage_facets.generated.open_lineage import InputDataset, OutputDataset

_PROVIDER = "apache-airflow-providers-openlineage"

_FIELDS = {"runFacets": "run_facets", "jobFacets": "job_facets", "inputs": "inputs", "outputs": "outputs"}
"""The attributes of an `OperatorLineage` by wire name."""


class _Lineage(Protocol):
    """The fields of a `TaskInstanceLineage`."""

    @property
    def run_facets(self) -> RunFacets | None: ...
    @property
    def job_facets(self) -> JobFacets | None: ...
    @property
    def inputs(self) -> tuple[InputDataset, ...] | None: ...
    @property
    def outputs(self) -> tuple[OutputDataset, ...] | None: ...


def operator_lineage_fields(lineage: Any) -> dict[str, Any]:
    """Return the non-empty fields of an `OperatorLineage` by wire name, with unchanged values.

    Raises:
        ImportError: Airflow's OpenLineage provider is not installed.
    """
    provider_module("openlineage.client.serde")  # Needed later by `plain_facet`.
    return {wire: value for wire, name in _FIELDS.items() if (value := getattr(lineage, name))}


def plain_facet(facet: Any) -> Any:
    """Return the wire format of a facet of openlineage-python."""
    return provider_module("openlineage.client.serde").Serde.to_dict(facet)


def plain_dataset(dataset: Any) -> dict[str, Any]:
    """Return the non-empty fields of a dataset of openlineage-python, with unchanged facets."""
    named = ((field.name, getattr(dataset, field.name)) for field in type(dataset).__attrs_attrs__)
    return {name: value for name, value in named if value is not None and value != {}}


def operator_lineage(lineage: _Lineage) -> Any:
    """Convert lineage to the `OperatorLineage` of Airflow's OpenLineage provider.

    Raises:
        ImportError: The provider is not installed.
        ValueError: A field name of a custom facet is not a valid attribute name.
    """
    provider = provider_module("airflow.providers.openlineage.extractors")
    events = provider_module("openlineage.client.event_v2")
    return provider.OperatorLineage(
        inputs=[
            events.InputDataset(
                **_dataset(dataset), inputFacets=_client_facets(dataset.input_facets, "InputDatasetFacet")
            )
            for dataset in lineage.inputs or ()
        ],
        outputs=[
            events.OutputDataset(
                **_dataset(dataset), outputFacets=_client_facets(dataset.output_facets, "OutputDatasetFacet")
            )
            for dataset in lineage.outputs or ()
        ],
        run_facets=_client_facets(lineage.run_facets, "RunFacet"),
        job_facets=_client_facets(lineage.job_facets, "JobFacet"),
    )


def _dataset(dataset: InputDataset | OutputDataset) -> dict[str, Any]:
    return {
        "namespace": dataset.namespace,
        "name": dataset.name,
        "facets": _client_facets(dataset.facets, "DatasetFacet"),
    }


def _client_facets(facets: FacetMap[Any] | None, base: str) -> dict[str, Any]:
    return {key: _client_facet(key, facet, base) for key, facet in (facets or {}).items()}


def _client_facet(key: str, facet: FacetModel, base: str) -> Any:
    """Return a facet of openlineage-python with the same wire format."""
    wire = facet.to_dict()
    schema_url, producer = wire.pop("_schemaURL"), wire.pop("_producer")
    deleted = {"deleted": wire.pop("_deleted")} if isinstance(wire.get("_deleted"), bool) else {}
    for name in wire:
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_") or name == "producer":
            raise ValueError(
                f"facet {key!r}: expected field names that are valid attribute names, as Airflow's facets"
                f" require, found {name!r}; rename the field"
            )
    bare = getattr(provider_module("openlineage.client.generated.base"), base)(producer=producer, **deleted)
    converted = _official(facet, wire, producer, deleted) or bare.with_additional_properties(**wire)
    converted._schemaURL = schema_url
    return converted


def _official(facet: FacetModel, wire: dict[str, Any], producer: str, deleted: dict[str, Any]) -> Any:
    """Return an instance of the client's facet class, None if its wire format would differ."""
    module = type(facet).__module__.rpartition(".")[2]
    try:
        official = getattr(
            import_module(f"openlineage.client.generated.{module}"), type(facet).__name__, None
        )
    except ModuleNotFoundError:
        return None
    if official is None or module == "open_lineage":
        return None
    known = {field.name for field in official.__attrs_attrs__}
    required = {field.name for field in official.__attrs_attrs__ if field.init and _has_no_default(field)}
    if not required <= wire.keys() <= known:
        return None
    try:
        converted = official(**wire, producer=producer, **deleted)
    except (TypeError, ValueError):
        return None  # The client's validators reject some valid values, such as nanoseconds.
    fields = {name: value for name, value in plain_facet(converted).items() if not name.startswith("_")}
    return converted if fields == wire else None


def _has_no_default(field: Any) -> bool:
    return field.default is provider_module("attr").NOTHING


def provider_module(module: str) -> ModuleType:
    """Import a module that Airflow's OpenLineage provider installs.

    Raises:
        ImportError: The module is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{module} is not installed; install Airflow's OpenLineage provider: pip install {_PROVIDER}"
        ) from error
