"""Apply a naming to events and to lineage graphs: everything that refers to a dataset is renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

from openlineage_facets.naming.naming_rules import Naming, Rule, kind_of
from openlineage_facets.state.entities import DatasetId
from openlineage_facets.state.lineage import Lineage, LineageBuilder
from openlineage_facets.state.primary_names import primary_names

_Rename: TypeAlias = Callable[[DatasetId], DatasetId]

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
    ruled, main = _rules_of(naming), _main_names(lineage, naming)
    builder = LineageBuilder({dataset.id: main(ruled(dataset.id)) for dataset in lineage.datasets})
    datasets = (
        replace(dataset, facets=_facets(dataset.id, dataset.facets, ruled, main))
        for dataset in lineage.datasets
    )
    jobs = (replace(job, facets=_with_references(job.facets, ruled, main)) for job in lineage.jobs)
    builder.add_lineage(replace(lineage, datasets=tuple(datasets), jobs=tuple(jobs)))
    return builder.lineage()


def joined_names(lineage: Lineage, naming: Naming) -> tuple[JoinedNames, ...]:
    """Return the datasets of a graph that a naming makes one, sorted.

    Raises:
        NamingError: The rules do not come to an end.
    """
    ruled, main = _rules_of(naming), _main_names(lineage, naming)
    found: dict[DatasetId, list[DatasetId]] = {}
    for dataset in lineage.datasets:
        found.setdefault(main(ruled(dataset.id)), []).append(dataset.id)
    return tuple(
        JoinedNames(name, tuple(names), _location(names, naming))
        for name, names in sorted(found.items())
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
    datasets = [
        dataset
        for dataset in [*(dataset for many in lists.values() for dataset in many), own]
        if _is_named(dataset)
    ]
    ruled = _rules_of(naming)
    links = [(ruled(_id(dataset)), _identifiers(dataset.get("facets"), ruled)) for dataset in datasets]
    main = _mapping(_primary_names(links, naming))
    for role, many in lists.items():
        document[role] = _unique(_dataset(dataset, ruled, main) for dataset in many)
    if _is_named(own):
        document["dataset"] = _dataset(own, ruled, main)
    job = event.get("job")
    if isinstance(job, Mapping) and isinstance(job.get("facets"), Mapping):
        document["job"] = {**job, "facets": _with_references(job["facets"], ruled, main)}
    return document


def _rules_of(naming: Naming) -> _Rename:
    @cache
    def ruled(dataset: DatasetId) -> DatasetId:
        return DatasetId(*naming.rename(dataset.namespace, dataset.name))

    return ruled


def _main_names(lineage: Lineage, naming: Naming) -> _Rename:
    ruled = _rules_of(naming)
    links = [(ruled(dataset.id), _identifiers(dataset.facets, ruled)) for dataset in lineage.datasets]
    return _mapping(_primary_names(links, naming))


def _primary_names(
    links: Iterable[tuple[DatasetId, Iterable[DatasetId]]], naming: Naming
) -> dict[DatasetId, DatasetId]:
    def preferred(names: Iterable[DatasetId]) -> list[DatasetId]:
        known = list(names)
        return [name for name in known if kind_of(name.namespace) == naming.main_name] or known

    return {} if naming.main_name is None else primary_names(links, preferred)


def _mapping(names: Mapping[DatasetId, DatasetId]) -> _Rename:
    return lambda dataset: names.get(dataset, dataset)


def _location(names: Iterable[DatasetId], naming: Naming) -> str:
    last: list[Rule] = [steps[-1][0] for name in names if (steps := naming.steps(name.namespace, name.name))]
    return last[0].location if last else "main_name"


def _dataset(dataset: Any, ruled: _Rename, main: _Rename) -> Any:
    if not _is_named(dataset):
        return dataset
    before, name = _id(dataset), main(ruled(_id(dataset)))
    facets = dataset.get("facets")
    changed = {"facets": _facets(before, facets, ruled, main)} if isinstance(facets, Mapping) else {}
    return {**dataset, "namespace": name.namespace, "name": name.name, **changed}


def _facets(before: DatasetId, facets: Mapping[str, Any], ruled: _Rename, main: _Rename) -> dict[str, Any]:
    """Return the facets of a dataset. Its `symlinks` list its other names, also one that was its name."""
    renamed_facets = _with_references(facets, ruled, main)
    symlinks = facets.get("symlinks")
    if not isinstance(symlinks, Mapping) or not isinstance(symlinks.get("identifiers"), list):
        return renamed_facets
    old, name = ruled(before), main(ruled(before))
    former = {"namespace": old.namespace, "name": old.name, "type": _TYPES[kind_of(old.namespace)]}
    others = [_renamed_object(identifier, ruled) for identifier in symlinks["identifiers"]]
    kept = [
        identifier for identifier in [*others, former] if not _is_named(identifier) or _id(identifier) != name
    ]
    if kept:
        return {**renamed_facets, "symlinks": {**symlinks, "identifiers": _unique(kept)}}
    return {key: facet for key, facet in renamed_facets.items() if key != "symlinks"}


_TYPES = {"table": "TABLE", "path": "LOCATION"}


def _with_references(facets: Mapping[str, Any], ruled: _Rename, main: _Rename) -> dict[str, Any]:
    def rename(value: Any) -> Any:
        if isinstance(value, list):
            return [rename(member) for member in value]
        if isinstance(value, Mapping):
            return _renamed_object(
                {key: rename(member) for key, member in value.items()}, lambda it: main(ruled(it))
            )
        return value

    return {key: rename(facet) if key in _REFERRING_FACETS else facet for key, facet in facets.items()}


def _renamed_object(value: Any, rename: _Rename) -> Any:
    if not _is_named(value) or value.get("type") == "JOB":
        return value
    name = rename(_id(value))
    return {**value, "namespace": name.namespace, "name": name.name}


def _identifiers(facets: Any, ruled: _Rename) -> list[DatasetId]:
    symlinks = facets.get("symlinks") if isinstance(facets, Mapping) else None
    identifiers = symlinks.get("identifiers") if isinstance(symlinks, Mapping) else None
    return (
        [ruled(_id(identifier)) for identifier in identifiers if _is_named(identifier)]
        if isinstance(identifiers, list)
        else []
    )


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
