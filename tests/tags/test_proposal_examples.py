"""The example of the tags proposal, with its syntax fixed, in both wire formats."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from openlineage_facets import RunEvent, parse_event
from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.tags import Tag, WireFormat, tags_facet, tags_of
from tests.cases import each

EXAMPLE: dict[str, Any] = json.loads(Path(__file__).with_name("proposal.json").read_text("utf-8"))


def entities(event: dict[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
    """Return the run, job and dataset of an event, and what each is."""
    return [("run", event["run"]), ("job", event["job"]), ("dataset", event["inputs"][0])]


def composed(wire_format: WireFormat) -> RunEvent:
    event = copy.deepcopy(EXAMPLE)
    for kind, entity in entities(event):
        facets = entity["facets"]
        facets["tags"] = tags_facet(kind, [Tag(**tag) for tag in facets["tags"]], wire_format)
    facets["schema"] = SchemaDatasetFacet(**facets["schema"])
    return RunEvent(**event)


def without_producers(value: Any) -> Any:
    """Return an event as written in the proposal: tags facets as lists, facets without producers."""
    if isinstance(value, list):
        return [without_producers(item) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("tags"), list) and "_producer" in value:
        return value["tags"]
    hidden = ("_producer", "_schemaURL")
    return {name: without_producers(item) for name, item in value.items() if name not in hidden}


@each(("wire_format", "true"), [("proposal", "true"), ("released", '"true"')])
def test_the_example_is_composed_and_parsed_in_both_wire_formats(wire_format: WireFormat, true: str) -> None:
    event = composed(wire_format)
    assert without_producers(event.to_dict()) == json.loads(json.dumps(EXAMPLE).replace("true", true))
    read: Any = parse_event(event.to_json())
    assert read == event
    for facets, (_, entity) in zip(
        (read.run.facets, read.job.facets, read.inputs[0].facets), entities(EXAMPLE), strict=True
    ):
        assert tags_of(facets.tags, typed=True) == [Tag(**tag) for tag in entity["facets"]["tags"]]
