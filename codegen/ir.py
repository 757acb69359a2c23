"""What the schemas say, as frozen values: the only thing the rendering passes read."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Scalar:
    """A type without parts: string, integer, number, boolean, null, any, object, date-time, uuid or uri."""

    kind: str


@dataclass(frozen=True)
class Values:
    """One of a few constants."""

    values: tuple[str | int | bool | None, ...]


@dataclass(frozen=True)
class Named:
    """A class, enumeration or alias, by its module and name."""

    module: str
    name: str


@dataclass(frozen=True)
class ListOf:
    """An array."""

    items: Type


@dataclass(frozen=True)
class MapOf:
    """An object whose keys are free."""

    values: Type


@dataclass(frozen=True)
class Union:
    """One of several types; `exactly_one` where the schema says oneOf."""

    members: tuple[Type, ...]
    exactly_one: bool = False


@dataclass(frozen=True)
class Container:
    """The typed facet container of an entity."""

    name: str


@dataclass(frozen=True)
class QuotedFacets:
    """Facets of another entity inside a facet, judged by their base facet alone."""

    base: Named


Type = Scalar | Values | Named | ListOf | MapOf | Union | Container | QuotedFacets

Keywords = tuple[tuple[str, int | float | str], ...]
"""Constraints such as `minimum`, beside a type."""


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
    """A value must not hold all of these."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class RequireWith:
    """A value that holds `name` must hold `needed`."""

    name: str
    needed: tuple[str, ...]


Rule = ForbidTogether | RequireWith


@dataclass(frozen=True)
class Class:
    """An object with declared properties.

    Args:
        name: Its Python name.
        pointer: Where the schema stands in its document.
        doc: Its docstring.
        bases: The classes it extends.
        fields: Its own properties, inherited ones left out.
        rules: What must and must not stand together.
        extras: The type of undeclared properties, None where they are forbidden.
        schema_url: What composing writes as schema URL, for facets and events.
        facet_key: The key under which the facet stands, for facets that have one.
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
    is_proposal: bool = False


@dataclass(frozen=True)
class Slot:
    """One known facet of a container."""

    key: str
    python: str
    facet: Named
    doc: str
    proposals: tuple[tuple[str, Named], ...] = ()
    """Classes of proposed spellings, by the schema file their `_schemaURL` names."""


@dataclass(frozen=True)
class ContainerClass:
    """The facet container of one entity."""

    name: str
    base: Named
    doc: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Library:
    """Everything to render."""

    modules: tuple[Module, ...]
    containers: tuple[ContainerClass, ...]
    index: dict[Named, Definition] = field(hash=False)

    def ancestors(self, name: Named) -> tuple[Named, ...]:
        """Return the classes that `name` extends, nearest first."""
        definition = self.index[name]
        direct = definition.bases if isinstance(definition, Class) else ()
        return tuple(dict.fromkeys([*direct, *(far for base in direct for far in self.ancestors(base))]))

    def all_fields(self, name: Named) -> tuple[Field, ...]:
        """Return the fields of a class, its own first, then the inherited ones."""
        found: dict[str, Field] = {}
        for owner in (name, *self.ancestors(name)):
            definition = self.index[owner]
            for one in definition.fields if isinstance(definition, Class) else ():
                found.setdefault(one.wire, one)
        return tuple(found.values())
