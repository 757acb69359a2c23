"""Time of pydantic alone for parts of a task: the lower bound for packages built on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, StrictStr, TypeAdapter
from pydantic_core import from_json, to_json

from benchmarks import msgspec_events, our_events
from benchmarks.sample_data import sample_data
from benchmarks.timing import alternate
from benchmarks.typed_dict_schema import typed_dict_validator
from openlineage_facets import RunEvent, parse_event
from openlineage_facets.validation import validate


class _Leaf(BaseModel):
    """Model with the average number of fields of nested items."""

    model_config = ConfigDict(extra="allow", frozen=True)
    name: StrictStr
    type: StrictStr | None = None
    description: StrictStr | None = None


@dataclass(frozen=True)
class Floor:
    """Time of pydantic for a part of a task.

    Args:
        part: What pydantic does.
        seconds: Its time.
        task: Our task that includes the part.
        ours: Our time for the task.
    """

    part: str
    seconds: float
    task: str
    ours: float


def floors(rounds: int) -> Iterator[Floor]:
    """Measure each floor together with its task."""
    reference = sample_data(20)
    event = our_events.event_from_dicts(reference)
    wire = event.to_json()
    document = json.loads(wire)

    count = _nested_items_of(event)

    def leaves() -> tuple[_Leaf, ...]:
        return tuple(
            [_Leaf(name="column", type="decimal(12,2)", description="As measured.") for _ in range(count)]
        )

    composed, of_objects = leaves(), our_events.event_from_objects(reference)
    plain_models = TypeAdapter(tuple[_Leaf, ...])
    typed_dicts = typed_dict_validator(msgspec_events.Event)

    tasks: list[tuple[str, Callable[[], object], str, Callable[[], object]]] = [
        (
            "`pydantic_core.from_json` to dicts only",
            lambda: from_json(wire),
            "parse",
            lambda: parse_event(wire),
        ),
        (
            "`validate_json` of the event class only",
            lambda: RunEvent.__pydantic_validator__.validate_json(wire, strict=True),
            "parse",
            lambda: parse_event(wire),
        ),
        (
            "typed dicts with the same fields, from JSON",
            lambda: typed_dicts.validate_json(wire, strict=True),
            "parse",
            lambda: parse_event(wire),
        ),
        (
            "`from_json`, and typed dicts with the same fields",
            lambda: typed_dicts.isinstance_python(from_json(wire), strict=True),
            "validate against the schemas",
            lambda: validate(wire, rules=False),
        ),
        (
            "`pydantic_core.to_json` of the same dicts",
            lambda: to_json(document),
            "serialize",
            event.to_json,
        ),
        (
            f"{count} plain pydantic models of three fields",
            leaves,
            "compose, nested items as objects",
            lambda: our_events.event_from_objects(reference),
        ),
        (
            f"`dump_json` of {count} plain pydantic models",
            lambda: plain_models.dump_json(composed, exclude_unset=True),
            "serialize, nested items as objects",
            of_objects.to_json,
        ),
    ]
    for part, floor, task, run_task in tasks:
        timing = alternate(run_task, floor, rounds)
        yield Floor(part, timing.theirs, task, timing.ours)


def _nested_items_of(event: RunEvent) -> int:
    """Count the nested items of the facets, at any depth."""
    count = 0
    for dataset in (*(event.inputs or ()), *(event.outputs or ())):
        schema = dataset.facets and dataset.facets.schema
        lineage = dataset.facets and dataset.facets.column_lineage
        count += len(schema.fields or ()) if schema else 0
        for sources in (lineage.fields if lineage else {}).values():
            count += 1 + sum(1 + len(one.transformations or ()) for one in sources.input_fields)
    return count
