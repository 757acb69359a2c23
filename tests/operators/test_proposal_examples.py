"""The examples of the operators proposal, with fixed syntax, composed with this package."""

from __future__ import annotations

import json
from pathlib import Path

from openlineage_facets.operators import TaskInstanceLineage
from tests.cases import each
from tests.operators.scheduler import Recorder, bare, lineage_in, operator
from tests.oracle.expected_results import oracle_result

EXAMPLES = sorted(Path(__file__).with_name("proposal").glob("*.json"))


@each("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_composed_and_emitted(path: Path) -> None:
    example = json.loads(path.read_text("utf-8"))
    lineage = TaskInstanceLineage.from_dict(example)
    assert bare(lineage.to_dict()) == bare(example), "only producers and schema URLs are added"
    assert TaskInstanceLineage.from_json(lineage.to_json()) == lineage
    assert TaskInstanceLineage.from_dict(lineage.to_dict()) == lineage

    plain = Recorder().life(operator(on_start=lambda ti: example))
    assert plain == Recorder().life(operator(on_start=lambda ti: lineage))
    for event in plain:
        assert oracle_result(event.to_dict()).valid, oracle_result(event.to_dict())
        assert lineage_in(event) == bare(example)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 8
