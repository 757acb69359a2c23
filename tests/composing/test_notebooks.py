"""How notebooks display values."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from pydantic import BaseModel

from openlineage_facets import (
    DatasetEventBuilder,
    InputDataset,
    Job,
    JobEventBuilder,
    Run,
    RunEvent,
    RunEventBuilder,
    parse_event,
)
from openlineage_facets.base.containers.builder import EntityBuilder
from openlineage_facets.base.display.notebook_html import MOST_ROWS, field_lines
from openlineage_facets.facets import RunFacet, RunFacets, SQLJobFacet
from openlineage_facets.graphs.labels import redacted
from openlineage_facets.state import ColumnEdge, ColumnId, DatasetId, Lineage, LineageState
from openlineage_facets.validation import read_event, validate
from tests.cases import each
from tests.events import PRODUCER, folded

RUN_ID = "01950000-0000-7000-8000-000000000001"
HOSTILE = '"><img src=x onerror=alert(1)>\u202e'


class Shown(HTMLParser):
    """The cells and the kinds of elements of displayed HTML."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(value._repr_html_())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def builder(name: str = "orders.daily") -> RunEventBuilder:
    build = RunEventBuilder("etl", name, run_id=RUN_ID, producer=PRODUCER)
    build.job.sql(query=f"select '{name}'")
    build.input("s3://lake", name).schema(fields=[{"name": name, "type": "double"}])
    build.output("s3://lake", "curated/daily").output_statistics(row_count=1200)
    return build


def event(name: str = "orders.daily") -> RunEvent:
    return builder(name).start("2026-11-21T08:30:00Z")


def state(name: str = "orders.daily") -> LineageState:
    return folded(event(name))


def displayed(name: str) -> dict[str, Any]:
    """Return a value of each kind, with a name everywhere."""
    composed = event(name)
    dataset = DatasetEventBuilder("s3://lake", name, producer=PRODUCER)
    dataset.dataset.ownership(owners=[{"name": name}])
    return {
        "event": composed,
        "entity": composed.job,
        "container": composed.job.facets,
        "facet": SQLJobFacet(query=name),
        "run builder": builder(name),
        "job builder": JobEventBuilder("etl", name, producer=PRODUCER),
        "dataset builder": dataset,
        "entity builder": builder(name).job,
        "state": state(name),
        "lineage": state(name).lineage(),
        "findings": validate({"job": {"namespace": name, "name": 3}, "eventTime": name}),
        "finding": validate({"eventTime": name, "job": {"namespace": name}})[0],
        "read event": read_event({"job": {"namespace": name, "name": 3}, "eventTime": name}),
    }


@each("kind", list(displayed("x")))
def test_names_are_text(kind: str) -> None:
    shown = Shown(displayed(HOSTILE)[kind])
    assert shown.tags <= {"div", "img", "strong", "table", "tr", "th", "td", "br"}
    assert "\u202e" not in "".join(shown.texts)


def pictures(value: Any) -> list[str]:
    """Return the pictures in the HTML of a value."""
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', value._repr_html_())
    return [base64.b64decode(data).decode() for data in found]


def test_events_states_and_their_lineage_show_a_picture_without_scripts() -> None:
    for value in (event(), state(), state().lineage()):
        (picture,) = pictures(value)
        assert all(f">{name}</text>" in picture for name in ("orders.daily", "curated/daily"))
        assert "<script" not in picture


def test_an_event_without_datasets_and_a_large_state_show_no_picture() -> None:
    assert pictures(RunEventBuilder("etl", "job", producer=PRODUCER).start()) == []
    large = folded(*(builder(f"orders.{number}").start() for number in range(80)))
    assert pictures(large) == []


def test_names_in_pictures_are_redacted() -> None:
    secret = "postgres://ana:hush@db:5432/orders"
    assert "hush" not in "".join(pictures(event(secret)))


def test_show_opens_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    for value in (event(), state(), state().lineage()):
        path = value.show()
        assert opened.pop() == path.as_uri()
        assert path.stat().st_mode & 0o077 == 0
        assert "curated/daily" in path.read_text(encoding="utf-8")
        path.unlink()


def test_an_event_shows_type_time_and_facet_keys() -> None:
    texts = Shown(event()).texts
    assert Shown(parse_event(event().to_json())).texts == texts
    assert texts[:5] == ["RunEvent", "event_time", "2026-11-21T08:30:00Z", "event_type", "START"]
    assert texts[texts.index("run") + 1] == RUN_ID
    assert texts[texts.index("job") + 1] == "etl/orders.daily: sql"
    assert "event_time=Timestamp('2026-11-21T08:30:00Z'), event_type=<EventType.START" in repr(event())


def test_an_event_shows_its_inputs_and_outputs_as_tables() -> None:
    texts = Shown(event()).texts
    inputs, outputs = texts.index("inputs"), texts.index("outputs")
    assert texts[inputs + 1 : outputs] == [
        *("dataset", "size", "facets"),
        *("s3://lake/orders.daily", "1 column", "schema"),
    ]
    assert texts[outputs + 1 :] == [
        *("dataset", "size", "facets"),
        *("s3://lake/curated/daily", "1,200 rows written", "outputStatistics"),
    ]


def test_a_builder_shows_its_parts() -> None:
    build = builder()
    assert repr(build) == (
        "RunEventBuilder(namespace='etl', name='orders.daily', inputs=1, outputs=1, "
        f"run_id='{RUN_ID}', state=None)"
    )
    assert repr(build.job) == "JobBuilder(namespace='etl', name='orders.daily', facets=[sql])"
    build.start()
    assert repr(build).endswith("state='START')")
    texts = Shown(build).texts
    assert "s3://lake/orders.daily (1 column): schema" in texts
    assert "s3://lake/curated/daily (1,200 rows written): outputStatistics" in texts


def test_findings_show_code_location_and_fix() -> None:
    findings = validate('{\n"job": {"namespace": "etl"}}')
    texts = Shown(findings).texts
    assert texts[0] == f"{len(findings)} findings"
    assert "/job/name" in texts or "/job" in texts
    assert findings == list(findings)
    assert isinstance(findings, list)


def test_a_state_shows_jobs_with_inputs_and_outputs() -> None:
    texts = Shown(state()).texts
    assert texts == [
        "LineageState(1 jobs, 2 datasets, 1 runs)",
        *("job", "reads", "writes"),
        *("etl/orders.daily", "orders.daily", "curated/daily"),
    ]


def test_long_lists_are_shortened_but_names_are_not() -> None:
    names = [f"{'warehouse/' * 40}part-{number}" for number in range(MOST_ROWS + 50)]
    inputs = [InputDataset(namespace="db", name=name) for name in names]
    large = RunEvent(event_type="START", run=Run(), job=Job(namespace="etl", name="load"), inputs=inputs)
    texts = Shown(large).texts
    assert texts[texts.index("inputs") + 1 :][:4] == ["dataset", "size", "facets", f"db/{names[0]}"]
    assert "and 50 more" in texts
    assert sum("part-" in text for text in texts) == MOST_ROWS


MANY = range(MOST_ROWS + 50)


@each(
    "value",
    [
        RunFacet(**{f"part-{number}": 1 for number in MANY}),
        RunFacets({f"part-{number}": RunFacet() for number in MANY}),
        RunEventBuilder("etl", "load").run.facet(RunFacet(), "acme_first"),
    ],
    ids=["facet", "container", "builder"],
)
def test_only_the_first_fields_and_facets_are_shown(value: Any) -> None:
    if isinstance(value, EntityBuilder):
        for number in MANY[2:]:  # After the run id and the first facet.
            value.facet(RunFacet(), f"part-{number}")
    texts = Shown(value).texts
    assert texts[-1] == "and 50 more"
    assert sum(text.startswith(("part-", "acme_", "run_id")) for text in texts) == MOST_ROWS


def test_secrets_are_redacted() -> None:
    shown = "".join(Shown(SQLJobFacet(query="x" * 50 + " jdbc:postgresql://user:hush@db/sales" * 20)).texts)
    assert "hush" not in shown


class _Report(BaseModel):
    rows: int
    _summary: str = "2 rows"


class AcmeReportsRunFacet(RunFacet):
    first: _Report
    all_of_them: tuple[_Report, ...]
    mixed: tuple[InputDataset | str, ...]


def test_models_of_other_packages_and_mixed_values_are_shown_as_values() -> None:
    report = _Report(rows=2)
    facet = AcmeReportsRunFacet(
        first=report, all_of_them=(report,), mixed=(InputDataset(namespace="s3://a", name="b"), "c")
    )
    assert Shown(facet).texts.count("_Report(rows=2)") == 2
    assert "'c'" in Shown(facet).texts


def test_a_state_names_the_namespaces_of_datasets_with_equal_names() -> None:
    build = builder()
    for namespace, name in [("s3://a", "orders"), ("s3://b", "orders"), ("s3://b", "items")]:
        build.input(namespace, name)
    state = folded(build.start("2026-11-21T08:30:00Z"))
    assert {"s3://a/orders", "s3://b/orders", "items"} < set(Shown(state).texts)


def test_names_of_columns_in_pictures_are_redacted() -> None:
    column = ColumnId(DatasetId("postgres://user:secret@db", "orders"), "id")
    (edge,) = redacted(Lineage((), (ColumnEdge(column, column),))).columns
    assert "secret" not in repr(edge)
    assert "orders" in repr(edge)


def test_only_the_items_that_are_shown_are_formatted() -> None:
    class Item:
        shown = 0

        def __repr__(self) -> str:
            Item.shown += 1
            return "item"

    lines = field_lines([Item()] * 10_000)
    assert (len(lines.shown), lines.total, Item.shown) == (MOST_ROWS, 10_000, MOST_ROWS)
    assert len(field_lines({f"key {number}": number for number in range(10_000)}).shown) == MOST_ROWS
