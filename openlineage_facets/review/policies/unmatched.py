"""Patterns and tags that match nothing in a graph: a policy with a typing error would pass silently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain, islice

from openlineage_facets.review.change_texts import end_text, name_text
from openlineage_facets.review.downstream import parents
from openlineage_facets.review.paths import grouped
from openlineage_facets.review.policies.policy import Policies, Policy, TagPolicy
from openlineage_facets.review.policies.policy_graph import any_match
from openlineage_facets.review.reviewed_lineage import entities_of, owners_of, sorted_items
from openlineage_facets.review.tagged_columns import classified, tagged
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage
from openlineage_facets.state.column_edges import End

_KINDS = {
    "datasets": "dataset",
    "must_not_reach": "dataset that a job reads or writes",
    "products": "dataset that a job reads or writes",
    "must_not_read": "dataset that a job reads or writes",
    "published": "dataset",
    "jobs": "job",
    "owners": "owner",
}
"""What the patterns of a field match."""

_SIMILAR = 0.7
"""How similar names are that may be meant. Short patterns have a large part in common, such as `/*`."""

_MOST_NAMES = 10_000
"""How many names are compared with a pattern for a similar one, which takes time for each."""


def unmatched_policies(lineage: Lineage, policies: Policies) -> Iterator[tuple[int | None, str]]:
    """Yield the line of each policy with a pattern or tag that matches nothing in a graph, and a message."""
    owners = map(owners_of, entities_of(lineage))
    names = {
        "dataset": _names(dataset.id for dataset in lineage.datasets),
        # Names that only a catalog knows may be those of other naming rules.
        "dataset that a job reads or writes": _names(
            end for edge in lineage.edges for end in (edge.source, edge.target) if isinstance(end, DatasetId)
        ),
        "job": _names(job.id for job in lineage.jobs),
        "owner": list(dict.fromkeys(chain.from_iterable(owners))),
    }
    for table, policy in policies.tables():
        problems = [f"{table}.{problem}" for problem in _problems(lineage, policy, names)]
        if problems:
            yield policy.line, "; ".join(problems)


def unknown_tag(lineages: Sequence[Lineage], tag: str) -> str | None:
    """Return a message if nothing in several graphs has a tag, or a column that does not exist."""
    keys: dict[str, None] = {}
    ends = [tagged(lineage, tag) for lineage in lineages]
    if any(ends):
        problem = _first(chain.from_iterable(map(_unknown_columns, lineages, ends)))
        return f"{tag}: {problem}" if problem else None
    for lineage in lineages:
        for dataset in lineage.datasets:
            for item in sorted_items(dataset.facets, "tags", "tags", "key", "value"):
                keys[item["key"] if "=" not in tag else f"{item['key']}={item.get('value', 'true')}"] = None
    return f"{tag}: no column in this lineage has this tag{_did_you_mean(tag, keys)}"


def _unknown_columns(lineage: Lineage, ends: Iterable[End]) -> Iterator[str]:
    """Yield a message for each column that the schema of its dataset does not have."""
    columns = grouped((end.dataset, end.name) for end in ends if isinstance(end, ColumnId))
    for dataset in lineage.datasets:
        names = {column.name: None for column in dataset.columns} if "schema" in dataset.facets else {}
        for name in columns.get(dataset.id, ()) if names else ():
            if names.keys().isdisjoint((name, *parents(name))):
                yield f"{end_text(dataset.id)} has no column {name_text(name)}{_did_you_mean(name, names)}"


def _first(problems: Iterable[str]) -> str:
    """Return the first three problems as one."""
    return "; ".join(islice(dict.fromkeys(problems), 3))


def _problems(lineage: Lineage, policy: Policy, names: dict[str, list[str]]) -> Iterator[str]:
    if isinstance(policy, TagPolicy):
        if policy.tag is not None and (problem := unknown_tag([lineage], policy.tag)):
            yield f"tag: {problem}"
        if policy.facet is not None:
            columns = classified(lineage, policy.facet)
            none = ["no dataset in this lineage lists columns in it"]
            if problem := _first(_unknown_columns(lineage, columns) if columns else none):
                yield f"facet: {policy.facet}: {problem}"
    for field in sorted(policy.model_fields_set.intersection(_KINDS)):
        patterns = getattr(policy, field)
        for pattern in patterns if isinstance(patterns, list) else ():
            known = names[_KINDS[field]]
            if not any(any_match((pattern,), name) for name in known):
                similar = _did_you_mean(pattern, (_like(pattern, name) for name in known))
                key = field.replace("_", "-")
                yield f"{key}: {pattern} matches no {_KINDS[field]} in this lineage{similar}"


def _names(nodes: Iterable[DatasetId | JobId]) -> list[str]:
    """Return what a pattern is compared with: the names, and those with a namespace."""
    names = ((node.name, f"{node.namespace}/{node.name}") for node in dict.fromkeys(nodes))
    return list(dict.fromkeys(chain.from_iterable(names)))


def _like(pattern: str, name: str) -> str:
    """Return a name with the stars of a pattern: `dashboard/*` for `dashbord/*` and `dashboard/weekly`."""
    parts = zip(pattern.split("/"), name.split("/"), strict=False)
    return "/".join(own if "*" in own else other for own, other in parts)


def _did_you_mean(text: str, known: Iterable[str]) -> str:
    names = islice(dict.fromkeys(known), _MOST_NAMES)
    by_lower = {name.lower(): name for name in names if name != text}
    close = get_close_matches(text.lower(), by_lower, n=1, cutoff=_SIMILAR)
    return f"; did you mean {by_lower[close[0]]}?" if close else ""
