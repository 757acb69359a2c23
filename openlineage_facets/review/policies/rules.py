"""The built-in policies: `check_tag` yields what violates `[[tag]]`, with the path that does; and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from openlineage_facets.review.change_texts import end_text, name_text, steps_text
from openlineage_facets.review.downstream import Link
from openlineage_facets.review.paths import last_steps
from openlineage_facets.review.policies import policy as policies
from openlineage_facets.review.policies.policy_graph import PolicyGraph, any_match, matches
from openlineage_facets.review.tagged_columns import Step, TagReach, classified, tagged
from openlineage_facets.state import ColumnId, DatasetId, Node
from openlineage_facets.state.column_edges import End, node_of
from openlineage_facets.state.lineage import Transfer


class Violation(NamedTuple):
    """What violates a policy."""

    subject: End
    problem: str
    path: str
    """The rest of the problem, which may change while the violation stays."""
    hint: str = ""
    others: tuple[Node, ...] = ()
    """What else distinguishes the violations of one dataset, such as their jobs."""

    @property
    def identity(self) -> str:
        """What stays the same as long as the violation does."""
        return " ".join([end_text(self.subject), self.problem, *map(end_text, self.others)])


def check_tag(graph: PolicyGraph, policy: policies.TagPolicy) -> Iterator[Violation]:
    """Yield each column that is reached, with a shortest path to it."""
    if policy.tag is not None:
        what, starts = f"tag {policy.tag}", tagged(graph.lineage, policy.tag)
    else:
        what, starts = f"facet {policy.facet}", classified(graph.lineage, policy.facet or "")
    parents = TagReach(graph, policy.through).parents(starts)
    forbidden = {dataset.id for dataset in graph.datasets(policy.must_not_reach)}
    for end, before in parents.items():
        node = node_of(end)
        # A dataset that is reached as a whole is one violation, not one for each column.
        is_of_dataset = end != node and node in parents and (before is None or before.before == node)
        if node not in forbidden or is_of_dataset:
            continue
        path = path_text(parents, end)
        verb = "has" if before is None else "is reached by"
        yield Violation(end, f"{verb} {what}", f": {path}", "mask it on the way, or remove it")


def path_text(parents: dict[End, Step | None], end: End) -> str:
    """Return a path, column by column, with the transformations of each step."""
    texts: list[str] = []
    while (step := parents[end]) is not None:
        steps = "columns unknown" if step.transformations is None else steps_text(step.transformations)
        texts.append(f"{end_text(end)} ({steps})")
        if step.source != step.before:
            kind = "nested" if isinstance(step.source, ColumnId) else "columns unknown"
            texts.append(f"{end_text(step.source)} ({kind})")
        end = step.before
    return " -> ".join([end_text(end), *reversed(texts)])


def check_writers(graph: PolicyGraph, policy: policies.WriterPolicy) -> Iterator[Violation]:
    """Yield datasets that other jobs write."""
    allowed = ", ".join([*policy.jobs, *(f"jobs of {owner}" for owner in policy.owners)]) or "no job"
    for dataset in graph.datasets(policy.datasets):
        for job in graph.writers.get(dataset.id, ()):
            owners = graph.owners.get(job, ())
            is_owned = any(any_match(policy.owners, owner) for owner in owners)
            if not is_owned and not matches(policy.jobs, job):
                of = f", owned by {', '.join(map(name_text, owners))}" if owners else ""
                path = f", found {end_text(job)}{of} -> {end_text(dataset.id)}"
                yield Violation(dataset.id, f"expected to be written by {allowed}", path, others=(job,))


def check_outputs(graph: PolicyGraph, policy: policies.OutputPolicy) -> Iterator[Violation]:
    """Yield datasets that jobs write and that lack something."""
    for dataset in graph.datasets(policy.datasets):
        if writers := graph.writers.get(dataset.id, ()):
            has = {
                "owner": graph.owners.get(dataset.id),
                "schema": any(column.type is not None for column in dataset.columns),
                "description": "documentation" in dataset.facets,
            }
            yield from _missing(dataset.id, policy.have, has, f": {_path_text(writers[0], dataset.id)}")


def check_used(graph: PolicyGraph, policy: policies.UsePolicy) -> Iterator[Violation]:
    """Yield datasets that no job reads or writes."""
    for dataset in graph.datasets(policy.datasets):
        has = {"reader": graph.readers.get(dataset.id, ()), "writer": graph.writers.get(dataset.id, ())}
        verbs = {"reader": "read", "writer": "written"}
        used = (f"; {verbs[what]} by {end_text(jobs[0])}" for what, jobs in has.items() if jobs)
        yield from _missing(dataset.id, policy.have, has, "".join(used))


def _missing(
    dataset: DatasetId, expected: Sequence[str], has: Mapping[str, object], path: str
) -> Iterator[Violation]:
    """Yield a dataset if it lacks something that it should have."""
    missing = [f"{'an' if what[0] in 'aeiou' else 'a'} {what}" for what in expected if not has[what]]
    if missing:
        yield Violation(dataset, f"expected {', '.join(missing)}, found none", path)


def check_cycles(graph: PolicyGraph, policy: policies.CyclePolicy) -> Iterator[Violation]:
    """Yield one shortest cycle for each group of datasets that are computed from each other."""
    for group in graph.cycles:
        is_cycle = len(group) > 1
        if is_cycle and (checked := [dataset for dataset in group if matches(policy.datasets, dataset)]):
            path = _links_text(_cycle(graph, min(checked), {*group}))
            yield Violation(min(checked), "expected no cycle", f", found {path}")
    if policy.also_direct:
        ends = (dataset.id for dataset in graph.datasets(policy.datasets))
        flows = ((flow, end) for end in ends for flow in graph.flows.by_target[end] if end in flow.sources)
        for link in sorted(Link(end, end, flow.job) for flow, end in flows):
            path = f", found {_links_text([link])}"
            yield Violation(link.target, "expected no cycle", path, others=link.ends)


def _cycle(graph: PolicyGraph, start: DatasetId, inside: set[DatasetId]) -> list[Link]:
    """Return the links of a shortest cycle from a dataset to itself."""
    links_from, last_flows = graph.flows.new_links(), {*graph.flows.by_target[start]}

    def following(dataset: DatasetId) -> Iterator[tuple[DatasetId, Link]]:
        return ((link.target, link) for link in links_from(dataset) if link.target in inside)

    steps = last_steps([start], following)
    flows = ((dataset, flow) for dataset in steps for flow in graph.flows.by_source[dataset])
    last = next(Link(end, start, flow.job) for end, flow in flows if flow in last_flows and end != start)
    return _path_to(last, steps.__getitem__)


def _path_to(last: Link | None, before: Callable[[DatasetId], Link | None]) -> list[Link]:
    """Return the links that lead to a last one, of which each dataset has the one before it."""
    path = []
    while last is not None:
        path.append(last)
        last = before(last.source)
    return path[::-1]


def check_distance(graph: PolicyGraph, policy: policies.DistancePolicy) -> Iterator[Violation]:
    """Yield products that are too many jobs away from a source. A cycle counts as no job."""
    longest: dict[DatasetId, tuple[int, Link | None]] = {}
    farthest: dict[Transfer, tuple[int, DatasetId]] = {}
    for group in graph.cycles:
        # Flows from the same group are not among them yet.
        flows = ((flow, end) for end in group for flow in graph.flows.by_target[end] if flow in farthest)
        links = ((farthest[flow][0], Link(farthest[flow][1], end, flow.job)) for flow, end in flows)
        longest |= dict.fromkeys(group, max([(0, None), *links], key=itemgetter(0)))
        for flow, source in ((flow, end) for end in group for flow in graph.flows.by_source[end]):
            jobs = longest[source][0] + (flow.job is not None)
            farthest[flow] = max(farthest.get(flow, (-1, source)), (jobs, source), key=itemgetter(0))
    for dataset in graph.datasets(policy.products):
        jobs, last = longest[dataset.id]
        if jobs > policy.jobs:
            text = _links_text(_path_to(last, lambda source: longest[source][1]))
            problem = f"expected at most {policy.jobs:,} jobs from a source"
            yield Violation(dataset.id, problem, f", found {jobs:,}: {text}")


def check_layers(graph: PolicyGraph, policy: policies.LayerPolicy) -> Iterator[Violation]:
    """Yield datasets that are computed from those of a layer that they must not read."""
    targets = {dataset.id for dataset in graph.datasets(policy.datasets)}
    sources = {dataset.id for dataset in graph.datasets(policy.must_not_read)}
    columns: dict[tuple[Node, Node], str] = {}
    for source, target, steps in graph.lineage.columns:
        nodes = node_of(source), node_of(target)
        if isinstance(source, ColumnId) and nodes[0] in sources and nodes[1] in targets:
            columns.setdefault(nodes, f"; {_path_text(source, target)} ({steps_text(steps)})")
    flows = ((flow, target) for target in targets for flow in graph.flows.by_target[target])
    pairs = ((flow, end, target) for flow, target in flows for end in (flow.sources & sources) - {target})
    for link in sorted(Link(end, target, flow.job) for flow, end, target in pairs):
        path = f" {_links_text([link])}{columns.get(link[:2], '')}"
        yield Violation(link.target, "must not be computed from", path, others=link.ends)


def check_published(graph: PolicyGraph, policy: policies.PublishedPolicy) -> Iterator[Violation]:
    """Yield datasets that jobs of another namespace read, although they are not published."""
    for dataset in graph.lineage.datasets:
        writers = graph.writers.get(dataset.id, ())
        if not writers or matches(policy.published, dataset.id):
            continue
        owned = {job.namespace for job in writers}
        for reader in graph.readers.get(dataset.id, ()):
            if reader.namespace not in owned:
                path = f", found {_path_text(writers[0], dataset.id, reader)}"
                yield Violation(dataset.id, "expected a published dataset", path, others=(reader,))


def _path_text(*ends: End) -> str:
    return " -> ".join(map(end_text, ends))


def _links_text(links: list[Link]) -> str:
    """Return a path of datasets and jobs. Between links that are apart, inside a cycle, jobs are left out."""
    texts: list[str] = []
    at: DatasetId | None = None
    for link in links:
        if link.source != at:
            texts.append(end_text(link.source))
        if link.job is not None:
            texts.append(f"job {end_text(link.job)}")
        texts.append(end_text(link.target))
        at = link.target
    return " -> ".join(texts)
