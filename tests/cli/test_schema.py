"""`openlineage-facets schema`: the JSON Schema of a hand-written facet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from openlineage_facets import EventError
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.in_process import Result
from tests.codegen.custom.facets import PUBLISHED
from tests.codegen.importing import importable, unused_name

pytestmark = pytest.mark.check

SOURCE = '''
"""Facets of Acme."""

from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, HttpUrl, PlainSerializer, field_validator

from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import Job, JobFacet, ParentRunFacet, RunFacet
from openlineage_facets.generated.column_lineage_dataset import Fields
from openlineage_facets.generated.schema_dataset import SchemaDatasetFacetFields


class Level(str, Enum):
    GOLD = "gold"
    SILVER = "silver"


class Part(Model):
    """A part."""

    name: str
    inner: "tuple[Part, ...]" = ()


class AcmeCostRunFacet(RunFacet):
    """What a run
    has cost."""

    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet"
    __facet_key__ = "acme_cost"

    usd: Annotated[float, Field(ge=0, description="In US dollars.")]
    at: datetime | None = None
    level: Level = Level.GOLD
    parts: tuple[Part, ...] = ()
    unit_name: Annotated[str, Field(alias="unitName")] = "x"
    job: Job | None = None
    parent: ParentRunFacet | None = None


class AcmeColumnsJobFacet(JobFacet):
    """Columns with classes that are nested in published facets."""

    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeColumnsJobFacet.json#/$defs/AcmeColumnsJobFacet"
    __facet_key__ = "acme_columns"

    fields: tuple[SchemaDatasetFacetFields, ...] = ()
    lineage: "dict[str, Fields] | None" = None

    @field_validator("fields")
    @classmethod
    def check_fields(cls, value):
        return value


def not_bad(value):
    return value


class AcmeOwnerJobFacet(JobFacet):
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeOwnerJobFacet.json#/$defs/AcmeOwnerJobFacet"
    __facet_key__ = "acme_owner"

    team: str


class AcmeAuditJobFacet(JobFacet):
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeAuditJobFacet.json"
    __facet_key__ = "acme_audit"

    owner: AcmeOwnerJobFacet
    previous: "list[AcmeAuditJobFacet] | None" = None


class AcmeAuditsJobFacet(JobFacet):
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeAuditsJobFacet.json#/$defs/AcmeAuditsJobFacet"
    __facet_key__ = "acme_audits"

    audits: dict[str, AcmeAuditJobFacet]


class Bill(BaseModel):
    due: timedelta


class AcmeChecksRunFacet(RunFacet):
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeChecksRunFacet.json#/$defs/AcmeChecksRunFacet"
    __facet_key__ = "acme_checks"

    any_amount: Decimal | None = None
    amount: Annotated[Decimal, Field(ge=0)] | None = None
    price: Annotated[Decimal, Field(max_digits=6, decimal_places=2)] | None = None
    share: Annotated[Decimal, Field(gt=0, le=1)] | None = None
    checked: Annotated[str, AfterValidator(not_bad)] | None = None
    shown: Annotated[int, PlainSerializer(str)] | None = None
    link: HttpUrl | None = None
    labels: set[str] | None = None
    frozen: frozenset[int] | None = None
    bills: list[Bill] | None = None


class AcmeMisnamed(RunFacet):
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeMisnamed.json"
    __facet_key__ = "acme_misnamed"


class NoKeyRunFacet(RunFacet):
    usd: float


class NoUrlRunFacet(RunFacet):
    __facet_key__ = "acme_noUrl"


class NotAFacet:
    pass
'''


@pytest.fixture
def module(command: Command, tmp_path: Path) -> Iterator[str]:
    name = unused_name()
    Path(f"{name}.py").write_text(SOURCE)
    with importable(tmp_path):
        yield name


def test_the_schema_has_id_key_base_and_fields(module: str, command: Command) -> None:
    schema = command("schema", f"{module}:AcmeCostRunFacet").report
    core = json.loads((PUBLISHED / "OpenLineage.json").read_text(encoding="utf-8"))["$id"]
    facet = schema["$defs"]["AcmeCostRunFacet"]
    assert schema["$id"] == "https://acme.example.com/schemas/1-0-0/AcmeCostRunFacet.json"
    assert schema["properties"] == {"acme_cost": {"$ref": "#/$defs/AcmeCostRunFacet"}}
    assert facet["description"] == "What a run has cost."
    assert facet["allOf"][0] == {"$ref": f"{core}#/$defs/RunFacet"}
    own = facet["allOf"][1]
    assert own["required"] == ["usd"]
    assert own["properties"]["usd"] == {"description": "In US dollars.", "minimum": 0, "type": "number"}
    assert list(own["properties"]) == ["usd", "at", "level", "parts", "unitName", "job", "parent"]
    assert own["properties"]["job"]["anyOf"][0] == {"$ref": f"{core}#/$defs/Job"}
    assert own["properties"]["parent"]["anyOf"][0]["$ref"].endswith(
        "/ParentRunFacet.json#/$defs/ParentRunFacet"
    )
    assert set(schema["$defs"]) == {"AcmeCostRunFacet", "Level", "Part"}


def test_it_accepts_what_the_class_writes_and_rejects_the_rest(module: str, command: Command) -> None:
    schema = command("schema", f"{module}:AcmeCostRunFacet").report
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in PUBLISHED.rglob("*.json")]
    resources = [(one["$id"], Resource.from_contents(one)) for one in [schema, *documents]]
    validator: Any = Draft202012Validator(
        {"$ref": f"{schema['$id']}#/$defs/AcmeCostRunFacet"}, registry=Registry().with_resources(resources)
    )
    cls = __import__(module).AcmeCostRunFacet
    facet = cls(usd=1, parts=[{"name": "a", "inner": [{"name": "b"}]}], producer="https://acme.example.com")
    document = json.loads(facet.to_json())
    assert validator.is_valid(document)
    assert not validator.is_valid({**document, "usd": -1})
    assert not validator.is_valid({**document, "level": "bronze"})
    assert not validator.is_valid({**document, "parts": [{}]})


def test_classes_nested_in_published_facets_are_defined_in_the_schema(module: str, command: Command) -> None:
    result = command("schema", f"{module}:AcmeColumnsJobFacet", "--output", "AcmeColumnsJobFacet.json")
    note = "note: JSON Schema cannot express the validator AcmeColumnsJobFacet.check_fields\n"
    assert result == Result(0, "AcmeColumnsJobFacet.json\n", note)
    definitions = json.loads(Path("AcmeColumnsJobFacet.json").read_text(encoding="utf-8"))["$defs"]
    assert {"SchemaDatasetFacetFields", "Fields", "InputField"} <= definitions.keys()
    assert command("generate", "AcmeColumnsJobFacet.json", "--output", "acme_facets").code == 0


def test_every_check_that_the_schema_lacks_is_noted(module: str, command: Command) -> None:
    assert command("schema", f"{module}:AcmeChecksRunFacet").err.splitlines() == [
        "note: JSON Schema cannot express max_digits and decimal_places of AcmeChecksRunFacet.price",
        "note: JSON Schema cannot express the bounds of AcmeChecksRunFacet.share for text",
        "note: JSON Schema cannot express the validator not_bad of AcmeChecksRunFacet.checked",
        "note: str of AcmeChecksRunFacet.shown may write another form than the schema describes",
        "note: validators need not check the format 'uri' of AcmeChecksRunFacet.link; a pattern enforces it",
        "note: validators need not check the format 'duration' of Bill.due; a pattern enforces it",
    ]


CHECKED: list[tuple[str, Any]] = [
    *(("any_amount", one) for one in (1, -1.5, "1.50", "-1", "+.5", "1E+2", "abc", "", "-", ".", "1.", True)),
    *(("amount", one) for one in (0, -1, "0", "-1", "1e3", "NaN", "Infinity")),
    *(("labels", one) for one in ([], ["a"], ["a", "a"], [1], "a")),
    *(("frozen", one) for one in ([1, 1], [1.5])),
]


@pytest.fixture
def schema_of_checks(module: str, command: Command) -> Any:
    """Return the schema that the command prints for a class with every kind of check."""
    return command("schema", f"{module}:AcmeChecksRunFacet").report


@each(("name", "value"), CHECKED, ids=lambda one: repr(one))
def test_the_schema_accepts_what_the_class_accepts(
    name: str, value: Any, module: str, schema_of_checks: Any
) -> None:
    schema = schema_of_checks
    own = schema["$defs"]["AcmeChecksRunFacet"]["allOf"][1]
    marks = {"_producer": "https://acme.example.com", "_schemaURL": schema["$id"]}
    try:
        __import__(module).AcmeChecksRunFacet.from_json({**marks, name: value})
        is_accepted = True
    except EventError:
        is_accepted = False
    assert Draft202012Validator(own).is_valid({name: value}) == is_accepted


def test_facets_inside_a_facet_are_references_to_their_own_schemas(module: str, command: Command) -> None:
    names = ("AcmeOwnerJobFacet", "AcmeAuditJobFacet", "AcmeAuditsJobFacet")
    folder = Path("schemas")
    folder.mkdir()
    for name in (*names, "AcmeCostRunFacet"):
        assert command("schema", f"{module}:{name}", "--output", folder / f"{name}.json").code == 0
    schemas = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in names}
    assert [set(schemas[name]["$defs"]) for name in names] == [{name} for name in names]
    url = "https://acme.example.com/schemas/1-0-0/{0}.json#/$defs/{0}"
    audit = schemas["AcmeAuditJobFacet"]["$defs"]["AcmeAuditJobFacet"]["allOf"][1]["properties"]
    assert audit["owner"] == {"$ref": url.format("AcmeOwnerJobFacet")}
    assert audit["previous"]["anyOf"][0]["items"] == {"$ref": "#/$defs/AcmeAuditJobFacet"}
    generated = command("generate", folder, "--output", "acme_facets")
    assert (generated.code, generated.err) == (0, ""), "without notes"


def test_the_id_can_be_set(module: str, command: Command) -> None:
    url = "https://acme.example.com/schemas/2-0-0/AcmeCostRunFacet.json"
    assert command("schema", f"{module}:AcmeCostRunFacet", "--id", url).report["$id"] == url


@each(
    ("name", "message"),
    [
        ("NoKeyRunFacet", "NoKeyRunFacet has no facet key; set __facet_key__"),
        ("NoUrlRunFacet", "NoUrlRunFacet has no __schema_url__; set it, or pass the $id with --id URL"),
        ("AcmeMisnamed", "AcmeMisnamed extends RunFacet; rename it to end in RunFacet, as in AcmeRunFacet"),
        ("NotAFacet", "is no facet class; extend a base facet such as RunFacet"),
        ("Missing", "cannot be imported: AttributeError"),
    ],
)
def test_a_class_without_a_schema_exits_with_2(
    name: str, message: str, module: str, command: Command
) -> None:
    result = command("schema", f"{module}:{name}")
    (line,) = result.err.splitlines()
    assert (result.code, message in line) == (2, True)


@each("facet", ["acme", ":A", "acme:", "no_such_module:A", "exits_when_imported:Cost"])
def test_a_class_that_cannot_be_imported_exits_with_2(facet: str, command: Command) -> None:
    Path("exits_when_imported.py").write_text("import sys; sys.exit(0)", encoding="utf-8")
    result = command("schema", facet)
    assert (result.code, len(result.err.splitlines())) == (2, 1)
