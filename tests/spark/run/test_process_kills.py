"""After kill -9 of drivers and executors, no emitted event is lost, and the results are unchanged.

Set `OPENLINEAGE_FACETS_KILLS=50` for more kills than in `make test`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.spark.run.process_kills import kill_driver, kill_executors

pytestmark = pytest.mark.thorough

KILLS = int(os.environ.get("OPENLINEAGE_FACETS_KILLS", "3"))


@pytest.mark.usefixtures("spark")  # Sets JAVA_HOME.
@pytest.mark.parametrize("number", range(KILLS // 2))
def test_events_of_a_killed_driver_are_delivered(tmp_path: Path, number: int) -> None:
    outcome = kill_driver(tmp_path / "job")
    assert outcome.violations() == []
    assert outcome.emitted


@pytest.mark.usefixtures("spark")
def test_killed_executors_do_not_change_the_events(tmp_path: Path) -> None:
    outcome = kill_executors(tmp_path / "job", KILLS - KILLS // 2)
    assert outcome.violations() == []
    assert (outcome.killed > 0, outcome.ended) == (True, True)
    assert {tuple(kinds) for kinds in outcome.emitted.values()} == {
        ("START", "RUNNING", "RUNNING", "COMPLETE")
    }
