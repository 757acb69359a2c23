"""Exchange events with systems that run here, and write docs/interoperability.md from the results.

    python -m tests.interop [SYSTEM...]

Exits with 1 if an event is lost without a reason, or a profile of a backend is wrong. With names of systems,
only these are tried, and the rows of others stay as they are.
"""

from __future__ import annotations

import re
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
LOSSES = "## What is lost, and why\n"
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
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), exchanges), encoding="utf-8")
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


def page(old: str, exchanges: Sequence[Exchange]) -> str:
    """Return the page with the rows of the exchanges instead of those of their systems."""
    introduction, _, tables = old.partition(HEADING)
    results, _, losses = tables.partition(LOSSES)
    tried = {_system(one.system) for one in exchanges}
    head, rows = table(exchanges)[:2], table(exchanges)[2:]
    lines = ["", *head, *_merged(results, rows, tried), "", LOSSES, _row(["system", "events", "reason"])]
    lines += [_row(["---", "---:", "---"]), *_merged(losses, _reasons(exchanges), tried)]
    return introduction + HEADING + "\n".join(lines) + "\n"


def _reasons(exchanges: Iterable[Exchange]) -> list[str]:
    """Return the rows that say why something is lost, or was not tried."""
    rows = [_row([one.system, "", one.missing]) for one in exchanges if one.missing]
    counts: dict[tuple[str, str], int] = {}
    for one in exchanges:
        for reason, count in one.reasons.most_common():
            key = one.system.partition(",")[0], reason  # The same for each transport.
            counts[key] = max(count, counts.get(key, 0))
    return rows + [_row([system, f"{count:,}", reason]) for (system, reason), count in counts.items()]


def _merged(old: str, new: Sequence[str], tried: set[str]) -> list[str]:
    """Return rows in the order of systems: the new ones, and the old ones of systems that were not tried."""
    kept = [row for row in old.splitlines() if _system(row) in SYSTEMS and _system(row) not in tried]
    return sorted([*kept, *new], key=lambda row: list(SYSTEMS).index(_system(row)))


def _system(row: str) -> str:
    """Return the name of the system in the first cell of a row."""
    return re.split("[|,]", row.lstrip("| "))[0].strip().lower()


def _tried(name: str) -> Iterator[Exchange]:
    try:
        yield from SYSTEMS[name]()
    except NotInstalled as problem:
        yield Exchange(name, "", missing=f"not tried: {problem}")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
