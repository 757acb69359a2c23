"""`compare` finds exactly what differs between two graphs."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from openlineage_facets.review import LineageChange, compare, joined, lock_text, read_lock
from openlineage_facets.review.changes import LineageChanges, is_masked
from openlineage_facets.review.report import finding_of, json_report, markdown_report, text_report
from openlineage_facets.state import Lineage, Transformation
from tests.cases import each
from tests.graphs.sample_graphs import PRODUCER, dataset, folded, lineage_facet, run_event
from tests.review import graphs_to_review
from tests.speed.counting import python_calls

_GRAPHS = graphs_to_review.EVENTS.map(lambda events: graphs_to_review.folded(events).lineage())


def sides(change: LineageChange) -> tuple[object, object, object]:
    return change.part, change.before, change.after


@given(_GRAPHS)
def test_a_graph_does_not_differ_from_itself_and_its_lock(lineage: Lineage) -> None:
    assert not compare(lineage, lineage)
    assert not compare(lineage, read_lock(lock_text(lineage)))


@given(_GRAPHS, _GRAPHS)
def test_there_are_changes_exactly_if_the_locks_differ(before: Lineage, after: Lineage) -> None:
    assert bool(compare(before, after)) == (lock_text(before) != lock_text(after))


@given(_GRAPHS, _GRAPHS)
def test_comparing_in_the_other_direction_mirrors_all_changes(before: Lineage, after: Lineage) -> None:
    there = {sides(change) for change in compare(before, after).changes}
    back = {(part, new, old) for part, old, new in map(sides, compare(after, before).changes)}
    assert there == back


def with_edges(lock: dict[str, Any]) -> set[str]:
    """Return the names of the datasets of a lock that are read, written or computed as wholes."""
    found: set[str] = set()
    for job in lock["jobs"]:
        found |= {end["name"] for key in ("inputs", "outputs") for end in job.get(key, ())}
    for entry in lock["datasets"]:
        sources = entry.get("sources", ())
        found |= {source["name"] for source in sources} | ({entry["name"]} if sources else set())
    return found


def with_columns(lock: dict[str, Any]) -> set[str]:
    """Return the names of the datasets of a lock of which columns or rows are computed, or from which."""
    found: set[str] = set()
    for entry in lock["datasets"]:
        sources = [source for column in entry.get("columns", ()) for source in column.get("sources", ())]
        sources += entry.get("rows", ())
        found |= {source["name"] for source in sources} | ({entry["name"]} if sources else set())
    return found


def written_in(lock: dict[str, Any]) -> set[str]:
    return {output["name"] for job in lock["jobs"] for output in job.get("outputs", ())}


def entities(lineage: Lineage, other: Lineage) -> set[tuple[str, ...]]:
    """Return the jobs, datasets and columns of a lock, as an independent reader of JSON finds them.

    Datasets that only a catalog names, and that jobs write in another graph, are none, nor are jobs that
    only have inputs and outputs in another graph. Datasets that jobs read, and that only a catalog names in
    the other graph, without columns, have no columns.
    """
    lock, there = (json.loads(lock_text(graph)) for graph in (lineage, other))
    unlisted = {entry["name"] for entry in there["datasets"] if not entry.get("columns")}
    unlisted &= with_edges(lock) - written_in(lock) - with_edges(there)
    busy = {(job["namespace"], job["name"]) for job in there["jobs"] if job.keys() & {"inputs", "outputs"}}
    found: set[tuple[str, ...]] = {
        ("jobs", job["namespace"], job["name"])
        for job in lock["jobs"]
        if job.keys() & {"inputs", "outputs"} or (job["namespace"], job["name"]) not in busy
    }
    for entry in lock["datasets"]:
        if entry["name"] in with_edges(lock) | with_columns(lock) or entry["name"] not in written_in(there):
            name = entry["namespace"], entry["name"]
            columns = () if entry["name"] in unlisted else entry.get("columns", ())
            found |= {("datasets", *name), *(("columns", *name, it["name"]) for it in columns)}
    return found


@given(_GRAPHS, _GRAPHS)
def test_added_and_removed_entities_are_the_difference_of_their_sets(before: Lineage, after: Lineage) -> None:
    """Renamed ones are in both differences; columns are reported where their dataset is in both graphs."""
    changes = compare(before, after).changes
    for graph, other, side in ((before, after, "before"), (after, before, "after")):
        naive = entities(graph, other) - entities(other, graph)
        gone = {name[1:3] for name in naive if name[0] == "datasets"}
        expected = {name for name in naive if name[0] != "columns" or name[1:3] not in gone}
        reported = set()
        for change in changes:
            fact = getattr(change, side)
            if change.part in ("job", "dataset", "column") and fact and change.kind != "changed":
                node, subject = (
                    (fact.subject, fact.subject)
                    if change.part != "column"
                    else (fact.subject.dataset, fact.subject)
                )
                parts = (f"{change.part}s", node.namespace, node.name)
                reported.add(parts if change.part != "column" else (*parts, subject.name))
        assert {name for name in reported if name[0] != "columns" or name[1:3] not in gone} == expected


def graph(
    output: str = "curated/daily",
    column: str = "amount",
    step: dict[str, Any] | None = None,
    *,
    filtered: bool = True,
) -> Lineage:
    """Return the graph of a job that writes masked amounts of paid orders, and of a report on them."""
    how = step or {"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": True}
    daily = dataset(output, (column, "day"), {column: [("raw/orders", "amount")]})
    lineage = daily["facets"]["columnLineage"]
    lineage["fields"][column]["inputFields"][0]["transformations"] = [how]
    if filtered:
        rows = {"namespace": "db", "name": "raw/orders", "field": "status"}
        lineage["dataset"] = [{**rows, "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}]}]
    weekly = dataset("reports/weekly", ("total",), {"total": [(output, column)]})
    weekly["facets"]["ownership"] = {"owners": [{"name": "team:reports"}]}
    return folded(
        [
            run_event("daily", [dataset("raw/orders", ("amount", "status"))], [daily]),
            run_event("weekly", [dataset(output)], [weekly]),
        ]
    )


def summary(before: Lineage, after: Lineage) -> list[tuple[str, str, bool]]:
    return [(change.kind, change.part, change.is_breaking) for change in compare(before, after).changes]


def test_renames_are_one_change_that_breaks_readers() -> None:
    assert summary(graph(), graph(column="total")) == [("renamed", "column", True)]
    assert summary(graph(), graph(output="curated/days")) == [("renamed", "dataset", True)]


def test_a_lost_mask_and_a_lost_filter_break_readers() -> None:
    unmasked = graph(step={"type": "DIRECT", "subtype": "TRANSFORMATION"})
    assert summary(graph(), unmasked) == [("changed", "source", True)]
    (lost,) = compare(graph(), unmasked).changes
    assert lost.masking == "lost"
    assert summary(graph(), graph(filtered=False)) == [("removed", "rows", True)]
    assert summary(graph(filtered=False), graph()) == [("added", "rows", True)]


def test_a_column_is_masked_if_no_transformation_shows_its_value() -> None:
    hashed, copied = (
        Transformation("DIRECT", "TRANSFORMATION", masking=True),
        Transformation("DIRECT", "IDENTITY"),
    )
    assert is_masked([hashed])
    assert not is_masked([hashed, copied])
    assert not is_masked([copied])


def test_a_change_reaches_what_is_computed_from_it_also_elsewhere() -> None:
    board = dataset("board", ("sum",), {"sum": [("reports/weekly", "total")]})
    elsewhere = folded([run_event("board", [dataset("reports/weekly")], [board])])
    changes = compare(graph(), graph(filtered=False), context=[elsewhere])
    (change,) = changes.changes
    assert [node.name for node in changes.downstream(change)] == [
        "board",
        "reports/weekly",
        "board",
        "weekly",
    ]
    weekly = next(node for node in changes.downstream(change) if node.name == "reports/weekly")
    assert changes.owners(weekly) == ("team:reports",)


def test_what_read_a_removed_column_is_reached_if_it_still_exists() -> None:
    event = run_event("daily", [dataset("raw/orders", ("status",))], [dataset("curated/daily", ("day",))])
    after = folded(
        [event, run_event("weekly", [dataset("curated/daily")], [dataset("reports/weekly", ("total",))])]
    )
    changes = compare(graph(filtered=False), after)
    reached = {
        change.node.name: [node.name for node in changes.downstream(change)]
        for change in changes.changes
        if (change.kind, change.part) == ("removed", "column")
    }
    assert reached == {
        "raw/orders": ["curated/daily", "reports/weekly", "daily", "weekly"],
        "curated/daily": ["reports/weekly", "weekly"],
    }


def test_a_renamed_dataset_reaches_those_who_read_it_by_its_earlier_name() -> None:
    elsewhere = folded([run_event("board", [dataset("curated/daily")], [dataset("board")])])
    changes = compare(graph(), graph(output="curated/days"), context=[elsewhere])
    (change,) = changes.changes
    assert "board" in [node.name for node in changes.downstream(change)]


def catalog(*names: str) -> list[dict[str, Any]]:
    """Return events that state owners of datasets."""
    owners = {"ownership": {"owners": [{"name": "team:shop"}]}}
    return [
        {
            "eventTime": "2026-11-20T00:00:00Z",
            "dataset": {"namespace": "db", "name": name, "facets": owners},
            "producer": "https://example.com/catalog",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
        }
        for name in names
    ]


def written(*outputs: str, names_in_catalog: tuple[str, ...] = ()) -> Lineage:
    """Return the graph of one job for each output, beside a catalog."""
    events = [
        run_event(
            f"write_{number}",
            [dataset("raw", ("id",))],
            [dataset(name, ("id", "day"), {"id": [("raw", "id")]})],
        )
        for number, name in enumerate(outputs)
    ]
    return folded([*events, *catalog(*names_in_catalog)])


def test_what_only_a_catalog_names_is_no_longer_written() -> None:
    names = ("raw", "daily")
    before = written("daily", names_in_catalog=names)
    renamed = compare(before, written("days", names_in_catalog=names)).changes
    assert [(change.kind, change.part, change.is_breaking) for change in renamed] == [
        ("renamed", "dataset", True),
        ("removed", "owners", False),
    ]
    text = text_report(compare(before, written("days", names_in_catalog=names)))
    assert text.splitlines()[:3] == [
        "BREAKING dataset db days",
        "    renamed  dataset, was db daily",
        "    owners   team:shop -> none",
    ]
    gone = compare(
        written("daily", "weekly", names_in_catalog=names), written("weekly", names_in_catalog=names)
    )
    assert ("removed", "dataset", "daily", True) in [
        (change.kind, change.part, change.node.name, change.is_breaking) for change in gone.changes
    ]
    source = folded([run_event("load", [], [dataset("daily")]), *catalog("raw")])
    assert not [
        change for change in compare(before, source).changes if change.subject == before.datasets[1].id
    ]


def test_a_dataset_that_is_removed_is_one_breaking_change() -> None:
    after = folded([run_event("write_0", [dataset("raw", ("id",))], [])])
    assert summary(written("daily"), after) == [
        ("removed", "dataset", True),
        ("removed", "output", False),
    ]


def test_a_renamed_dataset_whose_column_has_lost_one_of_two_sources_is_one_breaking_change() -> None:
    def lineage(output: str, *sources: str) -> Lineage:
        daily = dataset(output, ("id",), {"id": [("raw", name) for name in sources]})
        return folded([run_event("load", [dataset("raw", ("a", "b"))], [daily])])

    assert summary(lineage("daily", "a", "b"), lineage("days", "a")) == [
        ("renamed", "dataset", True),
        ("removed", "source", False),
    ]


def test_another_order_of_columns_is_a_change() -> None:
    before, after = (
        folded([run_event("load", [dataset("raw", columns)], [])]) for columns in (("a", "b"), ("b", "a"))
    )
    assert summary(before, after) == [("changed", "order", False)]


def test_what_was_computed_from_a_removed_column_is_reached_beside_other_lineage_of_columns() -> None:
    def lineage(*columns: str) -> Lineage:
        sources = {f"{name}s": [("raw", name)] for name in columns}
        daily = dataset("daily", ("amounts", "days"), sources)
        return folded([run_event("load", [dataset("raw", columns)], [daily])])

    changes = compare(lineage("amount", "day"), lineage("day"))
    (removed,) = [change for change in changes.changes if change.part == "column"]
    assert [node.name for node in changes.downstream(removed)] == ["daily", "load"]


def tagged(masked: bool) -> Lineage:
    """Return the graph of a job that copies an e-mail address with the tag pii, masked or not."""
    people = dataset("people", ("email",))
    people["facets"]["tags"] = {"tags": [{"key": "pii", "value": "true", "field": "email"}]}
    export = dataset("export", ("mail",), {"mail": [("people", "email")]})
    (source,) = export["facets"]["columnLineage"]["fields"]["mail"]["inputFields"]
    source["transformations"] = [{"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": masked}]
    return folded([run_event("export", [people], [export])])


def test_new_data_with_a_propagated_tag_comes_first_and_is_counted_apart() -> None:
    before, after = tagged(masked=True), tagged(masked=False)
    changes = compare(before, after, propagate=["pii"])
    assert [(change.part, change.new_tags, change.is_breaking) for change in changes.changes] == [
        ("tags", ("pii=true",), False),
        ("source", (), True),
    ]
    expected = "1 change with new data tagged pii=true; 1 breaking change, 0 others"
    assert text_report(changes).splitlines()[-1] == expected
    assert not [change for change in compare(after, before, propagate=["pii"]).changes if change.new_tags]
    assert not [change for change in compare(before, after).changes if change.new_tags]
    added = compare(folded([run_event("export", [dataset("people")], [])]), after, propagate=["pii"])
    assert {change.node.name: change.new_tags for change in added.changes if change.new_tags} == {
        "people": ("pii=true",),
        "export": ("pii=true",),
    }


def test_secrets_in_names_are_redacted_in_every_report() -> None:
    secret = "postgres://ana:xyzzysecret@db:5432/shop"
    output = dataset(secret, (secret,), {secret: [("raw", secret)]})
    output["facets"]["ownership"] = {"owners": [{"name": secret}]}
    changes = compare(folded([]), folded([run_event("write", [dataset("raw", (secret,))], [output])]))
    for report in (text_report(changes), markdown_report(changes)):
        assert "shop" in report
        assert "xyzzysecret" not in report


def test_names_with_backticks_stay_code() -> None:
    changes = compare(folded([]), folded([run_event("write", [], [dataset("`a``b`")])]))
    assert "| dataset ``` db `a``b` ``` |" in markdown_report(changes)


def test_a_change_that_is_too_long_for_a_comment_leaves_out_no_other() -> None:
    daily = dataset("daily", ("amount", "day"))
    daily["facets"]["schema"]["fields"][0]["type"] = "x" * 200_000
    before = folded([run_event("write", [dataset("raw")], [dataset("daily", ("amount",))])])
    report = markdown_report(compare(before, folded([run_event("write", [dataset("raw")], [daily])])))
    assert "daily.day" in report or "column day" in report
    assert "1 more, which do not fit into a comment" in report


def test_what_only_reads_a_dataset_is_not_reached_by_its_columns_beside_lineage_of_columns() -> None:
    def lineage(*columns: str) -> Lineage:
        event = run_event("load", [dataset("raw", columns)], [dataset("daily", ("day",))])
        source = {"namespace": "db", "name": "raw", "type": "DATASET"}
        entry = {"namespace": "db", "name": "daily", "type": "DATASET", "inputs": [source]}
        entry["fields"] = {"day": {"inputs": [{**source, "field": "day"}]}}
        event["job"]["facets"] = {"lineage": lineage_facet(entries=[entry])}
        return folded([event])

    changes = compare(lineage("amount", "day"), lineage("day"))
    (removed,) = [change for change in changes.changes if change.part == "column"]
    assert changes.downstream(removed) == ()


def test_a_job_without_lineage_of_columns_is_reached_beside_one_with_it() -> None:
    def lineage(*columns: str) -> Lineage:
        daily = dataset("daily", ("day",), {"day": [("raw", "day")]})
        return folded(
            [
                run_event("load", [dataset("raw", ("day",))], [daily]),
                run_event("correct", [dataset("corrections", columns)], [dataset("daily")], second=1),
            ]
        )

    changes = compare(lineage("note", "day"), lineage("day"))
    (removed,) = [change for change in changes.changes if change.part == "column"]
    assert [node.name for node in changes.downstream(removed)] == ["daily", "correct"]


def test_a_removed_column_that_is_still_read_is_removed() -> None:
    def lineage(*columns: str) -> Lineage:
        report = dataset(
            "report", ("mail",), {"mail": [("people", "contact.email")], "id": [("people", "id")]}
        )
        return folded(
            [
                run_event("people", [], [dataset("people", columns)]),
                run_event("report", [dataset("people")], [report]),
            ]
        )

    changes = compare(lineage("id", "contact"), lineage("id"))
    (removed,) = changes.changes
    assert (removed.kind, removed.part, removed.is_breaking) == ("removed", "column", True)
    assert [node.name for node in changes.downstream(removed)] == ["report", "report"]


def test_another_input_of_a_dataset_is_one_line() -> None:
    def lineage(*inputs: str) -> Lineage:
        event = run_event("load", [dataset("raw"), dataset("rates")], [dataset("daily")])
        sources = [{"namespace": "db", "name": name, "type": "DATASET"} for name in inputs]
        entry = {"namespace": "db", "name": "daily", "type": "DATASET", "inputs": sources}
        event["job"]["facets"] = {"lineage": lineage_facet(entries=[entry])}
        return folded([event])

    assert text_report(compare(lineage("raw"), lineage("raw", "rates"))) == (
        "changed  job etl load\n"
        "    output   writes db daily also from db rates\n"
        "    reaches  dataset db daily\n"
        "0 breaking changes, 1 other\n"
    )
    line = text_report(compare(lineage("raw"), lineage("rates"))).splitlines()[1]
    assert line == "    output   writes db daily also from db rates, no longer from db raw"


def test_another_input_of_a_job_reaches_only_what_the_job_computes_from_it() -> None:
    def lineage(inputs: dict[str, list[str]]) -> Lineage:
        event = run_event(
            "load", [dataset(name) for name in ("raw", *inputs)], [dataset("daily"), dataset("log")]
        )
        entries = [
            {
                "namespace": "db",
                "name": output,
                "type": "DATASET",
                "inputs": [
                    {"namespace": "db", "name": name, "type": "DATASET"}
                    for name in ("raw", *inputs)
                    if output in inputs.get(name, ("daily", "log"))
                ],
            }
            for output in ("daily", "log")
        ]
        event["job"]["facets"] = {"lineage": lineage_facet(entries=entries)}
        return folded([event, run_event("report", [dataset("daily")], [dataset("report")])])

    without, with_rates = lineage({}), lineage({"rates": ["daily"]})
    for before, after in ((without, with_rates), (with_rates, without)):
        changes = compare(before, after)
        reached = {
            change.part: [node.name for node in changes.downstream(change)]
            for change in changes.changes
            if change.node.name == "load"
        }
        assert reached == {"input": ["daily", "report", "report"], "output": ["daily", "report", "report"]}


def test_an_added_job_is_shown_with_what_it_writes() -> None:
    """The dataset may have had a writer before; then no other line shows that it has two."""
    load = run_event("load", [dataset("raw")], [dataset("days")])
    fix = run_event("fix", [dataset("raw")], [dataset(name) for name in ("a", "b", "c", "days")])
    assert text_report(compare(folded([load]), folded([load, run_event("fix", [], [dataset("days")])]))) == (
        "changed  job etl fix\n"
        "    added    job, writes db days\n"
        "    reaches  dataset db days\n"
        "0 breaking changes, 1 other\n"
    )
    assert "job, writes db a, db b, db c and 1 more\n" in text_report(
        compare(folded([load]), folded([load, fix]))
    )


def test_the_diagram_shows_in_words_what_was_added_removed_or_changed() -> None:
    text = markdown_report(compare(graph(), graph(output="curated/days")))
    assert "removed: curated/daily" in text
    assert "added: curated/days" in text
    secret = markdown_report(compare(graph(), graph(output="days?password=s3cret")))
    assert "s3cret" not in secret
    assert "added: days" in secret
    assert text.count("classDef added ") == text.count("classDef removed ") == 1


def test_what_a_job_writes_without_columns_stays_unknown_although_another_job_reports_them() -> None:
    described = run_event("clean", [dataset("raw")], [dataset("out", ("h",), {"h": [("raw", "id")]})])
    other = run_event("backfill", [dataset("raw", ("id", "note"))], [dataset("out")], second=1)
    before = folded([described, other], by_job=True)
    filtered = run_event("backfill", [dataset("raw", ("id",))], [dataset("out")], second=1)
    changes = compare(before, folded([described, filtered], by_job=True))
    (removed,) = changes.changes
    assert [node.name for node in changes.downstream(removed)] == ["out", "backfill"]
    assert changes.downstream(removed) == compare(read_lock(lock_text(before)), changes.after).downstream(
        removed
    )
    now = run_event("backfill", [dataset("raw")], [dataset("out", ("h",), {"h": [("raw", "id")]})], second=1)
    reported = folded([described, now], by_job=True)
    text = text_report(compare(reported, folded([described, other], by_job=True)))
    assert "    columns  writes db out without lineage of columns\n" in text


def test_a_source_that_nobody_reads_any_more_has_lost_no_column() -> None:
    def lineage(*sources: str) -> Lineage:
        out = dataset("out", ("t",), {"t": [("raw", name) for name in sources]})
        return folded([run_event("load", [dataset("raw")], [out]), *catalog("raw")])

    assert summary(lineage("x", "y"), lineage("y")) == [("removed", "source", False)]


def test_a_source_that_only_a_catalog_names_now_has_lost_no_column() -> None:
    job = run_event("load", [dataset("raw", ("id", "email"))], [dataset("daily", ("id",))])
    before, after = (folded([*events, *catalog("raw")]) for events in ([job], []))
    assert summary(before, after) == [("removed", "dataset", True), ("removed", "job", False)]
    assert summary(after, before) == [("added", "dataset", False), ("added", "job", False)]


def test_a_removed_column_that_is_still_read_changes_no_order() -> None:
    def lineage(*columns: str) -> Lineage:
        out = dataset("out", ("x",), {"x": [("cur", "b")]})
        return folded(
            [
                run_event("write", [], [dataset("cur", columns)]),
                run_event("read", [dataset("cur")], [out], second=1),
            ]
        )

    assert summary(lineage("a", "b", "c"), lineage("a", "c")) == [("removed", "column", True)]


def test_locks_of_two_repositories_are_joined_in_any_order() -> None:
    own = folded([run_event("write", [], [dataset("daily", ("x", "y"))])])
    report = dataset("report", ("t",), {"t": [("daily", "x")]})
    other = folded([run_event("report", [dataset("daily")], [report])])
    locks = [read_lock(lock_text(graph)) for graph in (own, other)]
    assert lock_text(joined(locks)) == lock_text(joined(locks[::-1]))
    assert not compare(joined(locks), joined([own, other]))


def test_a_renamed_job_whose_owner_is_still_that_of_the_earlier_name_is_renamed() -> None:
    owner = {
        "eventTime": "2026-11-20T00:00:00Z",
        "job": {
            "namespace": "etl",
            "name": "load",
            "facets": {"ownership": {"owners": [{"name": "team:shop"}]}},
        },
        "producer": PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent",
    }

    def lineage(name: str) -> Lineage:
        return folded([run_event(name, [dataset("raw")], [dataset("daily")]), owner])

    assert summary(lineage("load"), lineage("load_all")) == [
        ("removed", "owners", False),
        ("renamed", "job", False),
    ]


def chain(length: int, kind: str) -> Lineage:
    """Return a graph of datasets, each copied from the one before, whose columns have a type."""
    names = [f"d{number:04}" for number in range(length)]
    datasets = [dataset(name, ("x",), {"x": [(source, "x")]}) for source, name in pairwise(names)]
    for copy in datasets:
        copy["facets"]["schema"]["fields"][0]["type"] = kind
    copies = zip(names, datasets, strict=False)
    return folded([run_event(f"to {copy['name']}", [dataset(name)], [copy]) for name, copy in copies])


def star(count: int, kind: str) -> Lineage:
    """Return a graph of jobs that read one dataset, whose outputs have columns with a type."""
    outputs = [dataset(f"o{number:04}", ("x",), {"x": [("raw", "x")]}) for number in range(count)]
    for output in outputs:
        output["facets"]["schema"]["fields"][0]["type"] = kind
    return folded([run_event(output["name"], [dataset("raw", ("x",))], [output]) for output in outputs])


@each("graph_of", [chain, star])
@each("report", [text_report, markdown_report, json_report])
def test_reports_of_many_changes_grow_linearly(
    monkeypatch: pytest.MonkeyPatch,
    graph_of: Callable[[int, str], Lineage],
    report: Callable[[LineageChanges], str],
) -> None:
    monkeypatch.setattr("openlineage_facets.review.report._MOST_FOLLOWED", 10)
    few, many = (compare(graph_of(count, "int"), graph_of(count, "long")) for count in (50, 200))
    assert len(many.changes) >= 199
    assert python_calls(lambda: report(many)) < 6 * python_calls(lambda: report(few))


def test_what_a_change_reaches_is_counted_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openlineage_facets.review.report._MOST_FOLLOWED", 7)
    monkeypatch.setattr("openlineage_facets.review.report._MOST_LISTED", 3)
    changes = compare(chain(10, "int"), chain(10, "long"))
    assert "db d0003, dataset db d0004, dataset db d0005, dataset db d0006" in text_report(changes)
    assert "and at least 2 more\n" in text_report(changes)
    assert "and 1 more\n" in text_report(changes)
    found = json.loads(json_report(changes))["changes"]
    assert [(len(change["downstream"]), change["downstreamCount"]) for change in found[:2]] == [
        (3, 7),
        (3, 7),
    ]
    assert (len(found[-1]["downstream"]), found[-1]["downstreamCount"]) == (0, 0)
    assert "reaches at least 7 jobs and datasets" in str(finding_of(changes, changes.changes[0]))


def test_a_picture_of_more_changes_than_github_draws_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = compare(star(9, "int"), star(9, "long"))
    assert "```mermaid" in markdown_report(changes)
    monkeypatch.setattr("openlineage_facets.review.report.MOST_EDGES", 8)
    monkeypatch.delattr("openlineage_facets.review.report.both_graphs")
    assert "```mermaid" not in markdown_report(changes)


@each("facet", [
    {"ownership": {"owners": [{"name": "team:raw"}]}},
    {"documentation": {"description": "paid orders"}},
    {"tags": {"tags": [{"key": "pii", "value": "true", "field": "id"}]}},
])  # fmt: skip
def test_what_is_only_said_about_data_reaches_nothing(facet: dict[str, Any]) -> None:
    def lineage(facets: dict[str, Any]) -> Lineage:
        raw = dataset("raw", ("id",))
        raw["facets"] |= facets
        return folded([run_event("load", [raw], [dataset("daily", ("id",), {"id": [("raw", "id")]})])])

    for before, after in ((lineage({}), lineage(facet)), (lineage(facet), lineage({}))):
        changes = compare(before, after)
        (change,) = changes.changes
        assert changes.downstream(change) == ()
    if "tags" in facet:  # With new data, they do.
        changes = compare(lineage({}), lineage(facet), propagate=["pii"])
        assert {change.node.name: len(changes.downstream(change)) for change in changes.changes} == {
            "raw": 2,
            "daily": 0,
        }


def test_what_changes_of_many_inputs_of_a_job_reach_is_found_once_for_each_output() -> None:
    def calls(count: int) -> int:
        inputs, outputs = ([dataset(f"{kind}{number}") for number in range(count)] for kind in "io")
        lineage = folded([run_event("sync", inputs, outputs)])
        added = [
            change for change in compare(Lineage((), ()), lineage).changes if change.subject in ends(lineage)
        ]
        reached = compare(lineage, lineage).downstream(*added)
        assert [node.name for node in reached] == ["sync"]
        return python_calls(lambda: compare(lineage, lineage).downstream(*added))

    def ends(lineage: Lineage) -> list[object]:
        return [node.id for node in lineage.datasets]

    assert calls(80) < 5 * calls(20)


def renamed_in_each(count: int, name: str) -> Lineage:
    """Return the graph of a chain of datasets with equal columns, which are computed from those before."""
    others = {column: column for column in "abcdefgh"}
    events = []
    for number in range(count):
        sources = {**others, name: name if number else "k"}
        columns = {column: [(f"t{number}", source)] for column, source in sources.items()}
        output = dataset(f"t{number + 1}", tuple(columns), columns)
        events.append(run_event(f"j{number}", [dataset(f"t{number}")], [output]))
    return folded(events)


def test_a_column_that_is_renamed_in_each_dataset_of_a_chain_takes_time_for_what_is_not_yet_recognized() -> (
    None
):
    def calls(count: int) -> int:
        before, after = renamed_in_each(count, "old"), renamed_in_each(count, "new")
        changes = compare(before, after).changes
        assert {(change.part, change.kind) for change in changes} == {("column", "renamed")}
        assert len(changes) == count
        return python_calls(lambda: compare(before, after))

    assert calls(60) < 9 * calls(15)


def test_what_read_a_removed_column_is_reached_by_its_later_name() -> None:
    def lineage(columns: tuple[str, ...], source: str, target: str) -> Lineage:
        load = run_event("load", [dataset("raw")], [dataset("daily", columns)])
        report = run_event(
            "report", [dataset("daily")], [dataset(target, ("z",), {"z": [("daily", source)]})]
        )
        return folded([load, report])

    changes = compare(lineage(("k", "x"), "x", "weekly"), lineage(("k",), "k", "monthly"))
    (removed,) = (change for change in changes.changes if change.part == "column")
    assert [node.name for node in changes.downstream(removed)] == ["monthly", "report"]


@each("facets", [
    {"schema": lineage_facet(fields=[{"name": "x", "type": "string", "description": ""}])},
    {"schema": lineage_facet(fields=[{"name": "x", "type": "string"}])},
])  # fmt: skip
def test_an_empty_description_of_a_column_is_none_in_locks_and_comparisons(facets: dict[str, Any]) -> None:
    lineage = folded([run_event("j", [], [{**dataset("t"), "facets": facets}])])
    assert "description" not in lock_text(lineage)


def test_a_tag_of_a_job_has_no_field_in_locks_and_comparisons() -> None:
    event = run_event("j", [], [dataset("t")])
    event["job"]["facets"] = {"tags": lineage_facet(tags=[{"key": "gold", "value": "true", "field": "x"}])}
    assert '"field"' not in lock_text(folded([event]))


def test_a_count_that_is_too_large_for_a_float_is_out_of_every_range() -> None:
    def lineage(rows: int) -> Lineage:
        statistics = {"outputStatistics": lineage_facet(rowCount=rows)}
        return folded([run_event("j", [], [{**dataset("t"), "outputFacets": statistics}])])

    (change,) = compare(lineage(1), lineage(10**400), statistics=(0.5, 2.0)).changes
    assert change.part == "statistics"
    assert not compare(lineage(10**400), lineage(10**400 + 1), statistics=(0.5, 2.0)).changes
