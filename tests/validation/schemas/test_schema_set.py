"""Facets are validated against the schemas they name, with the usual messages and codes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import validate
from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.schemas import validators
from openlineage_facets.validation.schemas.schema_set import SchemaSet
from tests.cases import each
from tests.events import FACET, JOB, RUN_ID, run_event
from tests.speed.counting import python_calls

ACME = SchemaSet.load([Path(__file__).parent / "acme"])
COST = "https://acme.example.com/schemas/{}/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet"
SEVEN = "https://acme.example.com/draft-07/1-0-0/seven.json"


def event(run: dict[str, Any] | None = None, job: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an event with run facets and job facets."""
    return run_event(run={"runId": RUN_ID, "facets": run or {}}, job={**JOB, "facets": job or {}})


def facet(url: str, **fields: Any) -> dict[str, Any]:
    return {**FACET, "_schemaURL": url, **fields}


def cost(version: str = "2-0-0", **fields: Any) -> list[str]:
    """Return the findings of a cost facet."""
    document = event(run={"acme_cost": facet(COST.format(version), **fields)})
    found = validate(document, rules=False, schemas=ACME)
    return [f"{one.code} {one.pointer.removeprefix('/run/facets/acme_cost')} {one.message}" for one in found]


def test_facet_is_validated_against_the_version_it_names() -> None:
    assert cost("1-0-0", usd="1.50") == []
    assert cost("2-0-0", usd="1.50") == ['OL004 /usd expected a number, found "1.50"; remove the quotes']


def test_facet_of_an_unknown_version_is_not_validated() -> None:
    assert cost("3-0-0", usd="1.50") == []
    documents = [Document(event(run={"acme_cost": facet(COST.format(one))})) for one in ("2-0-0", "3-0-0")]
    assert [ACME.covers(document.facets[0]) for document in documents] == [True, False]


DAY, HOUR = {"type": "DAY"}, {"type": "HOUR", "hour": "1"}


@each(
    ("fields", "found"),
    [
        ({"usd": -1}, "OL007 /usd expected a number of at least 0, found -1"),
        ({"usd": None}, "OL004 /usd expected a number, found null"),
        ({"kind": "batch"}, "OL005 /kind expected one of 'BATCH' or 'STREAM', found \"batch\""),
        ({"account": "x"}, 'OL005 /account expected "lineage", found "x"'),
        ({"shares": []}, "OL008 /shares expected at least 1 items, found an empty array"),
        ({"shares": [{}, {}, {}]}, "OL008 /shares expected at most 2 items, found an array"),
        ({"shares": [{"tean": "a"}]}, "OL006 /shares/0/tean unknown field 'tean'"),
        ({"shares": [{"team": ""}]}, "OL008 /shares/0/team expected a string of at least 1 characters"),
        ({"shares": [{"percent": 0}]}, "OL007 /shares/0/percent expected a number above 0, found 0"),
        ({"shares": [{"percent": 7}]}, "OL007 /shares/0/percent expected a multiple of 5, found 7"),
        ({"paid": "today"}, "OL011 /paid expected an RFC 3339 date-time with an offset"),
        ({"paid": "2026-03-29T01:04:10"}, "OL011 /paid expected an RFC 3339 date-time with an offset"),
        ({"invoice": "7"}, "OL012 /invoice expected a UUID"),
        ({"mail": "ana"}, "OL008 /mail expected a string of the format 'email', found \"ana\""),
        ({"currency": "eur", "paid": "2026-03-29T01:04:10Z"}, "OL008 /currency expected a string that"),
        ({"currency": "EUR"}, "OL009  missing field 'paid', which is required with 'currency'"),
        ({"eur": 1}, "OL009  expected an object without 'usd' and 'eur', found an object"),
        ({"period": HOUR}, 'OL004 /period/hour expected an integer, found "1"'),
        ({"period": DAY}, "OL003 /period/day missing required field 'day'"),
        ({"either": {"a": 1, "b": 1}}, "OL010 /either expected exactly one matching alternative"),
        ({"size": True}, "OL004 /size expected an integer or a string, found true"),
        ({"rate": 0.35}, "OL007 /rate expected a multiple of 0.1, found 0.35"),
        ({"rate": float("inf")}, "OL007 /rate expected a multiple of 0.1, found inf"),
        ({"cents": 1}, "OL006 /cents unknown field 'cents'"),
    ],
)
def test_each_keyword_has_its_code_location_and_message(fields: dict[str, Any], found: str) -> None:
    findings = cost(**{"usd": 1, **fields})
    assert len(findings) == 1
    assert findings[0].startswith(found), findings


def test_decimal_multiples_are_exact() -> None:
    assert [cost(usd=1, rate=rate) for rate in (0, 3, 0.3, 1e300, 10**400)] == [[]] * 5


def test_several_errors_of_a_code_in_one_place_are_reported() -> None:
    assert cost(usd=1, currency="EUR", net=1) == [
        "OL009  missing field 'paid', which is required with 'currency'",
        "OL009  missing field 'tax', which is required with 'net'",
    ]


def test_another_thread_uses_no_incomplete_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    url = COST.format("2-0-0")
    schemas = SchemaSet.load([Path(__file__).parent / "acme"])
    document = event(run={"acme_cost": facet(url, usd="x")})
    seen: list[list[str]] = []

    def codes() -> list[str]:
        return [one.code for one in validate(document, rules=False, schemas=schemas)]

    class SlowResolver:
        """Validates in another thread before it resolves the first reference of the schema."""

        def __init__(self, resolver: Any) -> None:
            self._resolver = resolver

        def lookup(self, reference: str) -> Any:
            if not seen:
                seen.append([])
                with ThreadPoolExecutor(1) as pool:
                    seen[0] = pool.submit(codes).result()
            return self._resolver.lookup(reference)

    inlined = validators._inlined

    def slowly_inlined(schema: Any, resolver: Any, *others: Any) -> Any:
        return inlined(schema, SlowResolver(resolver), *others)

    monkeypatch.setattr(validators, "_inlined", slowly_inlined)
    assert codes() == ["OL004"]
    assert seen == [["OL004"]]


def test_errors_in_many_facets_take_linear_time() -> None:
    def check(count: int) -> int:
        facets = {f"acme_{number}": {} for number in range(count)}
        document = Document(event(run={**facets, "acme_cost": facet(COST.format("2-0-0"), usd=1)}))
        errors = [Finding(f"/run/facets/{key}/_producer", "a URI", "nothing", code="OL003") for key in facets]
        return python_calls(lambda: ACME.check(document, errors))

    assert check(400) < 2.5 * check(200)


def test_all_invalid_fields_of_a_facet_are_reported() -> None:
    assert cost() == ["OL003 /usd missing required field 'usd'"]
    places = [line.split()[:2] for line in cost(usd="x", kind="y", account=1, page="no URI, which is valid")]
    assert places == [["OL004", "/usd"], ["OL005", "/kind"], ["OL005", "/account"]]


@each(
    ("url", "fields", "codes"),
    [
        (f"{SEVEN}#/definitions/AcmeTeamJobFacet", {"team": "a"}, []),
        (f"{SEVEN}#/definitions/AcmeTeamJobFacet", {}, ["OL003"]),
        (f"{SEVEN}#/$defs/AcmeTeamJobFacet", {}, ["OL003"]),
        (f"{SEVEN}#/$defs/Other", {}, ["OL211"]),
        ("https://acme.example.com/schemas/1-0-0/AcmeWholeJobFacet.json", {"whole": 1}, []),
        ("https://acme.example.com/schemas/1-0-0/AcmeWholeJobFacet.json", {}, ["OL003"]),
        (f"{SEVEN}#/definitions/AcmeTeamJobFacet", {"_deleted": True}, []),
    ],
)
def test_definitions_are_found_in_every_draft(url: str, fields: dict[str, Any], codes: list[str]) -> None:
    document = event(job={"acme_team": facet(url, **fields)})
    assert [finding.code for finding in validate(document, rules=False, schemas=ACME)] == codes


def test_url_without_fragment_uses_the_property_of_the_facet_key() -> None:
    url = COST.format("2-0-0").partition("#")[0]
    document = event(run={"acme_cost": facet(url, usd="x")})
    assert [finding.code for finding in validate(document, rules=False, schemas=ACME)] == ["OL004"]


def test_a_whole_document_may_be_the_schema_of_a_facet() -> None:
    """Its URL has no fragment, and is right."""
    url = "https://acme.example.com/schemas/1-0-0/AcmeSizeRunFacet.json"
    base = {"$ref": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet"}
    own = {"type": "object", "properties": {"gb": {"type": "number"}}}
    document = event(run={"acme_size": facet(url, gb="1")})
    (unknown,) = (one for one in validate(document) if one.code == "OL203")
    assert "#/$defs/AcmeSizeRunFacet" in unknown.message
    assert "--schemas" in unknown.hint
    for schema in ({"allOf": [base, own]}, own):
        schemas = SchemaSet({url: {"$id": url, "title": "AcmeSizeRunFacet", **schema}})
        assert [one.code for one in validate(document, schemas=schemas)] == ["OL004"]
    definitions = {"$id": url, "$defs": {"AcmeOtherRunFacet": own}}
    codes = [one.code for one in validate(document, schemas=SchemaSet({url: definitions}))]
    assert "OL203" in codes, "a document of other definitions is not the schema of this facet"


def test_locations_without_a_schema_in_the_set_are_validated_as_usual() -> None:
    document = event(run={"acme_cost": facet(COST.format("2-0-0"), usd=1)}, job={"sql": {"query": 3}})
    document["eventTime"] = "today"
    found = validate(document, rules=False, schemas=ACME)
    assert found == validate(document, rules=False)
    assert {finding.pointer for finding in found} >= {"/eventTime", "/job/facets/sql/query"}


def test_deeply_nested_facet_is_a_finding() -> None:
    deep: Any = 1
    for _ in range(150):
        deep = {"type": "DAY", "day": [deep]}
    assert all(line.startswith(("OL001", "OL004")) for line in cost(usd=1, period=deep))


@each(
    "base",
    [
        "https://openlineage.io/spec/1-0-5/OpenLineage.json#/$defs/RunFacet",
        "https://openlineage.io/spec/9-9-9/OpenLineage.json#/$defs/RunFacet",
        "https://openlineage.io/spec/facets/0-0-1/NominalTimeRunFacet.json#/$defs/NominalTimeRunFacet",
    ],
)
@each("keyword", ["$id", "id"])
def test_a_schema_may_extend_another_version_of_the_specification(base: str, keyword: str) -> None:
    url = "https://acme.example.com/schemas/1-0-0/AcmeOldRunFacet.json"
    own = {"type": "object", "properties": {"usd": {"type": "number"}}}
    schema: dict[str, Any] = {keyword: url, "$defs": {"AcmeOldRunFacet": {"allOf": [{"$ref": base}, own]}}}
    if keyword == "id":
        schema["$schema"] = "http://json-schema.org/draft-04/schema#"
    schemas = SchemaSet({url: schema})
    fields = {"nominalStartTime": "2026-03-29T01:04:10Z"}
    valid, invalid = (facet(f"{url}#/$defs/AcmeOldRunFacet", usd=usd, **fields) for usd in (1.5, "much"))
    assert validate(event(run={"acme_old": valid}), rules=False, schemas=schemas) == []
    (found,) = validate(event(run={"acme_old": invalid}), rules=False, schemas=schemas)
    assert found.pointer == "/run/facets/acme_old/usd"
