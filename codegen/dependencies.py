"""The order in which definitions come after those they depend on, and schemas that have none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import Any, TypeVar

from . import ir
from .errors import SchemaError

Item = TypeVar("Item", bound=Hashable)

LONGEST_CHAIN = 100
"""How many definitions may extend or refer to each other in a row."""

LARGEST_ALIAS = 2000
"""How many types an alias may consist of, the aliases in it included."""


class Cycle(ValueError):
    """Some things depend on each other.

    Args:
        members: Each depends on the next; the last is the first again.
    """

    def __init__(self, members: Sequence[Any]) -> None:
        self.members: tuple[Any, ...] = tuple(members)
        super().__init__(" -> ".join(map(str, members)))


def dependencies_first(items: Iterable[Item], needs: Callable[[Item], Iterable[Item]]) -> list[Item]:
    """Return `items`, each after those it needs, otherwise in the given order.

    Args:
        items: Distinct items.
        needs: Returns the dependencies of an item; those not in `items` are ignored.

    Raises:
        Cycle: Some items depend on each other.
    """
    positions = {item: position for position, item in enumerate(items)}
    sorter = TopologicalSorter(
        {item: [needed for needed in needs(item) if needed in positions] for item in positions}
    )
    try:
        sorter.prepare()
    except CycleError as error:
        # graphlib lists a cycle from dependency to dependent.
        raise Cycle(tuple(reversed(error.args[1]))) from None
    by_position = list(positions)
    ready: list[int] = []
    ordered = []
    while sorter.is_active():
        for item in sorter.get_ready():
            heappush(ready, positions[item])
        item = by_position[heappop(ready)]
        ordered.append(item)
        sorter.done(item)
    return ordered


def reachable(start: Iterable[Item], needs: Callable[[Item], Iterable[Item]]) -> set[Item]:
    """Return the items in `start` and all that they need, directly or not."""
    reached: set[Item] = set()
    waiting = list(start)
    while waiting:
        item = waiting.pop()
        if item not in reached:
            reached.add(item)
            waiting += needs(item)
    return reached


def assert_in_order(library: ir.Library) -> None:
    """Reject modules, aliases and classes that need each other in a cycle, or in too long a chain.

    Raises:
        SchemaError: There is no order in which Python could define them.
    """
    _assert_files_acyclic(library)
    _assert_aliases_bounded(library)
    _assert_consistent_bases(library)


def _references_of(definition: ir.Definition) -> Iterator[ir.Named]:
    """Yield every definition that a definition refers to."""
    if isinstance(definition, ir.Alias):
        yield from ir.named_in(definition.type)
    elif isinstance(definition, ir.Class):
        yield from definition.bases
        if definition.extras is not None:
            yield from ir.named_in(definition.extras)
        for field in definition.fields:
            yield from ir.named_in(field.type)


def _assert_files_acyclic(library: ir.Library) -> None:
    """Reject schema files that refer to each other: neither module could be imported first."""
    modules = {module.name: module for module in library.modules}
    imports: defaultdict[str, set[str]] = defaultdict(set)
    for module in library.modules:
        for definition in module.definitions:
            imports[module.name] |= {name.module for name in _references_of(definition)} - {module.name}
    try:
        dependencies_first(sorted(modules), lambda name: sorted(imports[name]))
    except Cycle as cycle:
        members = [str(name) for name in cycle.members[:-1]]
        first = members.index(min(members))
        members = [*members[first:], *members[:first], members[first]]
        raise SchemaError(
            modules[members[0]].path,
            "",
            f"files refer to each other: {' -> '.join(modules[name].path for name in members)}; "
            "move the shared definitions to another file",
        ) from None


def _assert_aliases_bounded(library: ir.Library) -> None:
    """Reject aliases that contain themselves, or that are huge once the aliases in them are expanded."""
    aliases = {name: alias for name, alias in library.index.items() if isinstance(alias, ir.Alias)}
    try:
        dependencies_first(aliases, lambda name: _named_at_once(aliases[name].type))
    except Cycle as cycle:
        message = "contains itself without an object or an array in between; add one"
        raise library.error(min(cycle.members), message) from None
    ordered = dependencies_first(
        aliases, lambda name: () if aliases[name].is_recursive else ir.named_in(aliases[name].type)
    )
    sizes: dict[ir.Named, tuple[int, int]] = {}
    for name in ordered:
        sizes[name] = types, depth = _size(aliases[name].type, sizes)
        if types > LARGEST_ALIAS or depth > LONGEST_CHAIN:
            problem = f"consists of more than {LARGEST_ALIAS} types"
            if types <= LARGEST_ALIAS:
                problem = f"nested more than {LONGEST_CHAIN} levels deep"
            raise library.error(name, f"{problem}; make a part of it an object")


def _named_at_once(kind: ir.Type) -> Iterator[ir.Named]:
    """Yield the definitions that a value of a type may be itself, not only contain."""
    if isinstance(kind, ir.Union):
        for member in kind.members:
            yield from _named_at_once(member)
    elif isinstance(kind, ir.Named):
        yield kind


def with_recursion(index: Mapping[ir.Named, ir.Definition]) -> dict[ir.Named, ir.Definition]:
    """Return the definitions with those aliases marked that contain themselves."""
    edges = {
        name: [used for used in ir.named_in(alias.type) if isinstance(index[used], ir.Alias)]
        for name, alias in index.items()
        if isinstance(alias, ir.Alias)
    }
    return {
        name: replace(definition, is_recursive=True)
        if isinstance(definition, ir.Alias) and name in reachable(edges[name], edges.__getitem__)
        else definition
        for name, definition in index.items()
    }


def _size(kind: ir.Type, sizes: Mapping[ir.Named, tuple[int, int]]) -> tuple[int, int]:
    """Return of how many types a type consists, and how deep they are nested."""
    if isinstance(kind, ir.Named):
        types, depth = sizes.get(kind, (1, 1))
        return types, depth + 1
    parts = [_size(part, sizes) for part in ir.parts_of(kind)]
    return 1 + sum(types for types, _ in parts), 1 + max((depth for _, depth in parts), default=0)


def _assert_consistent_bases(library: ir.Library) -> None:
    """Reject classes whose bases Python cannot put in one order."""
    classes = {name: cls for name, cls in library.index.items() if isinstance(cls, ir.Class)}
    built: dict[ir.Named, type] = {}
    for name in dependencies_first(classes, lambda name: library.ancestors[name]):
        try:
            built[name] = type(name.name, tuple(built[base] for base in classes[name].bases), {})
        except TypeError:
            message = "extends its bases in another order than one of them does; use the same order in both"
            raise library.error(name, message) from None
