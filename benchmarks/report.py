"""The table of ratios, and the page that keeps it."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version

from benchmarks.floors import Floor
from benchmarks.growth import Growth

PACKAGES = (
    "openlineage-facets",
    "pydantic",
    "pydantic_core",
    "openlineage-python",
    "jsonschema",
    "jsonschema-rs",
    "check-jsonschema",
    "orjson",
    "msgspec",
)


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Args:
        work: What was done.
        beside: What else did it.
        ours: What it cost us.
        theirs: What it cost the other.
        ratio: How many times as fast, or as small, we are.
        goal: What the ratio shall be at least.
    """

    work: str
    beside: str
    ours: str
    theirs: str
    ratio: float
    goal: float

    @property
    def verdict(self) -> str:
        """Whether the goal is met."""
        return "met" if self.ratio >= self.goal else "not met"


def shown_seconds(seconds: float) -> str:
    """Spell a time with three digits."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:,.3g} s"


def shown_bytes(count: float) -> str:
    """Spell a number of bytes."""
    return f"{count:,.0f} B" if count < 1e6 else f"{count / 2**20:.1f} MiB"


def table(rows: list[Row]) -> str:
    """Return the table as Markdown."""
    lines = [
        "| work | beside | ours | theirs | times as good | goal | |",
        "| --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    lines += [
        f"| {row.work} | {row.beside} | {row.ours} | {row.theirs} "
        f"| {row.ratio:.3g} | {row.goal:.3g} | {row.verdict} |"
        for row in rows
    ]
    return "\n".join(lines)


def floor_table(floors: list[Floor]) -> str:
    """Return the floors as Markdown."""
    lines = ["| part | takes | of what we take to | which is |", "| --- | ---: | --- | ---: |"]
    lines += [
        f"| {floor.part} | {shown_seconds(floor.seconds)} | {floor.whole} | {shown_seconds(floor.ours)} |"
        for floor in floors
    ]
    return "\n".join(lines)


def page(rows: list[Row], floors: list[Floor], growths: list[Growth], remarks: str) -> str:
    """Return the whole page.

    Args:
        rows: The table.
        floors: What pydantic takes for parts of the work.
        growths: The plots, already drawn.
        remarks: What stands below the table, written by hand.
    """
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    parts = [
        "# Results",
        "Written by `make bench`; the remarks are kept in `benchmarks/remarks.md`. Each row is one piece of "
        "work, done by both sides in turn in one run. Times are the best round; the ratio is that of the "
        "median round, above 1 where this package is the faster, or the smaller.",
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}; {packages}.",
        table(rows),
        remarks.strip(),
        "## Floors",
        "What pydantic itself takes for a part of the work, in the same run.",
        floor_table(floors),
        "## Growth",
        *(_described(growth) for growth in growths),
    ]
    return "\n\n".join(parts) + "\n"


def _described(growth: Growth) -> str:
    last = growth.points[-1]
    share = (
        f", {last.memory / last.wire:.1f} bytes of memory for each byte of JSON"
        if growth.name != "events"
        else ""
    )
    return (
        f"![{growth.work}, by {growth.axis}](growth-{growth.name}.png)\n\n"
        f"{growth.work.capitalize()}, by {growth.axis}: at {last.size:,}, {shown_seconds(last.seconds)} and "
        f"{shown_bytes(last.memory)} more than at {growth.points[0].size:,} "
        f"({shown_bytes(last.wire)} of JSON{share}). "
        f"Time grows with the power {growth.exponent:.2f} of the size in the larger half."
    )
