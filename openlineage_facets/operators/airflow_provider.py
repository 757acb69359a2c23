"""The way to Airflow and back: its `OperatorLineage`, and its listener hooks."""

from __future__ import annotations

import keyword
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.containers import FacetMap
from openlineage_facets.base.entities import FacetModel

if TYPE_CHECKING:
    from openlineage_facets.generated.open_lineage import InputDataset, OutputDataset
    from openlineage_facets.operators.lineage import TaskInstanceLineage
    from openlineage_facets.operators.listener import TaskInstanceListener

__all__ = [
    "airflow_listener",
    "is_official",
    "operator_lineage",
    "plain_dataset",
    "plain_facet",
    "plain_lineage",
]

_PROVIDER = "apache-airflow-providers-openlineage"

_FACETS = {"runFacets": "run_facets", "jobFacets": "job_facets"}


def plain_lineage(lineage: Any) -> dict[str, Any]:
    """Return `runFacets`, `jobFacets`, `inputs` and `outputs` of an `OperatorLineage`, as it holds them.

    What is empty there is absent here.

    Raises:
        ImportError: Airflow's OpenLineage provider is not installed.
    """
    _installed("openlineage.client.serde")  # To read facets by, one by one, later.
    names = {**_FACETS, "inputs": "inputs", "outputs": "outputs"}
    return {wire: held for wire, name in names.items() if (held := getattr(lineage, name))}


def is_official(value: Any) -> bool:
    """Tell whether a value is an object of the official client, or of a class of one's own made of its."""
    return any(cls.__module__.partition(".")[0] == "openlineage" for cls in type(value).__mro__)


def plain_facet(facet: Any) -> Any:
    """Return the wire form of a facet of the official client."""
    return _installed("openlineage.client.serde").Serde.to_dict(facet)


def plain_dataset(dataset: Any) -> dict[str, Any]:
    """Return the fields of a dataset of the official client, with facets as it holds them, if it has some."""
    named = ((field.name, getattr(dataset, field.name)) for field in type(dataset).__attrs_attrs__)
    return {name: value for name, value in named if value is not None and value != {}}


def operator_lineage(lineage: TaskInstanceLineage) -> Any:
    """Return a lineage as the `OperatorLineage` of Airflow's OpenLineage provider.

    Raises:
        ImportError: The provider is not installed.
        ValueError: The name of a custom facet's field can't be an attribute.
    """
    provider = _installed("airflow.providers.openlineage.extractors")
    events = _installed("openlineage.client.event_v2")
    return provider.OperatorLineage(
        inputs=[
            events.InputDataset(
                **_dataset(one), inputFacets=_client_facets(one.input_facets, "InputDatasetFacet")
            )
            for one in lineage.inputs or ()
        ],
        outputs=[
            events.OutputDataset(
                **_dataset(one), outputFacets=_client_facets(one.output_facets, "OutputDatasetFacet")
            )
            for one in lineage.outputs or ()
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
    """Return a facet of the official client that says on the wire what ours says."""
    wire = facet.to_dict()
    schema_url, producer = wire.pop("_schemaURL"), wire.pop("_producer")
    deleted = {"deleted": wire.pop("_deleted")} if isinstance(wire.get("_deleted"), bool) else {}
    for name in wire:
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_") or name == "producer":
            raise ValueError(
                f"facet {key!r}: expected field names that can be attributes, which Airflow's facets are made"
                f" of, found {name!r}; rename the field"
            )
    bare = getattr(_installed("openlineage.client.generated.base"), base)(producer=producer, **deleted)
    made = _official(facet, wire, producer, deleted) or bare.with_additional_properties(**wire)
    made._schemaURL = schema_url
    return made


def _official(facet: FacetModel, wire: dict[str, Any], producer: str, deleted: dict[str, Any]) -> Any:
    """Return a facet of the official client's own class, None where that can't hold exactly the same."""
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
        made = official(**wire, producer=producer, **deleted)
    except (TypeError, ValueError):
        return None  # Its validators may refuse what the schema allows, such as nanoseconds.
    told = {name: value for name, value in plain_facet(made).items() if not name.startswith("_")}
    return made if told == wire else None


def _has_no_default(field: Any) -> bool:
    return field.default is _installed("attr").NOTHING


def airflow_listener(listener: TaskInstanceListener) -> Any:
    """Return a listener's methods as Airflow's hooks, for the `listeners` of an Airflow plugin.

    Args:
        listener: What is to hear of the task instances.

    Raises:
        ImportError: Airflow is not installed.

    Example:
        class LineagePlugin(AirflowPlugin):
            name = "lineage"
            listeners = [airflow_listener(TaskInstanceListener(emit=...))]
    """
    hookimpl = _installed("airflow.listeners").hookimpl

    def on_task_instance_running(previous_state: Any, task_instance: Any) -> None:
        listener.on_start(task_instance)

    def on_task_instance_success(previous_state: Any, task_instance: Any) -> None:
        listener.on_complete(task_instance)

    def on_task_instance_failed(previous_state: Any, task_instance: Any, error: Any) -> None:
        listener.on_failure(task_instance, error)

    def on_task_instance_skipped(previous_state: Any, task_instance: Any) -> None:
        # A task that skips itself has ended well; OpenLineage has no state of its own for it.
        listener.on_complete(task_instance)

    hooks = (on_task_instance_running, on_task_instance_success, on_task_instance_failed)
    return SimpleNamespace(
        **{hook.__name__: hookimpl(hook) for hook in hooks},
        # Older versions of Airflow don't report it.
        on_task_instance_skipped=hookimpl(optionalhook=True)(on_task_instance_skipped),
    )


def _installed(module: str) -> ModuleType:
    """Import a module that comes with Airflow's OpenLineage provider."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{module} is not there, which comes with Airflow's OpenLineage provider: pip install {_PROVIDER}"
        ) from error
