"""Labels of nodes are short, and different for different nodes."""

from __future__ import annotations

from openlineage_facets.graphs import dot, mermaid, svg
from openlineage_facets.graphs.description import description
from openlineage_facets.graphs.labels import labels_of, redacted, short_name, text_width, told_apart
from tests.events import facet
from tests.graphs.sample_graphs import dataset, folded, orders, run_event, same_names_events


def test_the_end_of_a_name_is_kept() -> None:
    assert short_name("/warehouse/sales/orders/daily", 16) == "…/orders/daily"
    assert short_name("abcdefghij", 5) == "…ghij"
    assert short_name("abcde", 5) == "abcde"


def test_names_are_measured_by_their_width() -> None:
    assert text_width("mmmm") > text_width("oooo") > text_width("iiii")
    assert len(short_name("m" * 40, 16, text_width)) < len(short_name("i" * 40, 16, text_width)) <= 40


def test_unique_names_need_no_namespace() -> None:
    labels = labels_of(orders())
    assert {str(label) for label in labels.values()} == {
        "curated/daily",
        "orders.daily",
        "raw/customers",
        "raw/orders",
        "reports.weekly",
        "reports/weekly",
    }


def test_equal_names_are_told_apart_by_namespaces() -> None:
    labels = labels_of(folded(same_names_events()), width=26, namespace_width=20)
    texts = [str(label) for label in labels.values()]
    assert len(set(texts)) == len(texts) == 9
    assert "copy (…/live-warehouse.ex…)" in texts
    assert "…/region-us/orders/daily/…" in texts


def test_the_shown_end_of_a_name_is_not_that_of_another_name() -> None:
    names = [f"{team}.curated.load_0{number}" for team in ("balance", "imbalance") for number in (1, 2)]
    labels = labels_of(folded([run_event(name, [], []) for name in names]), width=23)
    assert sorted(map(str, labels.values())) == [
        "balance.curated.load_01",
        "balance.curated.load_02",
        "imbala….curated.load_01",
        "imbala….curated.load_02",
    ]


def test_names_that_differ_only_in_the_omitted_part_keep_their_ends() -> None:
    names = ["cdx.load", "abcdx.load", "cdy.load", "abcdy.load"]
    short = told_apart(names, 9, len)
    assert len(set(short.values())) == 4
    assert [short[name] for name in names[::2]] == names[::2]


def test_text_formats_tell_them_apart_too() -> None:
    lineage = folded(same_names_events())
    for text in (mermaid(lineage).text, dot(lineage)):
        nodes = [line.split("[", 1)[1] for line in text.splitlines() if "copy" in line or "orders" in line]
        assert len(set(nodes)) == len(nodes) == 8


def test_names_are_redacted_wherever_a_graph_has_them() -> None:
    login = {"namespace": "postgres://ana:xyzzy@db:5432"}
    source, target = (
        dataset("raw"),
        dataset("sales", ("token=xyzzy",), {"total": [("raw", "password=xyzzy")]}),
    )
    target["outputFacets"] = {"outputStatistics": {"rowCount": 392}}
    event = run_event("password=xyzzy", [source | login], [target | login])
    raw = {**login, "name": "raw", "type": "DATASET"}
    event["job"]["facets"] = {"lineage": facet(entries=[{**raw, "name": "sales", "inputs": [raw]}])}
    graph = redacted(folded([event]))
    assert any(edge.inputs for edge in graph.edges)
    runs = [job.last_run for job in graph.jobs]
    assert "xyzzy" not in repr((graph.edges, graph.columns, runs, mermaid(graph, columns=True)))
    nodes = {node["name"]: node["detail"] for node in description(graph).nodes}
    assert (nodes["sales"], nodes["password=***"]) == ("392 rows written", "COMPLETE")


def test_datasets_whose_redacted_names_are_equal_become_one_with_the_columns_of_all() -> None:
    sources, outputs = [], []
    for number, login in enumerate(("ana:xyzzy", "bob:hunter")):
        source = dataset("t", (f"c{number}",)) | {"namespace": f"postgres://{login}@db:5432"}
        output = dataset(f"o{number}", (), {"out": [("t", f"c{number}")]})
        output["facets"]["columnLineage"]["fields"]["out"]["inputFields"][0]["namespace"] = source[
            "namespace"
        ]
        sources.append(source)
        outputs.append(output)
    lineage = redacted(folded([run_event("load", sources, outputs)]))
    (merged,) = (one for one in lineage.datasets if one.id.name == "t")
    assert {column.name for column in merged.columns} == {"c0", "c1"}
    assert ">t</text>" in svg(lineage, columns=True)


def test_an_empty_name_has_a_label() -> None:
    events = [run_event("", [dataset("")], [dataset("copy", (), {"": [("", "")]})])]
    for text in (mermaid(folded(events)).text, mermaid(folded(events), columns=True).text):
        assert '""' not in text
        assert "#40;no name#41;" in text
    assert "<b></b>" not in dot(folded(events), columns=True)
    assert ">(no name)</td>" in dot(folded(events), columns=True)
    assert {*told_apart(["", "(no name)"], 40, len).values()} == {"(no name)"}
