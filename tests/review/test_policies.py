"""Policies find every violation with a true path, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import Finding
from openlineage_facets.review import lock_text, read_lock
from openlineage_facets.review.downstream import Successors
from openlineage_facets.review.policies import Policies, check_policies, checking, read_policies
from openlineage_facets.review.policies.policy_graph import any_match, groups_in_order
from openlineage_facets.review.policies.unmatched import unknown_tag, unmatched_policies
from openlineage_facets.review.tagged_columns import TagReach, is_tag, propagated, tagged
from openlineage_facets.state import ColumnId, DatasetId, Lineage
from openlineage_facets.state.column_edges import End
from tests.cases import each
from tests.graphs.sample_graphs import dataset, folded, lineage_facet, run_event
from tests.speed.counting import python_calls
from tools.policy_schema import SCHEMA, schema_text

CASES = Path(__file__).parent / "policies"


def lineage_of(case: str, name: str) -> Lineage:
    return read_lock((CASES / case / f"{name}.lock.json").read_bytes())


@each("case", sorted(path.name for path in CASES.iterdir()))
def test_each_policy_finds_what_violates_it_and_nothing_else(case: str) -> None:
    policies = read_policies(CASES / case / "policies.toml")
    found = check_policies(lineage_of(case, "violates"), policies)
    expected = (CASES / case / "findings.txt").read_text(encoding="utf-8").splitlines()
    assert [f"{finding.code} {finding}" for finding in found] == expected
    assert {finding.line for finding in found} == {1}
    assert check_policies(lineage_of(case, "passes"), policies) == []


class Column(NamedTuple):
    """An edge of a random graph; a column of None is the dataset as a whole."""

    source: tuple[str, str]
    target: tuple[str, str | None]
    kind: str
    masked: bool


_COLUMN_NAMES = ["x", "x.n", "y", "z"]
_DATASETS, _NAMES = st.sampled_from("abcde"), st.sampled_from(_COLUMN_NAMES)
_COLUMNS = st.lists(
    st.builds(
        Column,
        st.tuples(_DATASETS, _NAMES),
        st.tuples(_DATASETS, _NAMES | st.none()),
        st.sampled_from(["IDENTITY", "COPY", "FILTER", "JOIN", ""]),
        st.booleans(),
    ),
    max_size=9,
)


class Job(NamedTuple):
    """A job of a random graph."""

    sources: str
    """The names of the datasets that it reads, of one letter each."""
    target: str
    has_columns: bool = True


_FLOWS = st.lists(st.tuples(_DATASETS, _DATASETS), max_size=2)
_JOBS = st.lists(
    st.builds(
        Job, st.sets(_DATASETS, min_size=1, max_size=2).map(sorted).map("".join), _DATASETS, st.booleans()
    ),
    max_size=5,
)
_TAGGED = st.sets(st.tuples(_DATASETS, _NAMES), max_size=2)


def graph(
    columns: list[Column],
    jobs: list[Job],
    tags: set[tuple[str, str]],
    flows: Iterable[tuple[str, str]] = (),
) -> Lineage:
    """Return a graph as a lock file describes it; each job reads datasets and writes one."""
    datasets: dict[str, dict[str, Any]] = {
        name: {
            "namespace": "db",
            "name": name,
            "columns": [{"name": name, "sources": []} for name in _COLUMN_NAMES],
        }
        for name in "abcde"
    }
    for edge in columns:
        kind = {"IDENTITY": "DIRECT", "COPY": "COPY"}.get(edge.kind, "INDIRECT")
        by = [{"type": kind, "subtype": edge.kind, "masking": edge.masked}] if edge.kind else []
        source = {"namespace": "db", "name": edge.source[0], "column": edge.source[1], "by": by}
        target = datasets[edge.target[0]]
        if edge.target[1] is None:
            target.setdefault("rows", []).append(source)
        else:
            target["columns"][_COLUMN_NAMES.index(edge.target[1])]["sources"].append(source)
    for name, column in sorted(tags):
        datasets[name].setdefault("tags", []).append({"key": "pii", "value": "true", "field": column})
    found = [
        {
            "namespace": "etl",
            "name": str(number),
            "inputs": [{"namespace": "db", "name": source} for source in job.sources],
            "outputs": [
                {"namespace": "db", "name": job.target, **({} if job.has_columns else {"columns": False})}
            ],
        }
        for number, job in enumerate(jobs)
    ]
    for source, name in flows:
        datasets[name].setdefault("sources", []).append({"namespace": "db", "name": source})
    lock = {"format": "openlineage-facets lock 1", "jobs": found, "datasets": list(datasets.values())}
    return read_lock(json.dumps(lock))


Place = tuple[str, str | None]


def is_nested(column: str, other: str) -> bool:
    """Return whether a column contains the other one, or is the same."""
    return other == column or other.startswith(f"{column}.")


def all_paths(
    columns: list[Column],
    jobs: list[Job],
    flows: list[tuple[str, str]],
    through: set[str],
    path: tuple[Place, ...],
) -> Iterator[tuple[Place, ...]]:
    """Yield every path without repeated ends that continues a path: the naive search."""
    yield path
    name, column = path[-1]
    following: set[Place] = set()
    for edge in columns:
        # Several edges between the same ends have one set of transformations; unknown ones are visible.
        same = [other for other in columns if (other.source, other.target) == (edge.source, edge.target)]
        visible = any(
            not other.kind
            or (not other.masked and (other.kind in ("IDENTITY", "COPY") or other.kind in through))
            for other in same
        )
        source, of_source = edge.source
        is_source = column is not None and (is_nested(column, of_source) or is_nested(of_source, column))
        if source == name and is_source and visible:
            following.add(edge.target)
    described = {(edge.source[0], edge.target[0]) for edge in columns}
    for job in jobs:
        is_described = job.has_columns and any((source, job.target) in described for source in job.sources)
        if name in job.sources and name != job.target and not is_described:
            following.add((job.target, None))
    known = described | {(source, job.target) for job in jobs for source in job.sources}
    following |= {
        (target, None)
        for source, target in flows
        if source == name != target and (source, target) not in known
    }
    if column is None:
        # Other columns of a dataset that is reached as a whole lead nowhere.
        following |= {edge.source for edge in columns if edge.source[0] == name}
    for end in following - set(path):
        yield from all_paths(columns, jobs, flows, through, (*path, end))


def place(end: End) -> Place:
    return (end.dataset.name, end.name) if isinstance(end, ColumnId) else (end.name, None)


@given(_COLUMNS, _JOBS, _FLOWS, _TAGGED, st.sets(st.sampled_from(["FILTER", "JOIN"])))
def test_tags_reach_what_a_search_of_all_paths_finds_by_a_shortest_one_of_them(
    columns: list[Column],
    jobs: list[Job],
    flows: list[tuple[str, str]],
    tags: set[tuple[str, str]],
    through: set[str],
) -> None:
    lineage = graph(columns, jobs, tags, flows)
    assert {place(end) for end in tagged(lineage, "pii")} == tags
    parents = TagReach(Successors(lineage), through).parents(tagged(lineage, "pii"))
    paths = {path for start in tags for path in all_paths(columns, jobs, flows, through, (start,))}
    assert {place(end) for end in parents} == {path[-1] for path in paths}
    for end in parents:
        path, at = [place(end)], parents[end]
        while at is not None:
            path.append(place(at.before))
            at = parents[at.before]
        assert tuple(reversed(path)) in paths
        assert len(path) == min(len(known) for known in paths if known[-1] == place(end))


def test_a_policy_on_tags_has_a_finding_for_each_column_that_is_reached() -> None:
    edges = [
        Column(("a", "x"), ("b", "y"), "IDENTITY", False),
        Column(("b", "y"), ("c", "x"), "IDENTITY", False),
        Column(("b", "y"), ("c", "z"), "IDENTITY", True),
    ]
    policies = Policies.model_validate({"tag": [{"tag": "pii", "must-not-reach": ["c", "b"]}]})
    found = check_policies(graph(edges, [], {("a", "x")}), policies)
    assert sorted(finding.pointer for finding in found) == ["db b.y", "db c.x"]


def test_a_facet_classifies_columns_instead_of_a_tag() -> None:
    lineage = graph([Column(("a", "x"), ("b", "y"), "IDENTITY", False)], [], set())
    (first, *_) = lineage.datasets
    first.facets["acme_privacy"] = {"columns": ["x"]}  # type: ignore[index]
    table = {"facet": "acme_privacy/columns", "must-not-reach": ["b"]}
    policies = Policies.model_validate({"tag": [table]})
    assert policies.facets() == {"acme_privacy"}
    assert [finding.pointer for finding in check_policies(lineage, policies)] == ["db b.y"]


def test_a_column_that_is_computed_from_a_whole_dataset_has_the_tags_of_its_columns() -> None:
    lock = {
        "format": "openlineage-facets lock 1",
        "datasets": [
            {"namespace": "db", "name": "raw", "tags": [{"key": "pii", "field": "email"}]},
            {
                "namespace": "db",
                "name": "out",
                "columns": [{"name": "x", "sources": [{"namespace": "db", "name": "raw"}]}],
            },
        ],
    }
    policies = Policies.model_validate({"tag": [{"tag": "pii", "must-not-reach": ["out"]}]})
    (found,) = check_policies(read_lock(json.dumps(lock)), policies)
    assert str(found) == (
        "db out.x: is reached by tag pii: db raw.email -> db raw (columns unknown) -> db out.x (unknown); "
        "mask it on the way, or remove it"
    )


def test_a_job_that_reports_only_what_decides_about_rows_may_write_every_column() -> None:
    raw, out = dataset("raw", ("email",)), dataset("out", ("x",), {"x": []})
    raw["facets"]["tags"] = {"tags": [{"key": "pii", "value": "true", "field": "email"}]}
    facet = out["facets"]["columnLineage"]
    facet["dataset"] = [{"namespace": "db", "name": "raw", "field": "id", "transformations": []}]
    policies = Policies.model_validate({"tag": [{"tag": "pii", "must-not-reach": ["out"]}]})
    assert not check_policies(folded([run_event("load", [raw], [out])], by_job=True), policies)
    facet["fields"] = {}
    lineage = folded([run_event("load", [raw], [out])], by_job=True)
    assert len(check_policies(lineage, policies)) == 1
    assert len(check_policies(read_lock(lock_text(lineage)), policies)) == 1


@each(("tables", "expected"), [
    ({"cycles": [{}]}, []),
    ({"layers": [{"datasets": ["b"], "must-not-read": ["c"]}]}, []),
    ({"layers": [{"datasets": ["b"], "must-not-read": ["a"]}]}, ["db b"]),
])  # fmt: skip
def test_an_input_that_contributes_to_no_column_of_an_output_is_no_source_of_it(
    tables: dict[str, Any], expected: list[str]
) -> None:
    """One job writes b from a, and d from c, which another one computes from b."""
    columns = [Column((a, "x"), (b, "x"), "IDENTITY", False) for a, b in ("ab", "cd", "bc")]
    lineage = graph(columns, [Job("ac", "b"), Job("ac", "d"), Job("b", "c")], set())
    # What they contribute to without columns is unknown.
    unknown = graph(columns, [Job("ac", "b", has_columns=False), Job("b", "c")], set())
    policies = Policies.model_validate(tables)
    assert [finding.pointer for finding in check_policies(lineage, policies)] == expected
    assert check_policies(unknown, policies)


def test_a_facet_that_names_no_job_counts_as_none_between_a_source_and_a_product() -> None:
    column = Column(("a", "x"), ("b", "x"), "IDENTITY", False)
    lineage = graph([column], [Job("b", "c"), Job("c", "d")], set())
    policies = Policies.model_validate({"distance": [{"products": ["*"], "jobs": 1}]})
    (found,) = check_policies(lineage, policies)
    assert "expected at most 1 jobs from a source, found 2: " in str(found)
    assert found.pointer == "db d"


def test_a_value_of_a_tag_is_compared_in_any_case() -> None:
    assert is_tag("pii=True", "pii=true")
    assert is_tag("pii", "pii=True")
    assert is_tag("class=Secret", "class=secret")
    assert not is_tag("pii=FALSE", "pii")
    assert not is_tag("PII=true", "pii=true")


def test_propagated_tags_end_where_a_column_is_masked() -> None:
    edges = [
        Column(("a", "x"), ("b", "y"), "IDENTITY", False),
        Column(("b", "y"), ("c", "z"), "IDENTITY", True),
        Column(("b", "y"), ("c", "x"), "FILTER", False),
    ]
    lineage = propagated(graph(edges, [Job("c", "d"), Job("b", "e")], {("a", "x")}), ["pii"])
    assert sorted(map(place, tagged(lineage, "pii")), key=str) == [
        ("a", "x"),
        ("b", "y"),
        ("e", "x"),
        ("e", "x.n"),
        ("e", "y"),
        ("e", "z"),
        ("e", None),
    ]


@given(st.sets(st.tuples(_DATASETS, _DATASETS)))
def test_groups_of_cycles_are_those_that_reach_each_other_and_sources_come_first(
    pairs: set[tuple[str, str]],
) -> None:
    ids = {name: DatasetId("db", name) for name in "abcde"}
    after = {ids[name]: [ids[other] for source, other in sorted(pairs) if source == name] for name in "abcde"}
    reached = {name: {name} for name in "abcde"}
    for _ in "abcde":
        for source, other in pairs:
            for name in "abcde":
                reached[name] |= {other} if source in reached[name] else set()
    groups = [{node.name for node in group} for group in groups_in_order(after)]
    for number, group in enumerate(groups):
        for name in group:
            assert group == {other for other in reached[name] if name in reached[other]}
            assert not any(earlier & reached[name] - group for earlier in groups[:number])
    assert sum(map(len, groups)) == 5


@given(st.text("a*b", max_size=6), st.text("ab", max_size=6))
def test_a_star_is_any_text(pattern: str, text: str) -> None:
    def naive(pattern: str, text: str) -> bool:
        if not pattern:
            return not text
        if pattern[0] == "*":
            return any(naive(pattern[1:], text[at:]) for at in range(len(text) + 1))
        return text[:1] == pattern[0] and naive(pattern[1:], text[1:])

    assert any_match((pattern,), text) == naive(pattern, text)


@each(
    ("text", "message"),
    [
        ("[[tag", ": expected TOML: "),
        (
            '\n[[tag]]\ntag = "pii"\n',
            ":2: tag.must-not-reach: expected a value, found none; add ",
        ),
        ('[[tag]]\nmust-not-reach = ["a"]\n', ":1: tag: expected either tag or facet, found an object"),
        ("[[tags]]\n", ":1: tags: expected a known key; did you mean tag?"),
        ('[[used]]\nhave = ["reader"]\n[[used]]\nhave = ["user"]\n', ":4: used.have: expected 'reader' or"),
        (
            "\n[tag]\ntag = 'pii'\n",
            ":2: tag: expected a valid list, found an object; write [[tag]] instead of [tag]",
        ),
        (
            "[[layers]]\ndatasets = 'raw/*'\nmust-not-read = ['b']\n",
            ':2: layers.datasets: expected a valid list, found "raw/*"; write datasets = ["raw/*"]',
        ),
        ("[[outputs]]\nhave = []\n", ":2: outputs.have: expected at least one item"),
        (
            '[[distance]]\nproducts = ["a"]\njobs = "2"\n',
            ":3: distance.jobs: expected a valid integer",
        ),
    ],
)
def test_an_invalid_file_is_reported_with_line_and_fix(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "policies.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="policies.toml") as error:
        read_policies(path)
    assert str(error.value).startswith(f"{path}{message}")


def own(lineage: Lineage, options: dict[str, Any]) -> Iterator[Finding]:
    if options.get("fails"):
        raise RuntimeError("broken")
    yield Finding(lineage.jobs[0].id.name, "", "", problem=f"more than {options['limit']}", code="ACME7")


def test_a_function_of_another_package_is_a_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("few", f"{__name__}:own", checking.GROUP)
    found_points = {checking.GROUP: [point]}
    monkeypatch.setattr(checking, "entry_points", lambda group: found_points[group])
    tables = [
        {"name": "few", "options": {"limit": 1}, "severity": "warning"},
        {"name": "few", "options": {"fails": True}},
        {"name": "missing"},
    ]
    found = check_policies(graph([], [Job("a", "b")], set()), Policies.model_validate({"custom": tables}))
    assert [(finding.code, finding.severity, finding.message.partition(";")[0]) for finding in found] == [
        ("ACME7", "warning", "more than 1"),
        ("OL900", "error", "expected the policy few to check the graph, found RuntimeError: broken"),
        (
            "OL900",
            "error",
            "expected the policy missing to check the graph, found LookupError: no installed package has it",
        ),
    ]


def test_the_json_schema_for_editors_is_that_of_the_classes() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), "run `tools/policy_schema.py`"


def test_findings_are_in_the_order_of_the_policies_in_their_file(tmp_path: Path) -> None:
    file = tmp_path / "policies.toml"
    file.write_text(
        '[[used]]\nhave = ["writer"]\n\n[[outputs]]\nhave = ["owner"]\n\n[[used]]\nhave = ["reader"]\n'
    )
    found = check_policies(graph([], [Job("a", "b")], set()), read_policies(file))
    lines = [finding.line for finding in found]
    assert lines == sorted(lines, key=lambda line: line or 0)
    assert {1, 4, 7} == {*lines}


def test_policies_on_a_job_with_many_inputs_and_outputs_take_time_for_each_of_them_not_for_pairs() -> None:
    def calls(count: int) -> int:
        inputs, outputs = ([dataset(f"{kind}{number}") for number in range(count)] for kind in "io")
        inputs[0]["facets"]["tags"] = lineage_facet(tags=[{"key": "pii", "value": "true"}])
        lineage = folded([run_event("sync", [*inputs, dataset("both")], [*outputs, dataset("both")])])
        policies = Policies.model_validate(
            {
                "tag": [{"tag": "pii", "must-not-reach": ["o1"]}],
                "cycles": [{"also-direct": True}],
                "distance": [{"products": ["o1"], "jobs": 1}],
                "layers": [{"datasets": ["o1"], "must-not-read": ["i1"]}],
            }
        )
        codes = [finding.code for finding in check_policies(lineage, policies)]
        assert codes == ["OL821", "OL825", "OL826", "OL827"]
        return python_calls(lambda: check_policies(lineage, policies))

    assert calls(80) < 5 * calls(20)


def test_a_cycle_of_a_job_that_also_reads_what_it_writes_is_a_shortest_one_through_other_datasets() -> None:
    events = [
        run_event("sync", [dataset("a"), dataset("b")], [dataset("a"), dataset("b")]),
        run_event("back", [dataset("b")], [dataset("a")]),
    ]
    policies = Policies.model_validate({"cycles": [{}]})
    (finding,) = check_policies(folded(events), policies)
    assert finding.problem == "expected no cycle, found db a -> job etl sync -> db b -> job etl back -> db a"


@each(("tag", "problem"), [
    ({"key": "pii", "value": "true", "field": "Email"}, "db a has no column Email; did you mean email?"),
    ({"key": "pii", "value": "true", "field": "email"}, None),
    ({"key": "pii", "value": "true", "field": "email.domain"}, None),
    ({"key": "pii", "value": "true"}, None),
])  # fmt: skip
def test_a_tag_of_a_column_that_its_dataset_does_not_have_is_reported(
    tag: dict[str, str], problem: str | None
) -> None:
    source = dataset("a", ("email",))
    source["facets"]["tags"] = lineage_facet(tags=[tag])
    lineage = folded([run_event("j", [source], [dataset("b")])])
    policies = Policies.model_validate({"tag": [{"tag": "pii", "must-not-reach": ["b"]}]})
    problems = [text for _, text in unmatched_policies(lineage, policies)]
    assert problems == ([] if problem is None else [f"tag.tag: pii: {problem}"])
    assert unknown_tag([lineage], "pii") == (None if problem is None else f"pii: {problem}")


def test_columns_that_a_facet_lists_and_their_dataset_does_not_have_are_reported_up_to_three() -> None:
    source = dataset("a", ("x",))
    source["facets"]["acme"] = lineage_facet(columns=["k1", "k2", "x", "k3", "k4", "k5"])
    lineage = folded([run_event("j", [source], [dataset("b")])])
    policies = Policies.model_validate({"tag": [{"facet": "acme/columns", "must-not-reach": ["b"]}]})
    unknown = "; ".join(f"db a has no column k{number}" for number in (1, 2, 3))
    expected = f"tag.facet: acme/columns: {unknown}"
    assert [text for _, text in unmatched_policies(lineage, policies)] == [expected]


def test_an_invalid_tags_facet_of_what_a_tag_reaches_is_ignored() -> None:
    source, target = dataset("a", ("x",)), dataset("b", ("y",), {"y": [("a", "x")]})
    source["facets"]["tags"] = lineage_facet(tags=[{"key": "pii", "value": "true", "field": "x"}])
    target["facets"]["tags"] = lineage_facet(tags=5)
    lineage = propagated(folded([run_event("j", [source], [target])]), ["pii"])
    assert ColumnId(DatasetId("db", "b"), "y") in tagged(lineage, "pii")
