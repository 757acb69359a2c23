"""Which facet is stored under which key of which container, as the top levels of the schema files define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import ir
from .documents import Document, Spec
from .errors import pointer_of
from .identifiers import slot_names
from .name import Names, container_name


@dataclass(frozen=True)
class Claim:
    """A facet file's definition of a key.

    Attributes:
        document: The file.
        facet: The class of the facet under the key.
    """

    document: Document
    facet: ir.Named


@dataclass(frozen=True)
class Claims:
    """Every key of every container.

    Attributes:
        paths: Where the facets of each base facet are stored, such as `Run.facets`.
        by_key: The claims of each base facet and key: that of the released facet under "", those of
            proposals under their file names.
    """

    paths: Mapping[ir.Named, str]
    by_key: Mapping[tuple[ir.Named, str], Mapping[str, Claim]]


def claims(
    spec: Spec,
    names: Names,
    ancestors: Mapping[ir.Named, tuple[ir.Named, ...]],
    index: Mapping[ir.Named, ir.Definition],
    paths: Mapping[ir.Named, str],
) -> Claims:
    """Return the keys that the top levels of facet files define.

    Args:
        spec: The schema files.
        names: The names of their definitions.
        ancestors: The classes that each class extends.
        index: Every definition.
        paths: Where the facets of each base facet are stored.

    Raises:
        SchemaError: A key has no facet, or two.
    """
    found: dict[tuple[ir.Named, str], dict[str, Claim]] = {}
    for document in spec.documents:
        for key, schema in document.schema.get("properties", {}).items() if not document.is_core else ():
            pointer = pointer_of(["properties", key])
            facets = list(_classes(spec, names, index, document, schema, pointer))
            if not facets:
                raise document.error(pointer, "expected a $ref to the facet with this key")
            for facet in facets:
                base = _base(document, pointer, facet, ancestors[facet], paths)
                proposal = document.path.name if document.is_proposal else ""
                others = found.setdefault((base, key), {})
                other = others.setdefault(proposal, Claim(document, facet))
                if other != Claim(document, facet):
                    raise document.error(
                        pointer,
                        f"{key!r} of {base.name} is the key of both {facet.name} and {other.facet.name} of "
                        f"{other.document.path.as_posix()}; use another key",
                    )
    return Claims(paths, found)


def _classes(
    spec: Spec,
    names: Names,
    index: Mapping[ir.Named, ir.Definition],
    document: Document,
    schema: Any,
    pointer: str,
) -> Iterator[ir.Named]:
    """Yield the facet classes that a key may hold, each once, through any anyOf and oneOf."""
    waiting = [(document, schema, pointer)]
    seen: set[ir.Named] = set()
    while waiting:
        owner, schema, pointer = waiting.pop()
        if not isinstance(schema, Mapping):
            raise owner.error(pointer, "expected a $ref to a facet, found true or false")
        inner = []
        if "$ref" in schema:
            target, definition = spec.resolve(owner, schema["$ref"], f"{pointer}/$ref")
            named = names.definitions[target.schema_id, definition]
            if named not in seen:
                seen.add(named)
                if isinstance(index[named], ir.Class):
                    yield named
                else:
                    inner.append((target, target.definitions[definition], pointer_of(["$defs", definition])))
        for keyword in ("anyOf", "oneOf"):
            for number, member in enumerate(schema.get(keyword, ())):
                inner.append((owner, member, f"{pointer}/{keyword}/{number}"))
        waiting += reversed(inner)


def _base(
    document: Document,
    pointer: str,
    facet: ir.Named,
    ancestors: tuple[ir.Named, ...],
    paths: Mapping[ir.Named, str],
) -> ir.Named:
    bases = [base for base in paths if base in ancestors]
    if len(bases) == 1:
        return bases[0]
    names = ", ".join(base.name for base in paths)
    found = " and ".join(base.name for base in bases) or "none"
    raise document.error(pointer, f"{facet.name} must extend exactly one of {names}; found {found}")


def facet_keys(claimed: Claims) -> dict[ir.Named, str]:
    """Return the key of every facet that has one.

    Raises:
        SchemaError: A facet has two keys.
    """
    keys: dict[ir.Named, str] = {}
    for (_, key), by_proposal in claimed.by_key.items():
        for claim in by_proposal.values():
            if keys.setdefault(claim.facet, key) != key:
                raise claim.document.error(
                    "/properties",
                    f"{claim.facet.name} has the keys {keys[claim.facet]!r} and {key!r}; remove one of them",
                )
    return keys


def container_classes(
    claimed: Claims, index: Mapping[ir.Named, ir.Definition]
) -> tuple[ir.ContainerClass, ...]:
    """Return the container of each base facet, its slots ordered by key."""
    keys: dict[ir.Named, list[str]] = {base: [] for base in claimed.paths}
    for base, key in claimed.by_key:
        keys[base].append(key)
    return tuple(
        ir.ContainerClass(
            name=container_name(base.name),
            base=base,
            doc=f"The facets of `{path}`.",
            slots=tuple(
                _slot(key, python, claimed.by_key[base, key], index)
                for key, python in sorted(slot_names(keys[base]).items())
            ),
        )
        for base, path in claimed.paths.items()
    )


def _slot(
    key: str, python: str, by_proposal: Mapping[str, Claim], index: Mapping[ir.Named, ir.Definition]
) -> ir.Slot:
    (_, first), *proposals = sorted(by_proposal.items())
    return ir.Slot(
        key=key,
        python=python,
        facet=first.facet,
        doc=index[first.facet].doc,
        proposals=tuple((file, claim.facet) for file, claim in proposals),
    )
