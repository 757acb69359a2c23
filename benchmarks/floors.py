"""What pydantic itself costs for a part of the same work: below it nothing built on pydantic gets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, StrictStr
from pydantic_core import from_json, to_json

from benchmarks import ours
from benchmarks.facts import facts
from benchmarks.measure import in_turn
from openlineage_facets import RunEvent, parse_event


class _Leaf(BaseModel):
    """As many fields as a row has in the middle."""

    model_config = ConfigDict(extra="allow", frozen=True)
    name: StrictStr
    type: StrictStr | None = None
    description: StrictStr | None = None


@dataclass(frozen=True)
class Floor:
    """One part of the work, and what the whole of it costs us.

    Args:
        part: What pydantic does.
        seconds: What it costs.
        whole: What we do with it.
        ours: What that costs.
    """

    part: str
    seconds: float
    whole: str
    ours: float


def floors(rounds: int) -> Iterator[Floor]:
    """Measure each floor in turn with what stands on it."""
    reference = facts(20)
    event = ours.event_of_rows(reference)
    wire = event.to_json()
    document = json.loads(wire)

    def leaves() -> None:
        for _ in range(_values_of(event)):
            _Leaf(name="column", type="decimal(12,2)", description="As measured.")

    works: list[tuple[str, Callable[[], object], str, Callable[[], object]]] = [
        (
            "`pydantic_core.from_json`, to dicts alone",
            lambda: from_json(wire),
            "read",
            lambda: parse_event(wire),
        ),
        (
            "`validate_json` of the event's class alone",
            lambda: RunEvent.__pydantic_validator__.validate_json(wire, strict=True),
            "read",
            lambda: parse_event(wire),
        ),
        (
            "`pydantic_core.to_json` of the same as dicts",
            lambda: to_json(document),
            "serialize",
            event.to_json,
        ),
        (
            f"{_values_of(event)} plain pydantic models of three fields",
            leaves,
            "compose, rows as values",
            lambda: ours.event_of_values(reference),
        ),
    ]
    for part, floor, whole, work in works:
        timing = in_turn(work, floor, rounds)
        yield Floor(part, timing.theirs, whole, timing.ours)


def _values_of(event: RunEvent) -> int:
    """Count the rows, and the rows within rows, of the event's facets."""
    count = 0
    for dataset in (*(event.inputs or ()), *(event.outputs or ())):
        schema = dataset.facets and dataset.facets.schema
        lineage = dataset.facets and dataset.facets.column_lineage
        count += len(schema.fields or ()) if schema else 0
        for sources in (lineage.fields if lineage else {}).values():
            count += 1 + sum(1 + len(one.transformations or ()) for one in sources.input_fields)
    return count
