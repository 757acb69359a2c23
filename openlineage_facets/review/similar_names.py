"""Find names that look like one dataset, and the rules that make them one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from openlineage_facets.naming.naming_rules import kind_of
from openlineage_facets.naming.systems import Namespace
from openlineage_facets.review.naming_proposals import NamingProposals, NamingRule
from openlineage_facets.review.paths import grouped
from openlineage_facets.state import DatasetId, Lineage, LineageDataset
from openlineage_facets.state.renaming import linked_names

_FEWEST_COLUMNS = 2
"""Datasets with fewer columns have equal schemas by chance."""


@dataclass(frozen=True)
class SimilarNames:
    """Two names that look like one dataset.

    Args:
        other: The name to replace.
        name: The name to keep: of the naming specification, of a shared system, or of most jobs.
        reason: Why they look like one dataset.
        rule: The rule that makes them one.
    """

    other: DatasetId
    name: DatasetId
    reason: str
    rule: NamingRule


def similar_names(lineage: Lineage) -> tuple[SimilarNames, ...]:
    """Return the pairs of names that look like one dataset, with one reason each.

    Names are linked by `symlinks` facets, are spelled in another way, or have the same schema and last part.
    A dataset that a job computes from another one is not the same, also not under the names that the rules
    of other pairs give them, unless the names differ only in two schemes of one system. Each rule applies
    after those of the other pairs.

    Args:
        lineage: The graph, to which rules that exist have been applied.
    """
    pairs = tuple(_similar_pairs(lineage))
    linked = [pair for pair in pairs if pair.reason == _LINKED]
    proposals = NamingProposals(lineage)
    rules: dict[_Pair, NamingRule] = {}
    # One setting is about all links.
    if any(kind_of(pair.other.namespace) != kind_of(pair.name.namespace) for pair in linked):
        rules = {pair: proposals.main_name(pair.other, pair.name) for pair in linked}
    for propose in (proposals.namespace_rule, proposals.dataset_rule):
        for pair in pairs:
            rule = None if pair in rules else propose(pair.other, pair.name, is_guess=pair.reason == _GUESS)
            if rule is not None:
                rules[pair] = rule
    similar = []
    for pair, rule in sorted(rules.items(), key=lambda proposed: (proposed[0].name, proposed[0].other)):
        is_copied = proposals.are_copied(pair.other, pair.name)
        copied = "; a job reads one and writes the other" if is_copied else ""
        similar.append(SimilarNames(pair.other, pair.name, f"{pair.reason}{copied}", rule))
    return tuple(similar)


_LINKED = "linked by a symlinks facet"
"""Events say that they are one dataset."""

_GUESS = "same schema and last part of the name"
"""The names themselves say nothing."""


class _Pair(NamedTuple):
    other: DatasetId
    name: DatasetId
    reason: str


def _similar_pairs(lineage: Lineage) -> Iterator[_Pair]:
    """Yield the pairs that look like one dataset, the most certain ones first."""
    uses = Counter(node for edge in lineage.edges for node in (edge.source, edge.target))
    known: set[frozenset[DatasetId]] = set()
    reasons: tuple[tuple[str | None, Iterable[tuple[DatasetId, DatasetId]]], ...] = (
        (_LINKED, _linked(lineage)),
        (None, _pairs(lineage.datasets, lambda dataset: _in_all_forms(dataset.id))),
        (_GUESS, _pairs(lineage.datasets, _content)),
    )
    for reason, pairs in reasons:
        for pair in pairs:
            name, other = sorted(pair, key=lambda end: (_faults(end), -uses[end], end))
            if frozenset(pair) not in known:
                known.add(frozenset(pair))
                yield _Pair(other, name, reason or _difference(name, other))


def naming_text(rules: Iterable[NamingRule], text: str = "") -> str:
    """Return the text of a naming file with more rules.

    Args:
        rules: The rules to add.
        text: The file so far.
    """
    lines = text.splitlines()
    by_table = grouped((rule.table, rule.text) for rule in dict.fromkeys(rules))
    for table in ("", "namespaces", "datasets"):
        texts = by_table.get(table, [])
        header = re.compile(rf"\s*\[\s*{table}\s*\]\s*(#.*)?")
        place = next((at for at, line in enumerate(lines, 1) if header.fullmatch(line)), None)
        if table == "datasets":
            lines += [line for text in texts for line in ("", "[[datasets]]", text)]
        elif texts and (not table or place is not None):
            lines[place or 0 : place or 0] = texts
        elif texts:
            lines += ["", f"[{table}]", *texts]
    return "\n".join(lines).strip("\n") + "\n" if lines else ""


def _with_scheme(dataset: DatasetId) -> DatasetId:
    return DatasetId(Namespace.parse(dataset.namespace).with_specified_scheme, dataset.name)


def _with_port(dataset: DatasetId) -> DatasetId:
    parsed = Namespace.parse(dataset.namespace)
    if parsed.source is None or parsed.source.port is None or not parsed.authority:
        return dataset
    hosts = (
        host if re.search(r":\d+\Z", host) else f"{host}:{parsed.source.port}"
        for host in parsed.authority.split(",")
    )
    return DatasetId(f"{parsed.scheme}://{','.join(hosts)}{parsed.rest}", dataset.name)


def _without_slashes(dataset: DatasetId) -> DatasetId:
    source = Namespace.parse(dataset.namespace).source
    name = re.sub("//+", "/", dataset.name).rstrip("/") or "/"
    if source is not None and source.has_object_keys:
        name = name.lstrip("/")
    return DatasetId(dataset.namespace.rstrip("/") if "://" in dataset.namespace else dataset.namespace, name)


def _in_lower_case(dataset: DatasetId) -> DatasetId:
    return DatasetId(dataset.namespace.lower(), dataset.name.lower())


_FORMS = (
    (_with_scheme, "another scheme of the same system"),
    (_with_port, "with and without the default port"),
    (_without_slashes, "more slashes"),
    (_in_lower_case, "upper and lower case"),
)


def _in_all_forms(dataset: DatasetId) -> DatasetId:
    return reduce(lambda name, form: form[0](name), _FORMS, dataset)


def _difference(name: DatasetId, other: DatasetId) -> str:
    """Return the differences between two names that are spelled in another way."""
    reasons = []
    for form, reason in _FORMS:
        new, new_other = form(name), form(other)
        if (new != name) != (new_other != other) or (name != other and new == new_other):
            reasons.append(reason)
        name, other = new, new_other
    return ", ".join(reasons)


def _faults(dataset: DatasetId) -> tuple[int, bool]:
    """Return how many forms a name does not have, and whether it is local: others are kept."""
    return sum(form(dataset) != dataset for form, _ in _FORMS[:-1]), dataset.namespace.startswith("file")


def _linked(lineage: Lineage) -> Iterator[tuple[DatasetId, DatasetId]]:
    known = {dataset.id for dataset in lineage.datasets}
    for dataset in lineage.datasets:
        for other in linked_names(dataset.facets):
            if other in known and other != dataset.id:
                yield dataset.id, other


def _content(dataset: LineageDataset) -> Hashable:
    """Return the schema and the last part of the name, None if there are too few columns."""
    if len(dataset.columns) < _FEWEST_COLUMNS:
        return None
    last = re.split(r"[/.:]", dataset.id.name.rstrip("/"))[-1].lower()
    return last, tuple(sorted((column.name, column.type or "") for column in dataset.columns))


def _pairs(
    datasets: Iterable[LineageDataset], key: Callable[[LineageDataset], Hashable]
) -> Iterator[tuple[DatasetId, DatasetId]]:
    """Yield datasets with the same key, each with the one to keep."""
    groups = grouped((key(dataset), dataset.id) for dataset in datasets)
    groups.pop(None, None)
    for group in groups.values():
        first, *others = sorted(group, key=lambda name: (_faults(name), name))
        yield from ((first, other) for other in others)
