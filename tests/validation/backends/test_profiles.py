"""Profiles say what backends refuse, lose or change, and each fact that can be checked is checked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.toml_file import read_toml
from openlineage_facets.validation import validate
from openlineage_facets.validation.backends import catalogue
from openlineage_facets.validation.backends.catalogue import BackendError, known_profiles, profiles_of
from openlineage_facets.validation.backends.profile import Profile, read_profile
from tests.cases import each
from tests.validation.backends.fact_examples import Example, base_event, event_with, examples

EXAMPLES = examples()


def findings_of(event: Any, backend: str) -> dict[str, Finding]:
    """Return the findings of a valid event by the names of the facts."""
    found = validate(event, rules=False, backends=backend)
    assert all(finding.fact for finding in found), found
    return {finding.fact.partition("/")[2]: finding for finding in found}


@each("example", EXAMPLES, ids=lambda example: f"{example.backend}/{example.fact}")
def test_a_fact_applies_to_its_event_and_not_to_the_other_and_nothing_else_is_refused(
    example: Example,
) -> None:
    found, others = (findings_of(one, example.backend) for one in (example.applies, example.not_applies))
    assert example.fact in found
    assert example.fact not in others
    refused = [finding for finding in (*found.values(), *others.values()) if finding.severity == "error"]
    assert bool(refused) == (found[example.fact].severity == "error"), refused
    assert not any(finding.severity == "error" for finding in others.values())


PARENT = {"run": {"runId": "0194c1d0-5a00-7c3e-9f10-2b7d4e8a6c32"}, "job": {"namespace": "etl", "name": "a"}}
GITHUB = "https://github.com"


def with_input(namespace: str, name: str) -> Any:
    return {"inputs": [{"namespace": namespace, "name": name}]}


def with_engine(version: str) -> Any:
    return {"run": {"facets": {"processing_engine": {"version": version, "openlineageAdapterVersion": "1"}}}}


@each(
    ("fact", "change", "applies"),
    [
        ("datahub/opaque-producer", {"producer": "https://example.com"}, True),
        ("datahub/opaque-producer", {"producer": "https://example.com//"}, True),
        ("datahub/opaque-producer", {"producer": "https://example.com?team=/etl"}, True),
        ("datahub/opaque-producer", {"producer": "https://example.com/etl/"}, False),
        ("datahub/opaque-producer", {"producer": "file:/etl"}, False),
        (
            "datahub/opaque-producer-of-parent",
            {"run": {"facets": {"parent": {"_producer": "https://example.com/", **PARENT}}}},
            True,
        ),
        ("datahub/versioned-producer", {"producer": f"{GITHUB}/OpenLineage/OpenLineage/tree/1.40.1"}, True),
        ("datahub/versioned-producer", {"producer": f"{GITHUB}/apache/airflow/tree/3.1"}, False),
        ("datahub/job-owners", {"job": {"facets": {"ownership": {"owners": [{"name": "a"}]}}}}, True),
        ("datahub/dataset-without-uri", with_input("file", "/data/my file.csv"), False),
        ("datahub/dataset-without-uri", with_input("bigquery", "p.d.t {x}"), False),
        ("datahub/dataset-without-uri", with_input("s3://lake", "raw[1]"), True),
        ("datahub/dataset-without-uri", with_input("s3://[::1]:9000", "raw?[1]"), False),
        ("datahub/dataset-without-uri", with_input("s3://lake", "a#b#c"), True),
        ("datahub/dataset-without-uri", with_input("s3://lake", "größe#b"), False),
        ("datahub/dataset-without-uri", with_input("s3://lake", "a\u00a0b"), True),
        ("datahub/dataset-without-uri", with_input("s3://lake", "a\u2003b"), True),
        ("datahub/dataset-without-uri", with_input("s3://lake", "a\u0085b"), True),
        ("datahub/dataset-without-uri", with_input("my_db://host", "a"), True),
        ("datahub/dataset-without-uri", with_input("jdbc:db2://host", "a"), False),
        ("data-rentgen/engine-version", with_engine("1!4.0rc1.post2.dev3+ab.c"), False),
        ("data-rentgen/engine-version", with_engine("3.5.1-1"), False),
        ("data-rentgen/engine-version", with_engine("3.5.1-amzn-0"), True),
        ("correlator/ports", with_input("postgres://db:5432", "a"), False),
    ],
)  # fmt: skip
def test_a_fact_applies_as_the_code_of_the_backend_decides(fact: str, change: Any, applies: bool) -> None:
    backend, _, name = fact.partition("/")
    assert (name in findings_of(event_with(change), backend)) == applies


def test_two_changes_of_a_value_are_one_finding_with_the_result() -> None:
    event = event_with(with_input("postgres://db:5432", "a"))
    (finding,) = findings_of(event, "correlator").values()
    assert 'found "postgres://db:5432", which becomes "postgresql://db"' in str(finding)


def test_each_fact_with_a_check_has_an_example() -> None:
    checked = {(name, fact.id) for name, one in known_profiles().items() for fact in one.fact if fact.check}
    assert {(example.backend, example.fact) for example in EXAMPLES} == checked
    assert len(checked) > 70


def test_the_json_schema_of_profiles_is_that_of_the_class_and_describes_each_profile() -> None:
    folder = Path(catalogue.__file__).parent
    schema = json.loads((folder / "profile.schema.json").read_text())
    assert schema == Profile.model_json_schema(), "run `tools/backends_page.py`"
    for path in (folder / "profiles").glob("*.toml"):
        assert not list(Draft202012Validator(schema).iter_errors({"name": path.stem, **read_toml(path)}))


def test_a_finding_names_backend_fact_version_evidence_and_remedy() -> None:
    job_type = {"processingType": "BATCH", "integration": "SQL"}
    finding = findings_of(event_with({"job": {"facets": {"jobType": job_type}}}), "marquez")["job-type"]
    assert str(finding) == (
        "/job/facets/jobType/jobType: Marquez: refused: jobType is required in the facet jobType: status "
        "422, found nothing (marquez/job-type; tried, version 0.51.1); add jobType, such as JOB"
    )
    assert (finding.code, finding.to_dict()["fact"]) == ("OL702", "marquez/job-type")


def test_findings_are_errors_then_warnings_then_notes() -> None:
    changes = {"eventType": "START", "producer": "urn:etl", "job": {"namespace": "", "name": "a.b"}}
    event = base_event() | changes
    severities = [one.severity for one in validate(event, backends="all")]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    assert set(severities) == {"error", "warning", "note"}


def test_of_what_is_no_event_backends_report_nothing() -> None:
    assert {finding.fact for finding in validate({"eventTime": "2026"}, backends="all")} == {""}


def test_of_an_event_that_is_refused_as_a_whole_nothing_else_is_reported() -> None:
    event = {key: value for key, value in base_event().items() if key not in ("run", "eventType")}
    assert list(findings_of({**event, "producer": "urn:etl"}, "datahub")) == ["only-runs"]


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


def regexes_of(value: Any) -> set[str]:
    """Return the regular expressions in a part of a profile."""
    if isinstance(value, dict):
        own = {value[key] for key in ("matches", "excludes") if isinstance(value.get(key), str)}
        return own.union(*map(regexes_of, value.values()))
    return set().union(*map(regexes_of, value)) if isinstance(value, (list, tuple)) else set()


REGEXES = sorted(regexes_of([profile.model_dump() for profile in known_profiles().values()]))


@each("regex", REGEXES)
def test_a_text_that_repeats_a_part_of_a_regex_is_checked_in_linear_time(regex: str) -> None:
    for part in set(re.findall(r"[A-Za-z0-9]{1,2}|[-_.:/#]", regex)):
        for before in ("", "1", "s3://a"):
            for count in (20, 2000):  # With 20 parts, exponential time is 4 s.
                start = process_time()
                re.search(regex, f"{before}{part * count}!")
                assert process_time() - start < 1


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


OTHER_MARQUEZ = Profile(name="marquez", title="Our Marquez")


@each(
    ("backends", "message"),
    [
        ([Profile(title="Acme")], "Acme: expected a profile with a name, found none; add `name`"),
        (
            ["marquez", OTHER_MARQUEZ],
            "Marquez and Our Marquez: expected names that differ, found 'marquez'",
        ),
        (["marqez"], "did you mean 'marquez'?"),
        (["acme"], "pass the path of a .toml file for another one"),
        ([""], "expected the name of a backend, found an empty text"),
        (["none.toml"], "none.toml: no such file or directory"),
    ],
)
def test_an_unknown_backend_or_one_without_a_name_of_its_own_is_an_error(backends: Any, message: str) -> None:
    with pytest.raises(BackendError) as raised:
        profiles_of(backends)
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
    size = f'size = {{ of = "{place}", unit = "characters", least = {least}, most = 9 }}'
    path.write_text(OWN.replace(VALUE, size))
    content = {"_deleted": True} if description == "deleted" else {"description": description}
    event = event_with({"job": {"facets": {"documentation": content}}})
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
        (
            "value =",
            'reads = { kinds = ["run"] }\nvalue =',
            ":4: fact: expected one check instead of value and reads, ",
        ),
        ("[[fact]]", f"[[fact]]{OWN.partition('[[fact]]')[2]}\n[[fact]]", "one fact with the id only-acme, "),
        ("title", "title = ", ": expected TOML: "),
        ("title", 'name = "Acme"\ntitle', ":2: name: expected "),
        (VALUE, 'value = { at = "/job/name" }', ":11: fact.value: expected required, absent, matches or "),
        (
            VALUE,
            'size = { unit = "items", most = 9 }',
            ":11: fact.size: expected `of`, as an event has no items",
        ),
        (VALUE, "size = {}", ":11: fact.size: expected least or most"),
        (
            VALUE,
            'size = { unit = "links", of = "/inputs", most = 9 }',
            ":11: fact.size: expected no `of`, as links are those of the event",
        ),
        (VALUE, "reads = {}", ":11: fact.reads: expected kinds, types, fields or facets_of"),
        (
            VALUE,
            'reads = { but = ["tags"] }',
            ":11: fact.reads: expected `facets_of` together with `only` or `but`",
        ),
        (
            VALUE,
            'reads = { kinds = ["run"], facets_of = ["job"] }',
            ":11: fact.reads: expected `facets_of` together with `only` or `but`",
        ),
        (VALUE, 'reads = { types = ["complete"] }', ":11: fact.reads.types"),
        (
            VALUE,
            'value = { at = "/job/name", required = true, every = true }',
            ":11: fact.value: expected `at` to end with `/*/key`, as `every` is about the items of a list",
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
