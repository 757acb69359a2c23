"""Rules for a naming file, each of which applies after those before it and makes one only what may be one."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from openlineage_facets.naming.name_patterns import as_pattern
from openlineage_facets.naming.systems import Namespace
from openlineage_facets.review.downstream import Flows
from openlineage_facets.review.paths import last_steps
from openlineage_facets.state import DatasetId, Lineage
from openlineage_facets.state.lineage import Transfer


@dataclass(frozen=True)
class NamingRule:
    """A rule for a naming file.

    Args:
        table: `namespaces`, `datasets`, or "" for a setting.
        text: The lines of the rule in that table.
    """

    table: str
    text: str


MAIN_NAME = NamingRule("", 'main_name = "table"')


class NamingProposals:
    """Proposes rules in the order in which they apply: first those for namespaces, then those for datasets.

    A rule is not proposed if names become one of which one is computed from the other, except for namespaces
    that differ only in two schemes of one system, such as s3a and s3: equal names in them are one dataset.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        self._groups = {dataset.id: frozenset((dataset.id,)) for dataset in lineage.datasets}
        """The names that are one dataset, by each of them."""
        self._namespaces: dict[str, str] = {}
        self._datasets: dict[DatasetId, DatasetId] = {}
        self._refused: set[tuple[str, str]] = set()
        self._named: dict[str, dict[str, DatasetId]] = defaultdict(dict)
        for dataset in lineage.datasets:
            self._named[dataset.id.namespace][dataset.id.name] = dataset.id
        self._flows = Flows(lineage.transfers())
        self._reached = lru_cache(maxsize=4)(self._find_reached)

    def main_name(self, other: DatasetId, name: DatasetId) -> NamingRule:
        """Return the rule for names that events link, which is that they are one."""
        self._join([(other, name)])
        return MAIN_NAME

    def namespace_rule(self, other: DatasetId, name: DatasetId, *, is_guess: bool) -> NamingRule | None:
        """Return a rule that makes two names one by their namespaces, None if there is none.

        Args:
            other: The name to replace.
            name: The name to keep.
            is_guess: Whether also datasets that are computed from each other through others are not one.
        """
        old, new = (_last(end.namespace, self._namespaces) for end in (other, name))
        if other.name != name.name:
            return None
        if old == new:
            # Another pair has the same rule. Names that two rules together make one need no other.
            is_same = self._namespaces.get(other.namespace) == name.namespace
            return _namespace_rule(other.namespace, name.namespace) if is_same else None
        if self._are_one(other, name) or (old, new) in self._refused:
            return None
        there = self._named[new]
        pairs = [(dataset, there[key]) for key, dataset in self._named[old].items() if key in there]
        is_alias = Namespace.parse(old).with_specified_scheme == Namespace.parse(new).with_specified_scheme
        if not self._join(pairs, lambda *ends: is_alias or not self._is_computed(*ends, far=is_guess)):
            self._refused.add((old, new))
            return None
        self._named[new] = {**self._named.pop(old), **there}
        self._namespaces[old] = new
        return _namespace_rule(old, new)

    def dataset_rule(self, other: DatasetId, name: DatasetId, *, is_guess: bool) -> NamingRule | None:
        """Return a rule for two names, with the names that earlier rules lead to, None if there is none.

        Args:
            other: The name to replace.
            name: The name to keep.
            is_guess: As for `namespace_rule`.
        """
        if self._are_one(other, name) or self._is_computed(other, name, far=is_guess):
            return None
        old, new = map(self._name, (other, name))
        self._join([(other, name)])
        self._datasets[old] = new
        return NamingRule("datasets", f"from = {_inline(old)}\nto = {_inline(new)}")

    def are_copied(self, other: DatasetId, name: DatasetId) -> bool:
        """Return whether a job reads one of two names and writes the other."""
        return self._are_linked([other], [name])

    def _name(self, dataset: DatasetId) -> DatasetId:
        return _last(DatasetId(_last(dataset.namespace, self._namespaces), dataset.name), self._datasets)

    def _are_one(self, other: DatasetId, name: DatasetId) -> bool:
        return name in self._groups[other]

    def _join(
        self,
        pairs: Iterable[tuple[DatasetId, DatasetId]],
        may_be_one: Callable[[DatasetId, DatasetId], bool] = lambda *_: True,
    ) -> bool:
        """Make the names of each pair one. If some may not be one, change nothing and return False."""
        before: dict[DatasetId, frozenset[DatasetId]] = {}
        for other, name in pairs:
            if self._are_one(other, name):
                continue
            if not may_be_one(other, name):
                self._groups |= before
                self._reached.cache_clear()
                return False
            names = self._groups[other] | self._groups[name]
            before = {member: self._groups[member] for member in names} | before
            self._groups |= dict.fromkeys(names, names)
            self._reached.cache_clear()
        return True

    def _is_computed(self, other: DatasetId, name: DatasetId, *, far: bool) -> bool:
        """Return whether one of two datasets is computed from the other; if `far`, also through others."""
        if not far:
            return self._are_linked(self._groups[other], self._groups[name])
        groups = self._groups[other], self._groups[name]
        small, large = sorted(groups, key=lambda names: (len(names), min(names)))
        return not all(large.isdisjoint(self._reached(small, forward)) for forward in (True, False))

    def _are_linked(self, some: Iterable[DatasetId], others: Iterable[DatasetId]) -> bool:
        """Return whether a job reads one of some datasets and writes one of others, or vice versa."""
        return any(
            not {flow for end in first for flow in self._flows.by_source[end]}.isdisjoint(
                flow for end in second for flow in self._flows.by_target[end]
            )
            for first, second in ((some, others), (others, some))
        )

    def _find_reached(self, start: frozenset[DatasetId], is_forward: object) -> set[DatasetId | Transfer]:
        """Return what is computed from some datasets, or all from which they are, with the flows between."""

        def following(node: DatasetId | Transfer) -> Iterator[tuple[DatasetId | Transfer, None]]:
            if isinstance(node, DatasetId):
                flows = self._flows.by_source if is_forward else self._flows.by_target
                return ((flow, None) for flow in flows[node])
            ends = node.targets if is_forward else node.sources
            return ((name, None) for end in ends for name in self._groups[end])

        starts: Iterable[DatasetId | Transfer] = start
        return {*last_steps(starts, following)}


K = TypeVar("K")


def _last(name: K, replaced: Mapping[K, K]) -> K:
    while name in replaced:
        name = replaced[name]
    return name


def _namespace_rule(old: str, new: str) -> NamingRule:
    return NamingRule("namespaces", f"{_text(old)} = {_text(new)}")


def _inline(dataset: DatasetId) -> str:
    return f"{{ namespace = {_text(dataset.namespace)}, name = {_text(dataset.name)} }}"


def _text(name: str) -> str:
    return json.dumps(as_pattern(name), ensure_ascii=False).replace("\x7f", "\\u007f")
