"""kill -9: the job's result is unchanged, and no event that was emitted is lost or out of order.

`OPENLINEAGE_FACETS_KILLS=50` kills more often than `make test` does: drivers, and executors of a little
cluster.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.spark.run.kills import kill_driver, kill_executors

KILLS = int(os.environ.get("OPENLINEAGE_FACETS_KILLS", "3"))


@pytest.mark.usefixtures("spark")  # It says where Java is.
@pytest.mark.parametrize("number", range(KILLS // 2))
def test_events_of_a_killed_driver_are_delivered(tmp_path: Path, number: int) -> None:
    outcome = kill_driver(tmp_path / "job")
    assert outcome.faults() == []
    assert outcome.emitted


@pytest.mark.usefixtures("spark")
def test_a_job_whose_executors_are_killed_is_told_as_if_nothing_had_happened(tmp_path: Path) -> None:
    outcome = kill_executors(tmp_path / "job", KILLS - KILLS // 2)
    assert outcome.faults() == []
    assert (outcome.killed > 0, outcome.ended) == (True, True)
    assert {tuple(kinds) for kinds in outcome.emitted.values()} == {
        ("START", "RUNNING", "RUNNING", "COMPLETE")
    }
