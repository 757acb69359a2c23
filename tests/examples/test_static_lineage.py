"""The static lineage examples emit valid events and print the resulting state."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from runpy import run_path

import pytest

from openlineage_facets import RunEvent, parse_event, validate
from tests.cases import each
from tests.conftest import ROOT
from tests.events import folded

FOLDER = ROOT / "examples" / "static_lineage"

PRINTED = {
    "bootstrap_jobs": [
        "core.orders -> orders.audit",
        "core.orders -> orders.daily",
        "core.rates -> orders.daily",
        "raw.orders -> orders.load",
        "orders.audit -> mart.audit",
        "orders.daily -> mart.daily",
        "orders.load -> core.orders",
    ],
    "ownership_change": ["owner in February: team:sales", "owner now: team:finance"],
    "external_facets": [
        "dataQualityMetrics, from https://quality.example.com/v1/checks",
        "documentation, from https://catalog.example.com/v4/import",
        "tags, from https://catalog.example.com/v4/import",
    ],
    "symlink": ["curated/daily -> revenue", "orders_daily -> curated/daily"],
    "dataset_before_access": ["orders.load read raw/orders: id, amount"],
    "connect_datasets": [
        "core.orders -> mart.revenue_view",
        "core.orders.amount -> mart.revenue_view.revenue",
    ],
}
"""The lines that each example prints after its events."""


def test_every_use_case_has_an_example() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(PRINTED)


@each("name", PRINTED)
def test_an_example_prints_valid_events_and_their_state(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    emitted = [line for line in lines if line.startswith("{")]
    assert [parse_event(line).to_json().decode() for line in emitted] == emitted
    assert emitted
    assert lines[len(emitted) :] == PRINTED[name]


@each("name", PRINTED)
def test_the_events_of_an_example_have_no_run_and_are_accepted_in_any_order(name: str) -> None:
    events = run_path(str(FOLDER / f"{name}.py"))["events"]()
    assert name == "dataset_before_access" or not any(isinstance(event, RunEvent) for event in events)
    # Backends refuse no more than the kind of event.
    errors = [one for event in events for one in validate(event, backends="all") if one.severity == "error"]
    assert {one.code for one in errors} <= {"OL703"}
    assert "marquez" not in {one.fact.partition("/")[0] for one in errors}
    state = folded(*events)
    assert all(folded(*order) == state for order in permutations(events))
