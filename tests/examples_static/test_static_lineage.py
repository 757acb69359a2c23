"""Each use case of static lineage, as the examples show it, emits valid events and reads as told."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations
from pathlib import Path
from runpy import run_path

import pytest

from openlineage_facets import RunEvent, parse_event
from openlineage_facets.state import LineageState
from tests.conftest import ROOT

FOLDER = ROOT / "examples" / "static_lineage"

TOLD = {
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
        "dataQualityMetrics, from https://quality.example.com/v1",
        "documentation, from https://catalog.example.com/v4",
        "tags, from https://catalog.example.com/v4",
    ],
    "symlink": ["curated/daily -> revenue", "orders_daily -> curated/daily"],
    "dataset_before_access": ["orders.load read raw/orders: id, amount"],
    "connect_datasets": [
        "core.orders -> mart.revenue_view",
        "core.orders.amount -> mart.revenue_view.revenue",
    ],
}
"""What each example says in the end, after the events it emits."""


def test_there_is_an_example_of_every_use_case() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(TOLD)


@pytest.mark.parametrize("name", TOLD)
def test_an_example_prints_valid_events_and_what_they_add_up_to(name: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", FOLDER / f"{name}.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    emitted = [line for line in lines if line.startswith("{")]
    assert [parse_event(line).to_json().decode() for line in emitted] == emitted
    assert emitted
    assert lines[len(emitted) :] == TOLD[name]


@pytest.mark.parametrize("name", TOLD)
def test_an_example_reads_the_same_in_any_order(name: str) -> None:
    events = run_path(str(FOLDER / f"{name}.py"))["events"]()
    states = []
    for order in permutations(events):
        state = LineageState()
        for event in order:
            state.apply(event)
        states.append(state)
    assert all(state == states[0] for state in states)


@pytest.mark.parametrize("name", sorted(TOLD.keys() - {"dataset_before_access"}))
def test_static_lineage_needs_no_run(name: str) -> None:
    events = run_path(str(FOLDER / f"{name}.py"))["events"]()
    assert not any(isinstance(event, RunEvent) for event in events)
