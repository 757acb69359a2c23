"""Names that look like one dataset are found, with the rule that makes them one."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.naming.naming_rules import read_naming
from openlineage_facets.review.naming_proposals import MAIN_NAME, NamingProposals, NamingRule
from openlineage_facets.review.similar_names import naming_text, similar_names
from openlineage_facets.state import DatasetId, Lineage
from openlineage_facets.state.renaming import joined_names, renamed
from tests.cases import each
from tests.graphs.sample_graphs import dataset, run_event
from tests.review import graphs_to_review
from tests.speed.counting import python_calls

_COLUMNS = ("id", "amount")


def named(
    namespace: str, name: str, columns: tuple[str, ...] = (), *symlinks: tuple[str, str]
) -> dict[str, Any]:
    found = {**dataset(name, columns), "namespace": namespace}
    if symlinks:
        others = [{"namespace": link[0], "name": link[1], "type": "TABLE"} for link in symlinks]
        found["facets"]["symlinks"] = {"identifiers": others}
    return found


def lineage(*inputs: dict[str, Any], outputs: tuple[dict[str, Any], ...] = ()) -> Lineage:
    events = [run_event(f"job{number}", [dataset], []) for number, dataset in enumerate(inputs)]
    return graphs_to_review.folded([*events, run_event("write", [], list(outputs))]).lineage()


@each(
    ("name", "other", "reason", "rule"),
    [
        (
            named("s3://lake", "orders"),
            named("s3a://lake", "orders"),
            "another scheme of the same system",
            '[namespaces]\n"s3a://lake" = "s3://lake"\n',
        ),
        (
            named("postgres://db:5432", "shop.public.t"),
            named("postgres://db", "shop.public.t"),
            "with and without the default port",
            '[namespaces]\n"postgres://db" = "postgres://db:5432"\n',
        ),
        (
            named("s3://lake", "a/orders"),
            named("s3://lake", "a//orders/"),
            "more slashes",
            '[[datasets]]\nfrom = { namespace = "s3://lake", name = "a//orders/" }\n'
            'to = { namespace = "s3://lake", name = "a/orders" }\n',
        ),
        (
            named("db", "ORDERS"),
            named("db", "orders{1}"),
            "",
            "",
        ),
        (
            named("db", "T{1}"),
            named("db", "t{1}"),
            "upper and lower case",
            '[[datasets]]\nfrom = { namespace = "db", name = "t{{1}}" }\n'
            'to = { namespace = "db", name = "T{{1}}" }\n',
        ),
        (
            named("hive://meta:9083", "shop.orders"),
            named("s3://lake", "warehouse/orders", (), ("hive://meta:9083", "shop.orders")),
            "linked by a symlinks facet",
            'main_name = "table"\n',
        ),
        (
            named("s3://lake", "raw/orders", _COLUMNS),
            named("file", "/tmp/lake/orders", _COLUMNS),
            "same schema and last part of the name",
            '[[datasets]]\nfrom = { namespace = "file", name = "/tmp/lake/orders" }\n'
            'to = { namespace = "s3://lake", name = "raw/orders" }\n',
        ),
        (named("s3://lake", "raw/orders", ("id",)), named("file", "/orders", ("id",)), "", ""),
        (named("s3://lake", "raw/orders", _COLUMNS), named("file", "/t", _COLUMNS), "", ""),
    ],
)  # fmt: skip
def test_a_pair_has_a_reason_and_a_rule_that_makes_it_one(
    name: dict[str, Any], other: dict[str, Any], reason: str, rule: str, tmp_path: Path
) -> None:
    for graph in (lineage(name, other), lineage(other, name)):
        similar = similar_names(graph)
        assert "".join(pair.reason for pair in similar) == reason
        assert naming_text(pair.rule for pair in similar) == rule
        if similar:
            (tmp_path / "naming.toml").write_text(rule)
            after = renamed(graph, read_naming(tmp_path / "naming.toml"))
            assert not similar_names(after)
            assert len(after.datasets) == len(graph.datasets) - 1


def test_a_copy_with_the_same_columns_is_another_dataset() -> None:
    source, copy = named("s3://lake", "raw/t", _COLUMNS), named("s3://lake", "copy/t", _COLUMNS)
    assert not similar_names(graphs_to_review.folded([run_event("copy", [source], [copy])]).lineage())
    between, last = named("s3://lake", "between/x", _COLUMNS), named("s3://lake", "last/t", _COLUMNS)
    events = [run_event("one", [source], [between]), run_event("two", [between], [last])]
    assert not similar_names(graphs_to_review.folded(events).lineage())


def test_two_schemes_of_one_bucket_and_path_are_one_dataset_although_a_job_copies_it() -> None:
    for name, other in (
        ("s3://lake", "s3a://lake"),
        ("abfss://c@a.dfs.core.windows.net", "abfs://c@a.dfs.core.windows.net"),
        ("wasbs://c@a.blob.core.windows.net", "wasb://c@a.blob.core.windows.net"),
    ):
        for ends in ([name, other], [other, name]):
            source, target = (named(namespace, "raw/t") for namespace in ends)
            (pair,) = similar_names(
                graphs_to_review.folded([run_event("copy", [source], [target])]).lineage()
            )
            assert naming_text([pair.rule]) == f'[namespaces]\n"{other}" = "{name}"\n'
            assert pair.reason == "another scheme of the same system; a job reads one and writes the other"


def test_a_namespace_is_replaced_only_if_none_of_its_datasets_is_a_copy() -> None:
    tables = [[named(f"postgres://{host}:5432", f"db.s.{name}", _COLUMNS) for name in "ab"] for host in "xy"]
    (copied, other), (copy, same) = tables
    events = [run_event("copy", [copied], [copy]), run_event("read", [other, same], [])]
    (pair,) = similar_names(graphs_to_review.folded(events).lineage())
    assert pair.rule.table == "datasets"
    assert {pair.name.name, pair.other.name} == {"db.s.b"}


def test_a_namespace_with_a_copy_is_kept_although_other_names_in_it_are_linked() -> None:
    x, y = "postgres://x:5432", "postgres://y:5432"
    linked, main, copied, copy, other, same = (
        named(host, f"db.s.{name}") for name in "abc" for host in (x, y)
    )
    events = [run_event("copy", [copied], [copy]), run_event("read", [linked, main, other, same], [])]
    proposals = NamingProposals(graphs_to_review.folded(events).lineage())
    assert proposals.main_name(DatasetId(x, "db.s.a"), DatasetId(y, "db.s.a")) == MAIN_NAME
    assert proposals.namespace_rule(DatasetId(x, "db.s.c"), DatasetId(y, "db.s.c"), is_guess=True) is None


def test_a_rule_is_about_the_names_that_the_rules_before_it_give() -> None:
    names = [("s3://lake", "a/t"), ("s3a://lake", "a//t"), ("s3://lake", "u"), ("s3a://lake", "u")]
    similar = similar_names(lineage(*(named(*name) for name in names)))
    assert naming_text(pair.rule for pair in similar) == (
        '[namespaces]\n"s3a://lake" = "s3://lake"\n\n'
        '[[datasets]]\nfrom = { namespace = "s3://lake", name = "a//t" }\n'
        'to = { namespace = "s3://lake", name = "a/t" }\n'
    )


def test_rules_are_added_to_a_table_with_a_comment() -> None:
    similar = similar_names(lineage(named("s3://lake", "raw"), named("s3a://lake", "raw")))
    text = ' [ namespaces ] # ours\n"a" = "b"\n'
    assert naming_text([pair.rule for pair in similar], text) == (
        ' [ namespaces ] # ours\n"s3a://lake" = "s3://lake"\n"a" = "b"\n'
    )


_NAMES = st.tuples(
    st.sampled_from(["s3://a", "s3a://a", "s3n://a", "hive://h:9083", "hive://h", "file"]),
    st.sampled_from(["x/t", "x//t", "X/t", "y/t"]),
)
_GRAPHS = st.lists(_NAMES, min_size=2, max_size=8, unique=True).flatmap(
    lambda names: st.tuples(
        st.just(names),
        st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=2),
        st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=4),
    )
)


@given(_GRAPHS, st.sets(_NAMES))
def test_each_rule_is_needed_and_joins_no_dataset_with_what_it_is_computed_from(
    graph: tuple[list[tuple[str, str]], list[Any], list[Any]], with_columns: set[tuple[str, str]]
) -> None:
    names, links, copies = graph
    datasets = {
        name: named(*name, _COLUMNS if name in with_columns else (), *(to for of, to in links if of == name))
        for name in names
    }
    jobs = [([datasets[source]], [datasets[target]]) for source, target in copies]
    events = [run_event(f"job{at}", *ends) for at, ends in enumerate([*jobs, (list(datasets.values()), [])])]
    before = graphs_to_review.folded(events).lineage()
    similar = similar_names(before)
    rules = list(dict.fromkeys(pair.rule for pair in similar))

    def groups(kept: list[NamingRule]) -> dict[tuple[str, str], DatasetId]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "naming.toml"
            file.write_text(naming_text(kept))
            naming = read_naming(file)
        joined = joined_names(before, naming)
        return {(name.namespace, name.name): group.name for group in joined for name in group.names}

    after = groups(rules)
    for pair in similar:
        (name, other) = ((it.namespace, it.name) for it in (pair.name, pair.other))
        assert after[name] == after[other], pair
    # The setting is the simplest rule for linked names, although two others together may do the same.
    for rule in (rule for rule in rules if rule.table):
        assert groups([other for other in rules if other != rule]) != after, rule
    has_main_name = any(not rule.table for rule in rules)
    linked = {name: {name} for name in names}
    schemes = [(a, b) for a in names for b in names if a[1] == b[1] and a[0][:2] == b[0][:2] == "s3"]
    for name, other in [*schemes, *(links if has_main_name else ())]:
        joined = linked[name] | linked[other]
        linked.update(dict.fromkeys(joined, joined))
    for source, target in copies:
        is_one = source in after and after[source] == after.get(target)
        assert not is_one or target in linked[source], (source, target)


def test_rules_are_added_to_the_tables_of_a_file() -> None:
    similar = similar_names(
        lineage(
            named("s3://lake", "orders"),
            named("s3n://lake", "orders"),
            named("s3://lake", "a"),
            named("s3://lake", "a/"),
            named("hive://meta:9083", "t"),
            named("s3://lake", "t", (), ("hive://meta:9083", "t")),
        )
    )
    before = '# Ours.\n\n[namespaces]\n"s3a://lake" = "s3://lake"\n'
    assert naming_text([pair.rule for pair in similar], before) == (
        'main_name = "table"\n# Ours.\n\n[namespaces]\n"s3n://lake" = "s3://lake"\n"s3a://lake" = "s3://lake"\n\n'
        '[[datasets]]\nfrom = { namespace = "s3://lake", name = "a/" }\n'
        'to = { namespace = "s3://lake", name = "a" }\n'
    )


def test_names_of_a_chain_of_copies_take_time_for_each_of_them() -> None:
    def calls(count: int) -> int:
        events = [
            run_event(f"j{i}", [dataset(f"t{i}/x", _COLUMNS)], [dataset(f"t{i + 1}/x", _COLUMNS)])
            for i in range(count)
        ]
        lineage = graphs_to_review.folded(events).lineage()
        assert similar_names(lineage) == ()
        return python_calls(lambda: similar_names(lineage))

    assert calls(80) < 5 * calls(20)
