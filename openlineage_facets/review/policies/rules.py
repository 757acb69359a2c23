"""The built-in policies: `check_tag` yields what violates `[[tag]]`, with the path that does; and so on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from openlineage_facets.review.downstream import Link
from openlineage_facets.review.policies import policy as policies
from openlineage_facets.review.policies.policy_graph import PolicyGraph, any_match, matches
from openlineage_facets.review.tagged_columns import Step, TagReach, classified, tagged
from openlineage_facets.review.texts import end_text, name_text, steps_text
from openlineage_facets.state import ColumnId, DatasetId, Node
from openlineage_facets.state.column_edges import End, node_of


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
    forbidden = {one.id for one in graph.datasets(policy.must_not_reach)}
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
                path = f"{end_text(job)}{of} -> {end_text(dataset.id)}"
                problem = f"expected to be written by {allowed}"
                yield Violation(dataset.id, problem, f", found {path}", others=(job,))


def check_outputs(graph: PolicyGraph, policy: policies.OutputPolicy) -> Iterator[Violation]:
    """Yield datasets that jobs write and that lack something."""
    for dataset in graph.datasets(policy.datasets):
        writers = graph.writers.get(dataset.id)
        if not writers:
            continue
        has = {
            "owner": bool(graph.owners.get(dataset.id)),
            "schema": any(column.type is not None for column in dataset.columns),
            "description": "documentation" in dataset.facets,
        }
        if missing := _listed(what for what in policy.have if not has[what]):
            path = f"{end_text(writers[0])} -> {end_text(dataset.id)}"
            yield Violation(dataset.id, f"expected {missing}, found none", f": {path}")


def check_used(graph: PolicyGraph, policy: policies.UsePolicy) -> Iterator[Violation]:
    """Yield datasets that no job reads or writes."""
    for dataset in graph.datasets(policy.datasets):
        has = {"reader": graph.readers.get(dataset.id), "writer": graph.writers.get(dataset.id)}
        if missing := _listed(what for what in policy.have if not has[what]):
            verbs = {"reader": "read", "writer": "written"}
            used = "".join(f"; {verbs[what]} by {end_text(jobs[0])}" for what, jobs in has.items() if jobs)
            yield Violation(dataset.id, f"expected {missing}, found none", used)


def check_cycles(graph: PolicyGraph, policy: policies.CyclePolicy) -> Iterator[Violation]:
    """Yield one shortest cycle for each group of datasets that are computed from each other."""
    for group in graph.cycles:
        inside = set(group)
        if len(group) < 2 or not any(matches(policy.datasets, one) for one in group):
            continue
        start = min(one for one in group if matches(policy.datasets, one))
        path = _links_text(_cycle(graph, start, inside))
        yield Violation(start, "expected no cycle", f", found {path}")
    if policy.also_direct:
        for link in graph.data_flows:
            if link.source == link.target and matches(policy.datasets, link.target):
                found = f", found {_links_text([link])}"
                yield Violation(link.target, "expected no cycle", found, others=link.ends)


def _cycle(graph: PolicyGraph, start: DatasetId, inside: set[DatasetId]) -> list[Link]:
    """Return the links of a shortest cycle from a dataset to itself."""
    parents: dict[DatasetId, Link] = {}
    waiting = deque([start])
    while start not in parents:
        for link in graph.next_links[waiting.popleft()]:
            if link.target in inside and link.target not in parents:
                parents[link.target] = link
                waiting.append(link.target)
    path = [parents[start]]
    while path[-1].source != start:
        path.append(parents[path[-1].source])
    return path[::-1]


def check_distance(graph: PolicyGraph, policy: policies.DistancePolicy) -> Iterator[Violation]:
    """Yield products that are too many jobs away from a source. A cycle counts as no job."""
    group_of = {one: number for number, group in enumerate(graph.cycles) for one in group}
    longest: dict[int, tuple[int, Link | None]] = {}
    for number, group in enumerate(graph.cycles):
        jobs, _ = longest.setdefault(number, (0, None))
        for link in (link for one in group for link in graph.next_links.get(one, ())):
            target, count = group_of[link.target], jobs + (link.job is not None)
            if target != number and longest.get(target, (0, None))[0] < count:
                longest[target] = count, link
    for dataset in graph.datasets(policy.products):
        jobs, last = longest[group_of[dataset.id]]
        if jobs > policy.jobs:
            path = []
            while last is not None:
                path.append(last)
                last = longest[group_of[last.source]][1]
            found = f", found {jobs:,}: {_links_text(path[::-1])}"
            yield Violation(dataset.id, f"expected at most {policy.jobs:,} jobs from a source", found)


def check_layers(graph: PolicyGraph, policy: policies.LayerPolicy) -> Iterator[Violation]:
    """Yield datasets that are computed from those of a layer that they must not read."""
    targets = {one.id for one in graph.datasets(policy.datasets)}
    sources = {one.id for one in graph.datasets(policy.must_not_read)}
    columns: dict[tuple[DatasetId, DatasetId], str] = {}
    for edge in graph.lineage.columns:
        source, target = edge.source, edge.target
        if isinstance(source, ColumnId) and source.dataset in sources:
            node = node_of(target)
            if isinstance(node, DatasetId) and node in targets:
                text = f"; {end_text(source)} -> {end_text(target)} ({steps_text(edge.transformations)})"
                columns.setdefault((source.dataset, node), text)
    for link in graph.data_flows:
        if link.target in targets and link.source in sources and link.source != link.target:
            by_column = columns.get((link.source, link.target), "")
            path = f" {_links_text([link])}{by_column}"
            yield Violation(link.target, "must not be computed from", path, others=link.ends)


def check_published(graph: PolicyGraph, policy: policies.PublishedPolicy) -> Iterator[Violation]:
    """Yield datasets that jobs of another namespace read, although they are not published."""
    for dataset in graph.lineage.datasets:
        if matches(policy.published, dataset.id):
            continue
        writers = graph.writers.get(dataset.id, [])
        owned = {job.namespace for job in writers}
        for reader in graph.readers.get(dataset.id, ()):
            if owned and reader.namespace not in owned:
                path = f"{end_text(writers[0])} -> {end_text(dataset.id)} -> {end_text(reader)}"
                found = f", found {path}"
                yield Violation(dataset.id, "expected a published dataset", found, others=(reader,))


def _links_text(links: list[Link]) -> str:
    """Return a path of datasets and jobs. Between links that are apart, inside a cycle, jobs are left out."""
    texts = [end_text(links[0].source)]
    at = links[0].source
    for link in links:
        if link.source != at:
            texts.append(end_text(link.source))
        if link.job is not None:
            texts.append(f"job {end_text(link.job)}")
        texts.append(end_text(link.target))
        at = link.target
    return " -> ".join(texts)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in names)
