"""The intermediate representation: what the schemas define, as frozen values. Renderers read nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .errors import SchemaError


@dataclass(frozen=True)
class Scalar:
    """A type without parts.

    Attributes:
        kind: string, integer, number, boolean, null, any, object, date-time, uuid or uri.
        format: Of a string, a format that is only an annotation, such as `email`.
    """

    kind: str
    format: str | None = None


class Constants(tuple["str | int | bool | None", ...]):
    """Constant values. Unlike in a tuple, 1 and True differ, as in JSON."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constants) and self._typed() == other._typed()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._typed())

    def __contains__(self, value: object) -> bool:
        return (type(value), value) in self._typed()

    def _typed(self) -> tuple[tuple[type, object], ...]:
        return tuple((type(value), value) for value in self)


def discriminators(tables: Iterable[Mapping[str, Constants]]) -> list[str]:
    """Return the names, sorted, whose constants are texts that differ between all of the tables."""
    tables = list(tables)
    found = []
    for name in sorted(set.intersection(*map(set, tables))):
        values = [value for table in tables for value in table[name]]
        if all(isinstance(value, str) for value in values) and len(set(values)) == len(values):
            found.append(name)
    return found


@dataclass(frozen=True)
class Values:
    """One of a few constants."""

    values: Constants


@dataclass(frozen=True, order=True)
class Named:
    """A class, enumeration or alias, by its module and name."""

    module: str
    name: str

    @property
    def path(self) -> str:
        """The text by which generated code refers to it, to import it on first use."""
        return f"{self.module}:{self.name}"


@dataclass(frozen=True)
class ListOf:
    """An array."""

    items: Type


@dataclass(frozen=True)
class MapOf:
    """An object whose keys are free, or match a pattern."""

    values: Type
    key_pattern: str | None = None


@dataclass(frozen=True)
class Union:
    """One of several types; `exactly_one` for oneOf."""

    members: tuple[Type, ...]
    exactly_one: bool = False


@dataclass(frozen=True)
class Container:
    """The typed facet container of an entity.

    Args:
        name: Its class.
        base: The base facet of the facets it holds.
    """

    name: str
    base: Named


@dataclass(frozen=True)
class QuotedFacets:
    """Facets of another entity inside a facet, validated against their base facet only."""

    base: Named


Type = Scalar | Values | Named | ListOf | MapOf | Union | Container | QuotedFacets

Keywords = tuple[tuple[str, int | float | str], ...]
"""Constraints such as `minimum`, in addition to a type."""


def import_path(package: str, module: str) -> str:
    """Return the import path of a module: those of another package have theirs as their name."""
    return module if "." in module else f"{package}.{module}"


def parts_of(kind: Type) -> tuple[Type, ...]:
    """Return the types directly inside a type."""
    match kind:
        case Union(members):
            return members
        case ListOf(inner) | MapOf(inner) | Container(_, inner) | QuotedFacets(inner):
            return (inner,)
    return ()


def named_in(kind: Type) -> Iterator[Named]:
    """Yield every definition that a type refers to."""
    if isinstance(kind, Named):
        yield kind
    for part in parts_of(kind):
        yield from named_in(part)


@dataclass(frozen=True)
class Field:
    """One property of a class."""

    wire: str
    python: str
    type: Type
    required: bool
    doc: str
    constraints: Keywords = ()
    deprecated: bool = False


@dataclass(frozen=True)
class ForbidTogether:
    """A value must not have all of these fields."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class RequireWith:
    """A value that has the field `name` must have the fields `needed`."""

    name: str
    needed: tuple[str, ...]


@dataclass(frozen=True)
class RequireOneOf:
    """A value must have all fields of one of the alternatives: of exactly one, or of at least one."""

    alternatives: tuple[tuple[str, ...], ...]
    exactly_one: bool


Rule = ForbidTogether | RequireWith | RequireOneOf


@dataclass(frozen=True)
class Class:
    """An object with declared properties.

    Args:
        name: Its Python name.
        pointer: JSON Pointer to its schema.
        doc: Its docstring.
        bases: The classes it extends.
        fields: Its own properties, inherited ones left out.
        rules: Which fields require or exclude each other.
        extras: The type of undeclared properties, None where they are forbidden.
        schema_url: The default of the schema URL, for facets and events.
        facet_key: The wire key of the facet, for facets that have one.
    """

    name: str
    pointer: str
    doc: str
    bases: tuple[Named, ...] = ()
    fields: tuple[Field, ...] = ()
    rules: tuple[Rule, ...] = ()
    extras: Type | None = Scalar("any")
    schema_url: str | None = None
    facet_key: str | None = None


@dataclass(frozen=True)
class Enumeration:
    """A string that is one of several names."""

    name: str
    pointer: str
    doc: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Alias:
    """A name for a type."""

    name: str
    pointer: str
    doc: str
    type: Type
    constraints: Keywords = ()
    is_recursive: bool = False


Definition = Class | Enumeration | Alias


@dataclass(frozen=True)
class Module:
    """The definitions of one schema file."""

    name: str
    path: str
    schema_id: str
    doc: str
    definitions: tuple[Definition, ...]
    is_core: bool = False
    is_base: bool = False

    @property
    def classes(self) -> dict[Named, Class]:
        """The classes of the file."""
        return {
            Named(self.name, definition.name): definition
            for definition in self.definitions
            if isinstance(definition, Class)
        }


@dataclass(frozen=True)
class Slot:
    """One known facet of a container."""

    key: str
    python: str
    facet: Named
    doc: str
    proposals: tuple[tuple[str, Named], ...] = ()
    """Classes of proposed wire formats, by the schema file in their `_schemaURL`."""

    @property
    def facets(self) -> tuple[Named, ...]:
        """The class of the facet, and those of proposals."""
        return (self.facet, *(proposed for _, proposed in self.proposals))


@dataclass(frozen=True)
class ContainerClass:
    """The facet container of one entity."""

    name: str
    base: Named
    doc: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Library:
    """Everything to render.

    Args:
        modules: A module for each schema file.
        containers: A container for each base facet.
        index: Every definition by name.
        ancestors: The classes that each class extends, nearest first.
    """

    modules: tuple[Module, ...]
    containers: tuple[ContainerClass, ...]
    index: Mapping[Named, Definition] = field(hash=False)
    ancestors: Mapping[Named, tuple[Named, ...]] = field(hash=False)

    @property
    def own_modules(self) -> tuple[Module, ...]:
        """The modules to render: those of another package that these extend are only referred to."""
        return tuple(module for module in self.modules if not module.is_base)

    @property
    def is_extension(self) -> bool:
        """Whether the modules to render extend those of the library, as custom facets do."""
        return any(module.is_base for module in self.modules)

    @property
    def core(self) -> Module:
        """The module of the core document."""
        return next(module for module in self.modules if module.is_core)

    @property
    def own_classes(self) -> dict[Named, Class]:
        """The classes of the modules to render, module by module."""
        return {name: cls for module in self.own_modules for name, cls in module.classes.items()}

    def class_of(self, name: Named) -> Class:
        """Return the class with a name."""
        definition = self.index[name]
        assert isinstance(definition, Class)
        return definition

    def path_of(self, name: Named) -> str:
        """Return the schema file of a definition."""
        return next(module.path for module in self.modules if module.name == name.module)

    def error(self, name: Named, message: str) -> SchemaError:
        """Return an error about a definition."""
        return SchemaError(self.path_of(name), self.index[name].pointer, message)

    def all_fields(self, name: Named) -> tuple[Field, ...]:
        """Return the fields of a class, its own first, then the inherited ones."""
        fields: dict[str, Field] = {}
        for owner in (name, *self.ancestors[name]):
            for declared in self.class_of(owner).fields:
                fields.setdefault(declared.wire, declared)
        return tuple(fields.values())

    def unaliased(self, kind: Type) -> Type:
        """Return the type that an alias refers to, or the type itself."""
        while isinstance(kind, Named) and isinstance(alias := self.index[kind], Alias):
            kind = alias.type
        return kind
