"""Apply a naming to events and to lineage graphs: everything that refers to a dataset is renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from openlineage_facets.naming.naming_rules import Naming, Rule, kind_of
from openlineage_facets.state.entities import DatasetId
from openlineage_facets.state.lineage import Lineage, LineageBuilder
from openlineage_facets.state.lineage_nodes import primary_names

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
    renaming = _Renaming.of_graph(lineage, naming)
    by_name: dict[DatasetId, list[DatasetId]] = {}
    for dataset in lineage.datasets:
        by_name.setdefault(renaming.name_of(dataset.id), []).append(dataset.id)
    return tuple(
        JoinedNames(name, tuple(names), _location(names, naming))
        for name, names in sorted(by_name.items())
        if len(names) > 1
    )


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
    facets_by_name = [(_id(dataset), dataset.get("facets")) for dataset in datasets if _is_named(dataset)]
    renaming = _Renaming(facets_by_name, naming)
    for role, many in lists.items():
        document[role] = _unique(map(renaming.dataset, many))
    if _is_named(own):
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
        if not _is_named(dataset):
            return dataset
        before, facets = _id(dataset), dataset.get("facets")
        name = self.name_of(before)
        changed = {"facets": self.dataset_facets(before, facets)} if isinstance(facets, Mapping) else {}
        return {**dataset, "namespace": name.namespace, "name": name.name, **changed}

    def dataset_facets(self, before: DatasetId, facets: Mapping[str, Any]) -> dict[str, Any]:
        """Return the facets of a dataset. Its `symlinks` list its other names, also one that was its name."""
        renamed_facets = self.with_references(facets)
        symlinks = facets.get("symlinks")
        if not isinstance(symlinks, Mapping) or not isinstance(symlinks.get("identifiers"), list):
            return renamed_facets
        old, name = self.by_rules(before), self.name_of(before)
        former = {"namespace": old.namespace, "name": old.name, "type": _TYPES[kind_of(old.namespace)]}
        others = [_renamed_object(identifier, self.by_rules) for identifier in symlinks["identifiers"]]
        kept = [
            identifier
            for identifier in [*others, former]
            if not _is_named(identifier) or _id(identifier) != name
        ]
        if kept:
            return {**renamed_facets, "symlinks": {**symlinks, "identifiers": _unique(kept)}}
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
    last: list[Rule] = [steps[-1][0] for name in names if (steps := naming.steps(name.namespace, name.name))]
    return last[0].location if last else "main_name"


def _renamed_object(value: Any, rename: Callable[[DatasetId], DatasetId]) -> Any:
    if not _is_named(value) or value.get("type") == "JOB":
        return value
    name = rename(_id(value))
    return {**value, "namespace": name.namespace, "name": name.name}


def linked_names(facets: Any) -> list[DatasetId]:
    """Return the names in a `symlinks` facet, without invalid ones."""
    symlinks = facets.get("symlinks") if isinstance(facets, Mapping) else None
    identifiers = symlinks.get("identifiers") if isinstance(symlinks, Mapping) else None
    return [_id(one) for one in identifiers if _is_named(one)] if isinstance(identifiers, list) else []


def _unique(datasets: Iterable[Any]) -> list[Any]:
    """Return datasets without repeated names. Of facets with the same key, those of the first one count."""
    found: list[Any] = []
    places: dict[DatasetId, int] = {}
    for dataset in datasets:
        if not _is_named(dataset) or _id(dataset) not in places:
            if _is_named(dataset):
                places[_id(dataset)] = len(found)
            found.append(dataset)
        else:
            first = found[places[_id(dataset)]]
            found[places[_id(dataset)]] = {**dataset, **first, **dict(_joined_facets(first, dataset))}
    return found


def _joined_facets(first: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in ("facets", "inputFacets", "outputFacets"):
        if isinstance(first.get(key), Mapping) and isinstance(other.get(key), Mapping):
            yield key, {**other[key], **first[key]}


def _is_named(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("namespace"), str)
        and isinstance(value.get("name"), str)
    )


def _id(value: Mapping[str, Any]) -> DatasetId:
    return DatasetId(value["namespace"], value["name"])
