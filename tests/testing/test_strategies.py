"""What the strategies make is valid, is everything, and shrinks."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from openlineage_facets import DatasetEvent, InputDataset, Job, JobEvent, Run, RunEvent, parse_event
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.facets import (
    JobFacet,
    JobTypeJobFacet,
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    TagJobFacet,
    TagsJobFacet,
)
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.testing import strategies
from openlineage_facets.testing.strategies.field_kinds import fields_of
from openlineage_facets.version import install_command
from tests.cases import each
from tests.composing.generated_classes import CLASSES, qualified
from tests.oracle.expected_results import oracle_result, oracle_result_as
from tests.oracle.same_json import same_json
from tests.oracle.schemas import DOCUMENTS, Definition

pytestmark = pytest.mark.check

MADE = settings(
    max_examples=30,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def drawn(strategy: st.SearchStrategy[Any], count: int = 50) -> list[Any]:
    """Return what hypothesis draws from a strategy: enough for what holds of each, not for what is rare."""
    values: list[Any] = []

    @settings(MADE, max_examples=count)
    @given(strategy)
    def collect(value: Any) -> None:
        values.append(value)

    collect()
    return values


def never_seen(
    strategy: st.SearchStrategy[Any], wanted: Iterable[Hashable], seen_in: Callable[[Any], Iterable[Hashable]]
) -> set[Hashable]:
    """Draw until all that is wanted was seen; return what 5,000 values do not show.

    How often a thing occurs in a few draws is chance: hypothesis takes constants from whatever modules are
    loaded.
    """
    missing = set(wanted)

    def all_seen(value: Any) -> bool:
        missing.difference_update(seen_in(value))
        return not missing

    with suppress(NoSuchExample):
        find(strategy, all_seen, settings=settings(MADE, max_examples=5_000))
    return missing


def definition_of(cls: type[Model]) -> Definition | None:
    """Return the definition that a class was made of, None where it is written inline in another."""
    code = inspect.getsource(sys.modules[cls.__module__])
    document = next(line.split()[2] for line in code.splitlines() if line.startswith("# Source: "))
    found = Definition(document, cls.__name__)
    return found if cls.__name__ in DOCUMENTS[document]["$defs"] else None


@MADE
@given(strategies.documents())
def test_every_document_is_valid_for_the_oracle_and_can_be_parsed(document: dict[str, Any]) -> None:
    verdict = oracle_result(document)
    assert verdict.valid, verdict.failed
    event = parse_event(document)
    assert same_json(json.loads(event.to_json()), document)
    assert parse_event(event.to_json()) == event


@pytest.mark.thorough  # Tests of the strategies of single classes and of events notice the same faults.
@each("cls", CLASSES, ids=qualified)
def test_every_class_has_values_with_and_without_each_optional_field(cls: type[Model]) -> None:
    definition = definition_of(cls)
    required = {field.wire for field in fields_of(cls) if field.required}
    for value in drawn(strategies.models(cls)):
        document = value.to_dict()
        assert cls.from_json(document) == value
        assert document.keys() >= required
        if definition is not None:
            assert oracle_result_as(definition, document).valid, document
    optional = {field.wire for field in fields_of(cls)} - required
    wanted = {(wire, there) for wire in optional for there in (True, False)}

    def fields_seen(value: Model) -> set[Hashable]:
        names = value._wire_names_set()
        return {(wire, wire in names) for wire in optional}

    assert not never_seen(strategies.models(cls), wanted, fields_seen)


@each(("kind", "cls"), [("run", RunEvent), ("job", JobEvent), ("dataset", DatasetEvent)])
def test_events_of_one_kind_are_of_its_class(kind: Any, cls: type[Model]) -> None:
    assert {type(event) for event in drawn(strategies.events(kind), 3)} == {cls}
    assert {type(parse_event(document)) for document in drawn(strategies.documents(kind), 3)} == {cls}


def test_events_are_of_every_kind_by_default() -> None:
    assert not never_seen(
        strategies.events(), {RunEvent, JobEvent, DatasetEvent}, lambda event: {type(event)}
    )


def test_an_unknown_kind_is_rejected() -> None:
    with pytest.raises(ValueError, match="expected 'run', 'job' or 'dataset', found 'runs'"):
        strategies.events("runs")  # type: ignore[call-overload]


@pytest.mark.thorough  # Draws thousands of facets; tests of parts of them notice a missing part.
def test_facets_of_every_class_occur_custom_ones_included() -> None:
    known = {entry.name for entry in FACETS}
    bases = {"RunFacet", "JobFacet", "DatasetFacet", "InputDatasetFacet", "OutputDatasetFacet"}
    assert {type(facet).__name__ for facet in drawn(strategies.facets())} <= known | bases
    assert not never_seen(strategies.facets(), known | bases, lambda facet: {type(facet).__name__})


def test_facets_of_an_entity_belong_to_it() -> None:
    bases = {cls for facet in drawn(strategies.facets(InputDataset), 25) for cls in type(facet).__mro__}
    assert {cls.__name__ for cls in bases} >= {"DatasetFacet", "InputDatasetFacet"}
    assert {cls.__name__ for cls in bases}.isdisjoint({"RunFacet", "JobFacet", "OutputDatasetFacet"})


def test_facets_of_a_base_facet_extend_it_and_those_of_a_class_are_of_that_class() -> None:
    facets = drawn(strategies.facets(RunFacet))
    assert all(isinstance(facet, RunFacet) for facet in facets)
    assert len({type(facet) for facet in facets}) > 5
    assert {type(facet) for facet in drawn(strategies.facets(SQLJobFacet), 5)} == {SQLJobFacet}


def test_a_class_without_facets_is_rejected() -> None:
    with pytest.raises(ValueError, match="expected a facet or an entity with facets"):
        strategies.facets(RunEvent)


def all_facets(event: Any) -> list[FacetModel]:
    entities = [getattr(event, name, None) for name in ("run", "job", "dataset")]
    entities += [*(getattr(event, "inputs", None) or ()), *(getattr(event, "outputs", None) or ())]
    containers = [
        getattr(entity, name, None)
        for entity in entities
        for name in ("facets", "input_facets", "output_facets")
    ]
    return [facet for container in containers if container is not None for facet in container.values()]


def test_only_the_selected_facets_are_generated() -> None:
    selected = [SQLJobFacet, SchemaDatasetFacet]
    made = strategies.events("run", facets=iter(selected))
    assert not never_seen(made, selected, lambda event: map(type, all_facets(event)))
    assert {type(facet) for event in drawn(made, 10) for facet in all_facets(event)} <= set(selected)
    assert not any(all_facets(event) for event in drawn(strategies.events(facets=[]), 10))


def test_known_custom_and_deleted_facets_and_unknown_fields_occur_in_events() -> None:
    def kinds(job: Job) -> Iterator[str]:
        for key, facet in (job.facets or {}).items():
            known = "known" if key in type(job.facets).__slots_by_key__ else "custom"
            yield "deleted" if facet.deleted is True else known
            if facet.__pydantic_extra__:
                yield "unknown fields"

    assert not never_seen(strategies.models(Job), {"deleted", "known", "custom", "unknown fields"}, kinds)


class CostRunFacet(RunFacet):
    __facet_key__ = "acme_cost"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/CostRunFacet.json"
    usd: float
    center: str | None = None


def test_custom_facet_classes_are_generated() -> None:
    def facts(run: Run) -> Iterator[str]:
        cost = run.facets.get(CostRunFacet) if run.facets else None
        if cost is not None:
            yield from cost.model_fields_set
            yield "no center" if cost.center is None else "a center"

    made = strategies.models(Run, facets=[CostRunFacet])
    assert not never_seen(made, {"usd", "center", "a center", "no center"}, facts)


def test_failures_shrink_to_a_minimal_event() -> None:
    least = find(
        strategies.documents(Job, facets=[JobTypeJobFacet, SQLJobFacet, JobFacet]),
        lambda job: "sql" in job.get("facets", {}),
        settings=settings(database=None, derandomize=True, max_examples=500),
    )
    assert len(json.dumps(least)) < 800
    assert set(least) == {"namespace", "name", "facets"}
    assert least["namespace"] == least["name"] == ""
    assert set(least["facets"]["sql"]) == {"_producer", "_schemaURL", "query"}


def test_the_wire_format_of_tags_matches_their_schema_url() -> None:
    jobs = drawn(strategies.models(Job, facets=[TagsJobFacet, TagJobFacet]))
    tags = [job.facets["tags"] for job in jobs if job.facets]
    assert {type(facet) for facet in tags} == {TagsJobFacet, TagJobFacet}
    assert all((type(facet) is TagJobFacet) == ("TagFacet.json" in facet.schema_url) for facet in tags)


def test_without_hypothesis_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("openlineage_facets.testing.strategies")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match=re.escape(install_command("testing"))):
        importlib.import_module("openlineage_facets.testing.strategies")
