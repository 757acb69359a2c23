"""Exchange events with systems that run here, and write docs/interoperability.md from the results.

    python -m tests.interop [SYSTEM...]

Exits with 1 if an event is lost without a reason, or a profile of a backend is wrong. With names of systems,
only these are tried, and the page stays as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from tests.conftest import ROOT
from tests.interop.airflow_parent import airflow
from tests.interop.exchanges import Exchange
from tests.interop.listener import spark_listener
from tests.interop.models import data_rentgen, openlineage_java, openmetadata
from tests.interop.programs import NotInstalled
from tests.interop.python_client import openlineage_python

PAGE = ROOT / "docs" / "interoperability.md"
HEADING = "## Results\n"
COLUMNS = ("system", "version", "sent", "accepted", "equal", "lost", "explained")

SYSTEMS: dict[str, Callable[[], Iterator[Exchange]]] = {
    "openlineage-java": openlineage_java,
    "openlineage-python": openlineage_python,
    "openlineage-spark": spark_listener,
    "airflow": airflow,
    "data-rentgen": data_rentgen,
    "openmetadata": openmetadata,
}


def main(names: Sequence[str]) -> int:
    """Try systems, all by default, print the table, and return the exit code."""
    unknown = [name for name in names if name not in SYSTEMS]
    if unknown:
        print(f"{unknown[0]}: unknown system; known: {', '.join(SYSTEMS)}", file=sys.stderr)
        return 2
    exchanges = [one for name in names or SYSTEMS for one in _tried(name)]
    print("\n".join(table(exchanges)))
    if not names:
        start = PAGE.read_text(encoding="utf-8").partition(HEADING)[0]
        PAGE.write_text(f"{start}{HEADING}\n{page(exchanges)}", encoding="utf-8")
    surprises = [f"{one.system}: {problem}" for one in exchanges for problem in one.unexplained]
    for surprise in surprises:
        print(f"unexplained: {surprise}", file=sys.stderr)
    return 1 if surprises else 0


def table(exchanges: Iterable[Exchange]) -> list[str]:
    """Return the lines of the table, one row for each system."""
    lines = [_row(COLUMNS), _row(["---", "---", *["---:"] * 5])]
    for one in exchanges:
        counts = [len(one.sent), one.accepted, one.equal, one.lost, one.explained]
        cells = ["not tried", *[""] * 4] if one.missing else [f"{count:,}" for count in counts]
        lines.append(_row([one.system, one.version, *cells]))
    return lines


def page(exchanges: Sequence[Exchange]) -> str:
    """Return the generated part of the page: the table, and the reasons by system."""
    lines = [*table(exchanges), "", "## What is lost, and why", ""]
    lines += [_row(["system", "events", "reason"]), _row(["---", "---:", "---"])]
    lines += [_row([one.system, "", one.missing]) for one in exchanges if one.missing]
    counts: dict[tuple[str, str], int] = {}
    for one in exchanges:
        for reason, count in one.reasons.most_common():
            key = one.system.partition(",")[0], reason  # The same for each transport.
            counts[key] = max(count, counts.get(key, 0))
    lines += [_row([system, f"{count:,}", reason]) for (system, reason), count in counts.items()]
    return "\n".join(lines) + "\n"


def _tried(name: str) -> Iterator[Exchange]:
    try:
        yield from SYSTEMS[name]()
    except NotInstalled as problem:
        yield Exchange(name, "", missing=f"not tried: {problem}")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
