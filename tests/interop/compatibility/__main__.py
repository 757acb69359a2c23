"""Run OpenLineage's compatibility tests with this package as producer and consumer.

    python -m tests.interop.compatibility COMPAT [--events FOLDER]

COMPAT is the folder of the tests, with `scripts/`, and `consumer/scenarios/` unless --events names another
folder with its content. Writes a producer, a consumer and their reports to the folder `compat`. Exits with 1
if a validator of the tests reports a failure, or if a valid event could not be read without a difference.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.interop.compatibility.consumer import consume
from tests.interop.compatibility.producer import produce
from tests.interop.programs import NotInstalled

TARGET = ROOT / "compat"


def main() -> int:
    """Run the tests, print their results, and return the exit code."""
    parser = argparse.ArgumentParser(description="Run OpenLineage's compatibility tests.")
    parser.add_argument("tests", type=Path, metavar="COMPAT", help="folder of the compatibility tests")
    parser.add_argument("--events", type=Path, metavar="FOLDER", help="the events of the consumer scenarios")
    options = parser.parse_args()
    tests = options.tests.resolve()
    events = options.events or tests / "consumer" / "scenarios"
    for needed in (tests / "scripts" / "validate_ol_events.py", events):
        if not needed.exists():
            print(f"{needed}: does not exist; pass the folder of the compatibility tests", file=sys.stderr)
            return 2
    shutil.rmtree(TARGET, ignore_errors=True)
    try:
        produced = produce(tests / "scripts", TARGET)
    except NotInstalled as problem:
        print(f"the validators need an environment: {problem}", file=sys.stderr)
        return 2
    consumed = consume(events.resolve(), TARGET)
    print("\n".join(_table([*produced, *consumed])))
    failures = [test for one in produced for test in _tests(one) if test["status"] != "SUCCESS"]
    for test in [*failures, *(test for one in consumed for test in _tests(one) if test["details"])]:
        print(f"{test['name']}: {'; '.join(test['details'])}", file=sys.stderr)
    # An invalid event is expected to fail, with the pointer of what is wrong.
    lossy = [
        test
        for one in consumed
        for test in _tests(one)
        if any("/" not in text[:1] for text in test["details"])
    ]
    return 1 if failures or lossy else 0


def _table(components: list[dict[str, Any]]) -> list[str]:
    lines = ["| role | scenario | tests | success | failure |", "| --- | --- | ---: | ---: | ---: |"]
    for component in components:
        for scenario in component["scenarios"]:
            count = Counter(test["status"] for test in scenario["tests"])
            cells = [component["component_type"], scenario["name"], len(scenario["tests"])]
            lines.append(f"| {' | '.join(map(str, [*cells, count['SUCCESS'], count['FAILURE']]))} |")
    return lines


def _tests(component: dict[str, Any]) -> list[dict[str, Any]]:
    return [test for scenario in component["scenarios"] for test in scenario["tests"]]


if __name__ == "__main__":
    raise SystemExit(main())
