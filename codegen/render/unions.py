"""How to distinguish the members of a union."""

from __future__ import annotations

from .. import ir


def discriminator(union: ir.Union, library: ir.Library) -> str | None:
    """Return the required field whose constants differ between the members, or None."""
    tables: list[dict[str, tuple[str | int | bool | None, ...]]] = []
    for member in union.members:
        definition = library.index.get(member) if isinstance(member, ir.Named) else None
        if not isinstance(member, ir.Named) or not isinstance(definition, ir.Class):
            return None
        tables.append(
            {
                one.python: one.type.values
                for one in library.all_fields(member)
                if one.required and isinstance(one.type, ir.Values) and one.python == one.wire
            }
        )
    for name in sorted(set.intersection(*map(set, tables))):
        values = [value for table in tables for value in table[name]]
        if all(isinstance(value, str) for value in values) and len(set(values)) == len(values):
            return name
    return None


def may_overlap(union: ir.Union, library: ir.Library) -> bool:
    """Return whether a value could match two members, so that matches must be counted."""
    if discriminator(union, library):
        return False
    kinds = [_json_type(member, library) for member in union.members]
    return None in kinds or len(set(kinds)) < len(kinds)


def _json_type(kind: ir.Type, library: ir.Library) -> str | None:
    """Return the JSON type of the values of `kind`, None if there are several."""
    kind = library.unaliased(kind)
    definition = library.index[kind] if isinstance(kind, ir.Named) else kind
    if isinstance(definition, (ir.Class, ir.MapOf, ir.Container, ir.QuotedFacets)):
        return "object"
    if isinstance(definition, ir.ListOf):
        return "array"
    if isinstance(definition, ir.Enumeration):
        return "string"
    if isinstance(definition, ir.Scalar) and definition.kind != "any":
        return {"date-time": "string", "uuid": "string", "uri": "string", "integer": "number"}.get(
            definition.kind, definition.kind
        )
    return None


def admits_null(kind: ir.Type, library: ir.Library) -> bool:
    """Return whether null is a value of a type."""
    kind = library.unaliased(kind)
    if isinstance(kind, ir.Union):
        return any(admits_null(member, library) for member in kind.members)
    return kind == ir.Scalar("null") or (isinstance(kind, ir.Values) and None in kind.values)
