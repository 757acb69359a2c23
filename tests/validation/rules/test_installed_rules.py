"""Other packages bring rules by entry point, and can't break validation."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from openlineage_facets.base.errors import Finding
from openlineage_facets.validation import codes, ruleset, validate
from openlineage_facets.validation.document import Document, Facet
from openlineage_facets.validation.rule import (
    end_rule,
    facet_rule,
    label_rule,
    name_rule,
    rule,
    stream_rule,
)
from openlineage_facets.validation.ruleset import RuleSet
from openlineage_facets.validation.run_state import Moment, RunState
from openlineage_facets.validation.stream import StreamRules
from tests.validation.rules.examples import RULE_EXAMPLES, events

GOOD = next(events(path)[0] for path in RULE_EXAMPLES if path.parts[-3:-1] == ("OL107", "good"))
SEE = "https://acme.example.com/lineage"


@rule("ACME1", "Job without an owner", see=SEE, severity="error")
def job_owner(document: Document) -> Iterator[Finding]:
    """Every job has an owner, so that somebody can be asked."""
    if document.job and not document.job.facet("ownership"):
        yield Finding("/job/facets", "an ownership facet", "none")


@facet_rule("ACME2", "Query too long", see=SEE, keys=["sql"])
def short_query(facet: Facet) -> Iterator[Finding]:
    """Queries are short."""
    if len(facet.value["query"]) > 3:
        yield Finding("/query", "3 letters", "more")


@stream_rule("ACME3", "A run that fails", see=SEE)
def failure(moment: Moment, run: RunState) -> Iterator[Finding]:
    """Runs do not fail."""
    if moment.event_type == "FAIL" and run.started:
        yield Finding("/eventType", "COMPLETE", "FAIL")


@rule("ACME4", "A rule that raises", see=SEE)
def raises(document: Document) -> Iterator[Finding]:
    """It raises."""
    raise RuntimeError("no luck")
    yield


@rule("ACME5", "A rule that tells all", see=SEE)
def tells_all(document: Document) -> Iterator[Finding]:
    """It repeats what it was given."""
    yield Finding("", "no postgres://ana:xyzzy@db", "?password=xyzzy", "drop postgres://ana:xyzzy@db")


@rule("OL101", "A rule with a code that is taken", see=SEE)
def taken(document: Document) -> Iterator[Finding]:
    """It would hide another."""
    yield Finding("", "x", "y")


@rule("OL012", "A rule with a code of the schemas", see=SEE)
def taken_from_the_schemas(document: Document) -> Iterator[Finding]:
    """It would explain another."""
    yield Finding("", "x", "y")


class Point:
    """An entry point."""

    def __init__(self, found: Any) -> None:
        self.name, self.value, self._found = "acme", "acme_rules:rules", found

    def load(self) -> Any:
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that installs entry points."""

    def install(*found: Any) -> None:
        points = [Point(one) for one in found]
        monkeypatch.setattr(
            ruleset, "entry_points", lambda group: points if group == "openlineage_facets.rules" else []
        )
        forget()

    def forget() -> None:
        ruleset._installed.cache_clear()
        codes.catalogue.cache_clear()

    yield install
    monkeypatch.undo()
    forget()


def found() -> list[tuple[str, str, str]]:
    return [(finding.code, finding.severity, finding.pointer) for finding in validate(GOOD)]


@pytest.mark.parametrize(
    "brought",
    [SimpleNamespace(a=job_owner, b=short_query, c=3), [job_owner, short_query]],
    ids=["module", "list"],
)
def test_rules_of_a_module_or_a_list_are_run(install: Any, brought: Any) -> None:
    install(brought)
    assert sorted(found()) == [
        ("ACME1", "error", "/job/facets"),
        ("ACME2", "warning", "/job/facets/sql/query"),
    ]


def test_a_rule_on_streams_is_run(install: Any) -> None:
    install(failure)
    rules = StreamRules()
    start = Moment("1", "START", None, "etl", "orders")
    seen = [*rules.see_moment(start), *rules.see_moment(start._replace(event_type="FAIL"))]
    assert [finding.code for finding in seen] == ["ACME3"]


def test_an_installed_rule_is_in_the_catalogue(install: Any) -> None:
    install(job_owner)
    assert codes.explain("acme1").page == "Every job has an owner, so that somebody can be asked."
    assert codes.explain("acme1").severity == "error"


@pytest.mark.parametrize(
    ("brought", "named"),
    [
        (raises, "ACME4 (A rule that raises) to judge the event, found RuntimeError: no luck"),
        (
            ImportError("no module named acme"),
            "acme (acme_rules:rules) to judge the event, found Import",
        ),
        (taken, "found ValueError: OL101 is the code of another rule"),
        (taken_from_the_schemas, "found ValueError: OL012 begins like the codes of this package, OL"),
    ],
    ids=["raises", "is not to be imported", "has the code of another", "has a code of the schemas"],
)
def test_a_rule_that_is_broken_is_named_and_the_others_go_on(install: Any, brought: Any, named: str) -> None:
    install(brought, short_query)
    broken, *rest = sorted(validate(GOOD), key=lambda finding: finding.code, reverse=True)
    assert (broken.code, broken.severity) == ("OL900", "warning")
    assert named in str(broken)
    assert [finding.code for finding in rest] == ["ACME2"]


@pytest.mark.parametrize("code", ["", "acme1", "1", "ACME 1", "ACME,1", None])
def test_a_code_that_is_none_is_refused_where_the_rule_is_written(code: Any) -> None:
    with pytest.raises(ValueError, match="expected a code of capital letters and digits, such as ACME1"):
        rule(code, "No code", see=SEE)(lambda document: [])


def test_a_rule_of_another_package_tells_no_password(install: Any) -> None:
    install(tells_all)
    [finding] = validate(GOOD)
    assert finding.message == "expected no postgres://***@db, found ?password=***; drop postgres://***@db"


YIELDED: dict[str, Any] = {
    "a tuple": ("/x", "an owner", "none"),
    "a number": 5,
    "a class": Finding,
    "a finding without a pointer": Finding(None, "an owner", "none"),  # type: ignore[arg-type]
    "a finding of numbers": Finding("/x", "an owner", 7),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", YIELDED)
@pytest.mark.parametrize("decorator", [rule, label_rule, name_rule, stream_rule, end_rule])
def test_a_rule_that_yields_no_finding_is_named(what: str, decorator: Any) -> None:
    slip = decorator("ACME6", "A first rule", see=SEE)(lambda *_: [YIELDED[what]])
    streams = StreamRules([slip])
    document = Document(
        {
            "run": {"runId": "1", "facets": {"acme_cost": {}}},
            "job": {"namespace": "etl", "name": "orders"},
            "inputs": [{"namespace": "s3://lake", "name": "orders"}],
        }
    )
    found = [
        *RuleSet([slip]).check(document),
        *streams.see(document),
        *(finding for _, finding in streams.finish()),
    ]
    assert [(finding.code, finding.severity) for finding in found] == [("OL900", "warning")]
    assert "ACME6 (A first rule) to judge the event, found TypeError: " in str(found[0])
    assert ", found" in found[0].found


def test_an_unknown_code_has_no_page() -> None:
    with pytest.raises(KeyError):
        codes.explain("OL999")
