"""Airflow's OpenLineage provider in miniature: the classes and functions that conversion touches.

They are made as `apache-airflow-providers-openlineage` 2.20 and `openlineage-python` 1.54 make them,
attrs classes whose facets fill in producer and schema URL, so that the shape of a conversion is tested
where the provider is not installed.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import attr

_CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
_FACETS = "https://openlineage.io/spec/facets/"


@attr.define
class BaseFacet:
    _producer: str = attr.field(default="https://example.com/airflow", kw_only=True)
    _schemaURL: str = attr.field(default="", init=False)  # noqa: N815

    def __attrs_post_init__(self) -> None:
        self._schemaURL = self._get_schema()

    @classmethod
    def _get_schema(cls) -> str:
        return f"{_CORE}{cls.__name__}"

    def with_additional_properties(self, **fields: Any) -> Any:
        known = [field.name for field in attr.fields(type(self))]
        more = {name: attr.field(default=None) for name in fields if name not in known}
        extended = attr.make_class(type(self).__name__, more, bases=(type(self),))
        kept = {field.alias: getattr(self, field.name) for field in attr.fields(type(self)) if field.init}
        return extended(**{**kept, **fields})


@attr.define
class RunFacet(BaseFacet):
    pass


@attr.define
class JobFacet(BaseFacet):
    _deleted: bool | None = attr.field(default=None, kw_only=True)


@attr.define
class DatasetFacet(BaseFacet):
    _deleted: bool | None = attr.field(default=None, kw_only=True)


@attr.define
class InputDatasetFacet(BaseFacet):
    pass


@attr.define
class OutputDatasetFacet(BaseFacet):
    pass


@attr.define
class SQLJobFacet(JobFacet):
    query: str
    dialect: str | None = attr.field(default=None)

    @classmethod
    def _get_schema(cls) -> str:
        return f"{_FACETS}1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet"


@attr.define
class SchemaDatasetFacetFields:
    name: str
    type: str | None = attr.field(default=None)
    description: str | None = attr.field(default=None)
    ordinal_position: int | None = attr.field(default=None)
    fields: list[Any] | None = attr.field(factory=list)


@attr.define
class SchemaDatasetFacet(DatasetFacet):
    fields: list[SchemaDatasetFacetFields] | None = attr.field(factory=list)

    @classmethod
    def _get_schema(cls) -> str:
        return f"{_FACETS}1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet"


@attr.define
class ExternalQueryRunFacet(RunFacet):
    externalQueryId: str  # noqa: N815
    source: str | None = attr.field(default=None)

    @classmethod
    def _get_schema(cls) -> str:
        return f"{_FACETS}1-0-2/ExternalQueryRunFacet.json#/$defs/ExternalQueryRunFacet"


@attr.define
class Dataset:
    namespace: str
    name: str
    facets: dict[str, Any] | None = attr.field(factory=dict, kw_only=True)


@attr.define
class InputDataset(Dataset):
    inputFacets: dict[str, Any] | None = attr.field(factory=dict)  # noqa: N815


@attr.define
class OutputDataset(Dataset):
    outputFacets: dict[str, Any] | None = attr.field(factory=dict)  # noqa: N815


@attr.define
class OperatorLineage:
    inputs: list[Any] = attr.Factory(list)
    outputs: list[Any] = attr.Factory(list)
    run_facets: dict[str, Any] = attr.Factory(dict)
    job_facets: dict[str, Any] = attr.Factory(dict)


class Serde:
    @classmethod
    def to_dict(cls, value: Any) -> Any:
        return cls._without_nulls(value if isinstance(value, dict) else attr.asdict(value))

    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        if isinstance(value, dict):
            kept = {name: cls._without_nulls(item) for name, item in value.items()}
            return {name: item for name, item in kept.items() if item is not None}
        if isinstance(value, list):
            items = [cls._without_nulls(item) for item in value]
            return [item for item in items if item is not None and item != {}]
        return value


def hookimpl(function: Any = None, **options: Any) -> Any:
    """Mark a function as a hook, at once or, given options, as a decorator."""
    if function is None:
        return lambda function: hookimpl(function, **options)
    function.airflow_impl = {"optionalhook": False, **options}
    return function


_BASES = (RunFacet, JobFacet, DatasetFacet, InputDatasetFacet, OutputDatasetFacet)

_CONTENTS: dict[str, dict[str, Any]] = {
    "airflow": {},
    "airflow.listeners": {"hookimpl": hookimpl},
    "airflow.providers": {},
    "airflow.providers.openlineage": {},
    "airflow.providers.openlineage.extractors": {"OperatorLineage": OperatorLineage},
    "openlineage": {},
    "openlineage.client": {},
    "openlineage.client.event_v2": {
        "Dataset": Dataset,
        "InputDataset": InputDataset,
        "OutputDataset": OutputDataset,
    },
    "openlineage.client.serde": {"Serde": Serde},
    "openlineage.client.generated": {},
    "openlineage.client.generated.base": {base.__name__: base for base in _BASES},
    "openlineage.client.generated.sql_job": {"SQLJobFacet": SQLJobFacet},
    "openlineage.client.generated.schema_dataset": {
        "SchemaDatasetFacet": SchemaDatasetFacet,
        "SchemaDatasetFacetFields": SchemaDatasetFacetFields,
    },
    "openlineage.client.generated.external_query_run": {"ExternalQueryRunFacet": ExternalQueryRunFacet},
}


def modules() -> dict[str, ModuleType]:
    """Return the stand-ins of the provider's modules by name, for `sys.modules`."""
    made = {}
    for name, contents in _CONTENTS.items():
        module = ModuleType(name)
        module.__path__ = []  # A package, so that what is not here is not found either.
        module.__dict__.update(contents)
        made[name] = module
    return made
