"""Find names that look like one dataset, and the rules that make them one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from openlineage_facets.naming.naming_rules import kind_of
from openlineage_facets.naming.systems import Namespace
from openlineage_facets.review.naming_proposals import NamingProposals, NamingRule
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
    linked = [one for one in pairs if one.reason == _LINKED]
    proposals = NamingProposals(lineage)
    rules: dict[_Pair, NamingRule] = {}
    # One setting is about all links.
    if any(kind_of(one.other.namespace) != kind_of(one.name.namespace) for one in linked):
        rules = {one: proposals.main_name(one.other, one.name) for one in linked}
    for propose in (proposals.namespace_rule, proposals.dataset_rule):
        for one in pairs:
            rule = None if one in rules else propose(one.other, one.name, is_guess=one.reason == _GUESS)
            if rule is not None:
                rules[one] = rule

    def reason(one: _Pair) -> str:
        is_copied = proposals.are_copied(one.other, one.name)
        return f"{one.reason}; a job reads one and writes the other" if is_copied else one.reason

    found = (SimilarNames(one.other, one.name, reason(one), rule) for one, rule in rules.items())
    return tuple(sorted(found, key=lambda one: (one.name, one.other)))


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
    found: set[frozenset[DatasetId]] = set()
    reasons: tuple[tuple[str | None, Iterable[tuple[DatasetId, DatasetId]]], ...] = (
        (_LINKED, _linked(lineage)),
        (None, _pairs(lineage.datasets, lambda one: _form(one.id, len(_FORMS)))),
        (_GUESS, _pairs(lineage.datasets, _content)),
    )
    for reason, pairs in reasons:
        for pair in pairs:
            name, other = sorted(pair, key=lambda one: (_faults(one), -uses[one], one))
            if frozenset(pair) not in found:
                found.add(frozenset(pair))
                yield _Pair(other, name, reason or _difference(name, other))


def naming_text(rules: Iterable[NamingRule], text: str = "") -> str:
    """Return the text of a naming file with more rules.

    Args:
        rules: The rules to add.
        text: The file so far.
    """
    lines = text.splitlines()
    by_table: dict[str, list[str]] = {}
    for rule in dict.fromkeys(rules):
        by_table.setdefault(rule.table, []).append(rule.text)
    for table in ("", "namespaces", "datasets"):
        texts = by_table.get(table, [])
        header = re.compile(rf"\s*\[\s*{table}\s*\]\s*(#.*)?")
        place = next((at for at, line in enumerate(lines, 1) if header.fullmatch(line)), None)
        if table == "datasets":
            lines += [line for one in texts for line in ("", "[[datasets]]", one)]
        elif texts and (not table or place is not None):
            lines[place or 0 : place or 0] = texts
        elif texts:
            lines += ["", f"[{table}]", *texts]
    return "\n".join(lines).strip("\n") + "\n" if lines else ""


def _with_scheme(one: DatasetId) -> DatasetId:
    return DatasetId(Namespace.parse(one.namespace).with_specified_scheme, one.name)


def _with_port(one: DatasetId) -> DatasetId:
    parsed = Namespace.parse(one.namespace)
    if parsed.source is None or parsed.source.port is None or not parsed.authority:
        return one
    hosts = (
        host if re.search(r":\d+\Z", host) else f"{host}:{parsed.source.port}"
        for host in parsed.authority.split(",")
    )
    return DatasetId(f"{parsed.scheme}://{','.join(hosts)}{parsed.rest}", one.name)


def _without_slashes(one: DatasetId) -> DatasetId:
    source = Namespace.parse(one.namespace).source
    name = re.sub("//+", "/", one.name).rstrip("/") or "/"
    if source is not None and source.has_object_keys:
        name = name.lstrip("/")
    return DatasetId(one.namespace.rstrip("/") if "://" in one.namespace else one.namespace, name)


def _in_lower_case(one: DatasetId) -> DatasetId:
    return DatasetId(one.namespace.lower(), one.name.lower())


_FORMS = (
    (_with_scheme, "another scheme of the same system"),
    (_with_port, "with and without the default port"),
    (_without_slashes, "more slashes"),
    (_in_lower_case, "upper and lower case"),
)


def _form(one: DatasetId, steps: int) -> DatasetId:
    for form, _ in _FORMS[:steps]:
        one = form(one)
    return one


def _difference(name: DatasetId, other: DatasetId) -> str:
    """Return the differences between two names that are spelled in another way."""
    reasons = []
    for step, (_, reason) in enumerate(_FORMS, start=1):
        before = _form(name, step - 1), _form(other, step - 1)
        after = _form(name, step), _form(other, step)
        changed, other_changed = (old != new for old, new in zip(before, after, strict=True))
        if changed != other_changed or (before[0] != before[1] and after[0] == after[1]):
            reasons.append(reason)
    return ", ".join(reasons)


def _faults(one: DatasetId) -> tuple[int, bool]:
    """Return how many forms a name does not have, and whether it is local: others are kept."""
    forms = [form for form, _ in _FORMS[:-1]]
    return sum(form(one) != one for form in forms), one.namespace.startswith("file")


def _linked(lineage: Lineage) -> Iterator[tuple[DatasetId, DatasetId]]:
    known = {one.id for one in lineage.datasets}
    for dataset in lineage.datasets:
        for other in linked_names(dataset.facets):
            if other in known and other != dataset.id:
                yield dataset.id, other


def _content(one: LineageDataset) -> Hashable:
    """Return the schema and the last part of the name, None if there are too few columns."""
    if len(one.columns) < _FEWEST_COLUMNS:
        return None
    last = re.split(r"[/.:]", one.id.name.rstrip("/"))[-1].lower()
    return last, tuple(sorted((column.name, column.type or "") for column in one.columns))


def _pairs(
    datasets: Iterable[LineageDataset], key: Callable[[LineageDataset], Hashable]
) -> Iterator[tuple[DatasetId, DatasetId]]:
    """Yield datasets with the same key, each with the one to keep."""
    groups: dict[Hashable, list[DatasetId]] = {}
    for one in datasets:
        groups.setdefault(key(one), []).append(one.id)
    groups.pop(None, None)
    for group in groups.values():
        first, *others = sorted(group, key=lambda one: (_faults(one), one))
        yield from ((first, other) for other in others)
