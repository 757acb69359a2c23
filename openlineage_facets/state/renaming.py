"""Apply a naming to events and to lineage graphs: everything that refers to a dataset is renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from openlineage_facets.naming.naming_rules import Naming, kind_of
from openlineage_facets.state.entities import DatasetId
from openlineage_facets.state.lineage import Lineage, LineageBuilder
from openlineage_facets.state.lineage_nodes import joined_facets, member_of, primary_names

_REFERRING_FACETS = ("columnLineage", "lineage")
"""Facets that refer to datasets by namespace and name."""


@dataclass(frozen=True)
class JoinedNames:
    """Names of known datasets that a naming makes one.

    Args:
        name: The name of the dataset.
        names: Its names before, sorted.
        location: The rule that renamed one of them, such as `naming.toml:3`; "main_name" for symlinks.
    """

    name: DatasetId
    names: tuple[DatasetId, ...]
    location: str


def renamed(lineage: Lineage, naming: Naming) -> Lineage:
    """Return a graph in which each dataset has one name.

    Raises:
        NamingError: The rules do not come to an end.

    Example:
        >>> renamed(state.lineage(), read_naming("naming.toml"))
    """
    renaming = _Renaming.of_graph(lineage, naming)
    builder = LineageBuilder({dataset.id: renaming.name_of(dataset.id) for dataset in lineage.datasets})
    datasets = (
        replace(dataset, facets=renaming.dataset_facets(dataset.id, dataset.facets))
        for dataset in lineage.datasets
    )
    jobs = (replace(job, facets=renaming.with_references(job.facets)) for job in lineage.jobs)
    builder.add_lineage(replace(lineage, datasets=tuple(datasets), jobs=tuple(jobs)))
    return builder.lineage()


def joined_names(lineage: Lineage, naming: Naming) -> tuple[JoinedNames, ...]:
    """Return the datasets of a graph that a naming makes one, sorted.

    Raises:
        NamingError: The rules do not come to an end.
    """
    name_of = _Renaming.of_graph(lineage, naming).name_of
    names = sorted((name_of(dataset.id), dataset.id) for dataset in lineage.datasets)
    groups = ((name, tuple(old for _, old in pairs)) for name, pairs in groupby(names, itemgetter(0)))
    return tuple(JoinedNames(name, old, _location(old, naming)) for name, old in groups if len(old) > 1)


def renamed_event(event: Mapping[str, Any], naming: Naming) -> dict[str, Any]:
    """Return the JSON of an event in which each dataset has one name.

    Inputs that become one are one entry, as are outputs. Jobs keep their names, invalid parts are unchanged.

    Args:
        event: A run, job or dataset event as JSON.
        naming: The rules.

    Raises:
        NamingError: The rules do not come to an end.
    """
    document = dict(event)
    lists = {role: event[role] for role in ("inputs", "outputs") if isinstance(event.get(role), list)}
    own = event.get("dataset")
    datasets: list[Any] = [dataset for role in (*lists.values(), [own]) for dataset in role]
    facets_by_name = [(name, dataset.get("facets")) for dataset in datasets if (name := _id(dataset))]
    renaming = _Renaming(facets_by_name, naming)
    for role, many in lists.items():
        document[role] = _unique(map(renaming.dataset, many))
    if own is not None:
        document["dataset"] = renaming.dataset(own)
    job = event.get("job")
    if isinstance(job, Mapping) and isinstance(job.get("facets"), Mapping):
        document["job"] = {**job, "facets": renaming.with_references(job["facets"])}
    return document


class _Renaming:
    """The names of datasets: first by rules, then the main one of several names.

    Args:
        datasets: The datasets, each with its facets.
        naming: The rules.
    """

    def __init__(self, datasets: Iterable[tuple[DatasetId, Any]], naming: Naming) -> None:
        self.by_rules = cache(lambda dataset: DatasetId(*naming.rename(dataset.namespace, dataset.name)))
        links = [
            (self.by_rules(dataset), map(self.by_rules, linked_names(facets))) for dataset, facets in datasets
        ]

        def preferred(names: Iterable[DatasetId]) -> list[DatasetId]:
            known = list(names)
            return [name for name in known if kind_of(name.namespace) == naming.main_name] or known

        self._main_names = {} if naming.main_name is None else primary_names(links, preferred)

    @classmethod
    def of_graph(cls, lineage: Lineage, naming: Naming) -> _Renaming:
        """Return the names of the datasets of a graph."""
        return cls(((dataset.id, dataset.facets) for dataset in lineage.datasets), naming)

    def name_of(self, dataset: DatasetId) -> DatasetId:
        """Return the new name of a dataset."""
        ruled: DatasetId = self.by_rules(dataset)
        return self._main_names.get(ruled, ruled)

    def dataset(self, dataset: Any) -> Any:
        """Return the JSON of a dataset with its new name."""
        before = _id(dataset)
        if before is None:
            return dataset
        facets = dataset.get("facets")
        changed = {"facets": self.dataset_facets(before, facets)} if isinstance(facets, Mapping) else {}
        return {**dataset, **_names(self.name_of(before)), **changed}

    def dataset_facets(self, before: DatasetId, facets: Mapping[str, Any]) -> dict[str, Any]:
        """Return the facets of a dataset. Its `symlinks` list its other names, also one that was its name."""
        renamed_facets = self.with_references(facets)
        identifiers = _identifiers(facets)
        if identifiers is None:
            return renamed_facets
        old, name = self.by_rules(before), self.name_of(before)
        former = {**_names(old), "type": _TYPES[kind_of(old.namespace)]}
        names = [*(_renamed_object(identifier, self.by_rules) for identifier in identifiers), former]
        others = _unique(identifier for identifier in names if _id(identifier) != name)
        if others:
            return {**renamed_facets, "symlinks": {**facets["symlinks"], "identifiers": others}}
        return {key: facet for key, facet in renamed_facets.items() if key != "symlinks"}

    def with_references(self, facets: Mapping[str, Any]) -> dict[str, Any]:
        """Return facets in which references to datasets have the new names."""
        return {
            key: self._with_new_names(facet) if key in _REFERRING_FACETS else facet
            for key, facet in facets.items()
        }

    def _with_new_names(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._with_new_names(member) for member in value]
        if isinstance(value, Mapping):
            members = {key: self._with_new_names(member) for key, member in value.items()}
            return _renamed_object(members, self.name_of)
        return value


_TYPES = {"table": "TABLE", "path": "LOCATION"}


def _location(names: Iterable[DatasetId], naming: Naming) -> str:
    steps = (naming.steps(name.namespace, name.name) for name in names)
    return next((of_name[-1][0].location for of_name in steps if of_name), "main_name")


def _renamed_object(value: Any, rename: Callable[[DatasetId], DatasetId]) -> Any:
    name = _id(value)
    return value if name is None or value.get("type") == "JOB" else {**value, **_names(rename(name))}


def linked_names(facets: Any) -> list[DatasetId]:
    """Return the names in a `symlinks` facet, without invalid ones."""
    return [name for name in map(_id, _identifiers(facets) or ()) if name is not None]


def _identifiers(facets: Any) -> list[Any] | None:
    identifiers = member_of(facets, "symlinks", "identifiers") if isinstance(facets, Mapping) else None
    return identifiers if isinstance(identifiers, list) else None


def _unique(datasets: Iterable[Any]) -> list[Any]:
    """Return datasets without repeated names, of which each has the facets of all with its name."""
    unique: dict[DatasetId | int, Any] = {}
    for number, dataset in enumerate(datasets):
        name = _id(dataset) or number
        unique[name] = _joined(unique[name], dataset) if name in unique else dataset
    return list(unique.values())


def _joined(first: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    facets = {
        key: joined_facets(first[key], other[key])
        for key in ("facets", "inputFacets", "outputFacets")
        if isinstance(first.get(key), Mapping) and isinstance(other.get(key), Mapping)
    }
    return {**other, **first, **facets}


def _id(value: Any) -> DatasetId | None:
    """Return the name in the JSON of a dataset, None if it is invalid."""
    if not isinstance(value, Mapping):
        return None
    namespace, name = value.get("namespace"), value.get("name")
    return DatasetId(namespace, name) if isinstance(namespace, str) and isinstance(name, str) else None


def _names(dataset: DatasetId) -> dict[str, str]:
    return {"namespace": dataset.namespace, "name": dataset.name}
