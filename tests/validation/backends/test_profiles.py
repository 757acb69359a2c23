"""Profiles say what backends refuse, lose or change, and each fact that can be checked is checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from openlineage_facets.toml_file import read_toml
from openlineage_facets.validation import validate
from openlineage_facets.validation.backends import catalogue
from openlineage_facets.validation.backends.catalogue import BackendError, known_profiles, profiles_of
from openlineage_facets.validation.backends.checks import BACKEND_CODES
from openlineage_facets.validation.backends.profile import Profile, read_profile
from openlineage_facets.validation.code_catalogue import examples_of
from tests.cases import each
from tests.validation.backends.fact_examples import Example, base_event, examples

EXAMPLES = examples()
FILES = sorted((Path(catalogue.__file__).parent / "profiles").glob("*.toml"))


def facts_of(event: Any, backend: str) -> list[str]:
    found = validate(event, rules=False, backends=backend)
    assert all(finding.fact for finding in found), found  # The event is valid.
    return [finding.fact.partition("/")[2] for finding in found]


@each("example", EXAMPLES, ids=lambda example: f"{example.backend}/{example.fact}")
def test_a_fact_applies_to_its_event_and_not_to_the_other(example: Example) -> None:
    assert example.fact in facts_of(example.applies, example.backend)
    assert example.fact not in facts_of(example.not_applies, example.backend)


def test_each_fact_with_a_check_has_an_example() -> None:
    checked = {(name, fact.id) for name, one in known_profiles().items() for fact in one.fact if fact.check}
    assert {(example.backend, example.fact) for example in EXAMPLES} == checked
    assert len(checked) > 70


@each("path", FILES, ids=lambda path: path.stem)
def test_a_profile_has_the_form_that_its_json_schema_describes(path: Path) -> None:
    schema = json.loads((path.parent.parent / "profile.schema.json").read_text())
    errors = list(Draft202012Validator(schema).iter_errors({"name": path.stem, **read_toml(path)}))
    assert errors == []


def test_the_json_schema_is_that_of_the_class() -> None:
    path = Path(catalogue.__file__).parent / "profile.schema.json"
    assert json.loads(path.read_text()) == Profile.model_json_schema(), "run `tools/backends_page.py`"


@each("code", BACKEND_CODES)
def test_each_code_has_examples(code: str) -> None:
    shown = examples_of(code)
    assert len(shown["bad"]) == len(shown["good"]) == 1
    (bad,), (good,) = shown["bad"], shown["good"]
    assert code in [one.code for one in validate(bad.read_bytes(), backends="all")]
    assert code not in [one.code for one in validate(good.read_bytes(), backends="all")]
    assert validate(bad.read_bytes()) == []


def test_a_finding_names_backend_fact_version_evidence_and_remedy() -> None:
    event = base_event()
    event["job"]["facets"] = {"jobType": {**FACET, "processingType": "BATCH", "integration": "SQL"}}
    (finding,) = [one for one in validate(event, rules=False, backends="marquez") if one.severity == "error"]
    assert str(finding) == (
        "/job/facets/jobType/jobType: Marquez: refused: jobType is required in the facet jobType: status "
        "422, found nothing (marquez/job-type; tried, version 0.51.1); add jobType, such as JOB"
    )
    assert (finding.code, finding.to_dict()["fact"]) == ("OL702", "marquez/job-type")


FACET = {"_producer": "https://example.com/etl", "_schemaURL": "https://example.com/facet.json"}


def test_findings_are_errors_then_warnings_then_notes() -> None:
    event = {
        **base_event(),
        "eventType": "START",
        "producer": "urn:etl",
        "job": {"namespace": "", "name": "a.b"},
    }
    severities = [one.severity for one in validate(event, backends="all")]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    assert set(severities) == {"error", "warning", "note"}


def test_of_an_event_that_is_refused_as_a_whole_nothing_else_is_reported() -> None:
    event = {key: value for key, value in base_event().items() if key not in ("run", "eventType")}
    assert facts_of({**event, "producer": "urn:etl"}, "datahub") == ["only-runs"]


@each(
    "event",
    [
        {},
        {"run": 7, "job": [], "inputs": {}, "outputs": [7, None], "eventType": 7, "producer": None},
        {"run": {"facets": []}, "job": {"facets": {"jobType": 7}}, "inputs": [{"facets": {"symlinks": []}}]},
        {"run": {}, "job": {"name": 7, "namespace": {}}, "inputs": [{"facets": {"schema": {"fields": {}}}}]},
        {"dataset": {"facets": {"columnLineage": {"fields": [1]}, "dataSource": {"uri": 7}}}},
    ],
)
def test_an_event_of_any_form_is_checked(event: Any) -> None:
    validate(event, backends="all")


def test_a_text_of_any_length_is_checked_in_linear_time() -> None:
    event = base_event()
    for text in ("/1" * 500_000, "." * 1_000_000, "a:" * 500_000, "%" * 1_000_000):
        event["producer"] = event["job"]["name"] = event["inputs"][0]["namespace"] = text
        validate(event, rules=False, backends="all")


@each(
    ("backends", "names"),
    [
        ("marquez", ["marquez"]),
        ("Marquez, datahub,marquez", ["marquez", "datahub"]),
        (["datahub", "marquez"], ["datahub", "marquez"]),
        ("all", sorted(known_profiles())),
    ],
)
def test_backends_are_selected_by_name(backends: Any, names: list[str]) -> None:
    assert [profile.name for profile in profiles_of(backends)] == names


@each(
    ("name", "message"),
    [
        ("marqez", "did you mean 'marquez'?"),
        ("acme", "pass the path of a .toml file for another one"),
        ("", "expected the name of a backend, found an empty text"),
        ("none.toml", "none.toml: no such file or directory"),
    ],
)
def test_an_unknown_backend_is_an_error_with_the_known_ones(name: str, message: str) -> None:
    with pytest.raises(BackendError) as raised:
        profiles_of([name])
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


OWN = """
title = "Acme catalog"

[[fact]]
id = "only-acme"
says = "only jobs of acme are accepted"
effect = "refused"
evidence = "tried"
version = "4.2"
source = "https://acme.example.com/lineage"
value = { at = "/job/namespace", matches = "^acme" }
"""
VALUE = OWN.splitlines()[-1]


def test_a_profile_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(OWN)
    for backends in (path, str(path), f"marquez,{path}", read_profile(path), ["marquez", path]):
        assert [one.fact for one in validate(base_event(), backends=backends)] == ["acme/only-acme"]


@each(
    ("description", "least", "is_found"),
    [("orders", 6, False), ("", 1, True), (None, 1, True), (None, 0, False), ("deleted", 1, False)],
)
def test_what_is_absent_has_the_size_0_except_in_a_deleted_facet(
    description: str | None, least: int, is_found: bool, tmp_path: Path
) -> None:
    path = tmp_path / "acme.toml"
    place = "/job/facets/documentation/description"
    size = f'size = {{ of = "{place}", unit = "characters", least = {least} }}'
    path.write_text(OWN.replace(VALUE, size))
    event = base_event()
    facet = {"_producer": "https://example.com", "_schemaURL": "https://example.com/x.json"}
    content = {"_deleted": True} if description == "deleted" else {"description": description}
    event["job"]["facets"] = {
        "documentation": facet | {key: value for key, value in content.items() if value is not None}
    }
    found = validate(event, rules=False, backends=path)
    assert [finding.fact for finding in found if finding.fact] == ["acme/only-acme"] * is_found


@each(
    "check",
    [
        'size = { of = "/@datasets", unit = "characters", least = 1 }',
        'value = { at = "/@datasets", required = true }',
    ],
)
def test_a_dataset_is_not_missing_in_events_that_have_none(check: str, tmp_path: Path) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(OWN.replace(VALUE, check))
    assert validate(base_event(), rules=False, backends=path) == []


RENAME = 'rename = { at = "/job/name", matches = "(j)", to = '


@each(
    ("old", "new", "message"),
    [
        ('"refused"', '"lots"', ":7: fact.effect: expected 'refused', 'lost' or 'changed', found \"lots\""),
        ('"^acme"', '"("', ":11: fact.value.matches: expected a regular expression: missing ), "),
        ("[[fact]]", "[[facts]]", ":4: facts: expected a known key; did you mean fact?"),
        ('id = "only-acme"', "", ":4: fact.id: expected a value, found none; add id = ..."),
        ("value =", "reads = {}\nvalue =", ":4: fact: expected one check instead of value and reads, "),
        ("[[fact]]", f"[[fact]]{OWN.partition('[[fact]]')[2]}\n[[fact]]", "one fact with the id only-acme, "),
        ("title", "title = ", ": expected TOML: "),
        ("title", 'name = "Acme"\ntitle', ":2: name: expected "),
        (VALUE, 'value = { at = "/job/name" }', ":11: fact.value: expected required, absent, matches or "),
        (
            VALUE,
            'size = { unit = "items", most = 9 }',
            ":11: fact.size: expected `of`, as an event has no items",
        ),
        (VALUE, f'{RENAME}"{{1}}{{2}}" }}', ":11: fact.rename.to: expected {}, {/a/b} or a group of "),
        (VALUE, f'{RENAME}"x{{name}}" }}', ' a group of `matches` instead of {name}, found "x{name}"'),
    ],
)
def test_an_invalid_profile_is_an_error_with_the_location(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(OWN.replace(old, new))
    with pytest.raises(BackendError) as raised:
        read_profile(path)
    assert f"{path}" in str(raised.value)
    assert message in str(raised.value).replace(str(path), "")
    assert "\n" not in str(raised.value)


def test_a_profile_is_named_like_its_file_unless_it_has_a_name(tmp_path: Path) -> None:
    path = tmp_path / "Acme Catalog.toml"
    path.write_text(f'name = "acme"\n{OWN}')
    assert read_profile(path).name == "acme"
    path.write_text(OWN)
    with pytest.raises(BackendError, match="expected a file name such as acme-catalog.toml, or a `name`"):
        read_profile(path)


def test_installed_packages_add_profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(OWN)

    class Point:
        name = value = "acme"

        def load(self) -> Any:
            return path

    monkeypatch.setattr(catalogue, "entry_points", lambda group: [Point()])
    known_profiles.cache_clear()
    try:
        assert profiles_of("acme")[0].title == "Acme catalog"
        path.write_text(f'name = "marquez"\n{OWN}')
        known_profiles.cache_clear()
        with pytest.raises(BackendError, match="'marquez' is the name of another backend; rename it"):
            profiles_of("all")
    finally:
        known_profiles.cache_clear()
