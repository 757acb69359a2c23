"""Rules for a naming file, each of which applies after those before it and makes one only what may be one."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from openlineage_facets.naming.name_patterns import as_pattern
from openlineage_facets.naming.systems import Namespace
from openlineage_facets.state import DatasetId, Lineage


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
        self._flows = _Flows(lineage)
        self._groups = _Groups(one.id for one in lineage.datasets)
        self._namespaces: dict[str, str] = {}
        self._datasets: dict[DatasetId, DatasetId] = {}
        self._refused: set[tuple[str, str]] = set()
        self._named: dict[str, dict[str, DatasetId]] = defaultdict(dict)
        for dataset in lineage.datasets:
            self._named[dataset.id.namespace][dataset.id.name] = dataset.id

    def main_name(self, other: DatasetId, name: DatasetId) -> NamingRule:
        """Return the rule for names that events link, which is that they are one."""
        self._groups.join(other, name)
        return MAIN_NAME

    def namespace_rule(self, other: DatasetId, name: DatasetId, *, is_guess: bool) -> NamingRule | None:
        """Return a rule that makes two names one by their namespaces, None if there is none.

        Args:
            other: The name to replace.
            name: The name to keep.
            is_guess: Whether also datasets that are computed from each other through others are not one.
        """
        old, new = self._namespace(other.namespace), self._namespace(name.namespace)
        if other.name != name.name:
            return None
        if old == new:
            # Another pair has the same rule. Names that two rules together make one need no other.
            is_same = self._namespaces.get(other.namespace) == name.namespace
            return _namespace_rule(other.namespace, name.namespace) if is_same else None
        if self._groups.are_one(other, name) or (old, new) in self._refused:
            return None
        there = self._named[new]
        is_alias = Namespace.parse(old).with_specified_scheme == Namespace.parse(new).with_specified_scheme
        groups = self._groups.copy()
        for one, dataset in self._named[old].items():
            if one in there and not groups.are_one(dataset, there[one]):
                if not is_alias and self._flows.between(
                    groups.of(dataset), groups.of(there[one]), groups, far=is_guess
                ):
                    self._refused.add((old, new))
                    return None
                groups.join(dataset, there[one])
        self._groups = groups
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
        groups = self._groups
        if groups.are_one(other, name):
            return None
        if self._flows.between(groups.of(other), groups.of(name), groups, far=is_guess):
            return None
        old, new = self._name(other), self._name(name)
        groups.join(other, name)
        self._datasets[old] = new
        return NamingRule("datasets", f"from = {_inline(old)}\nto = {_inline(new)}")

    def are_copied(self, other: DatasetId, name: DatasetId) -> bool:
        """Return whether a job reads one of two names and writes the other."""
        return self._flows.between({other}, {name}, self._groups, far=False)

    def _namespace(self, namespace: str) -> str:
        while namespace in self._namespaces:
            namespace = self._namespaces[namespace]
        return namespace

    def _name(self, dataset: DatasetId) -> DatasetId:
        dataset = DatasetId(self._namespace(dataset.namespace), dataset.name)
        while dataset in self._datasets:
            dataset = self._datasets[dataset]
        return dataset


class _Groups:
    """Names that are one dataset."""

    def __init__(self, names: Iterable[DatasetId]) -> None:
        self._groups = {one: {one} for one in names}

    def of(self, name: DatasetId) -> set[DatasetId]:
        return self._groups.get(name, {name})

    def are_one(self, one: DatasetId, other: DatasetId) -> bool:
        return self._groups[one] is self._groups[other]

    def join(self, one: DatasetId, other: DatasetId) -> None:
        small, large = sorted((self._groups[one], self._groups[other]), key=len)
        if small is not large:
            large |= small
            self._groups.update(dict.fromkeys(small, large))

    def copy(self) -> _Groups:
        copies = {id(group): {*group} for group in self._groups.values()}
        copied = _Groups(())
        copied._groups = {name: copies[id(group)] for name, group in self._groups.items()}
        return copied


class _Flows:
    """What is computed from what."""

    def __init__(self, lineage: Lineage) -> None:
        self._next: dict[DatasetId, set[DatasetId]] = defaultdict(set)
        self._previous: dict[DatasetId, set[DatasetId]] = defaultdict(set)
        for source, target in _dataset_pairs(lineage):
            self._next[source].add(target)
            self._previous[target].add(source)

    def between(self, one: set[DatasetId], other: set[DatasetId], groups: _Groups, *, far: bool) -> bool:
        """Return whether one of two datasets is computed from the other.

        Args:
            one: The names of a dataset.
            other: The names of another dataset.
            groups: The names of the datasets between them.
            far: Whether other datasets may be between them.
        """
        small, large = sorted((one, other), key=len)
        return any(_reaches(small, large, steps, groups, far=far) for steps in (self._next, self._previous))


def _reaches(
    start: set[DatasetId],
    end: set[DatasetId],
    steps: Mapping[DatasetId, set[DatasetId]],
    groups: _Groups,
    *,
    far: bool,
) -> bool:
    reached, waiting = {*start}, [*start]
    while waiting:
        following = steps.get(waiting.pop(), set())
        if not following.isdisjoint(end):
            return True
        if far:
            found = {name for one in following for name in groups.of(one)} - reached
            reached |= found
            waiting += found
    return False


def _dataset_pairs(lineage: Lineage) -> Iterator[tuple[DatasetId, DatasetId]]:
    yield from ((flow.source, flow.target) for flow in lineage.flows())
    for edge in lineage.edges:
        if isinstance(edge.source, DatasetId) and isinstance(edge.target, DatasetId):
            yield edge.source, edge.target


def _namespace_rule(old: str, new: str) -> NamingRule:
    return NamingRule("namespaces", f"{_text(old)} = {_text(new)}")


def _inline(one: DatasetId) -> str:
    return f"{{ namespace = {_text(one.namespace)}, name = {_text(one.name)} }}"


def _text(name: str) -> str:
    return json.dumps(as_pattern(name), ensure_ascii=False).replace("\x7f", "\\u007f")
