"""Labels of nodes are short, and different for different nodes."""

from __future__ import annotations

from openlineage_facets.graphs import dot, mermaid
from openlineage_facets.graphs.labels import labels_of, short_name, text_width, told_apart
from tests.graphs.sample_graphs import folded, orders, run_event, same_names_events


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
