"""Which facet is stored under which key of which container, as the top levels of the schema files define."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from . import ir
from .documents import Document, Spec, reached_definitions
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


Claims = Mapping[tuple[ir.Named, str], Mapping[str, Claim]]
"""The claims of each base facet and key: that of the released facet under "", those of proposals under their
file names."""

Paths = Mapping[ir.Named, str]
"""Where the facets of each base facet are stored, such as `Run.facets`."""


def claims(spec: Spec, names: Names, library: ir.Library, paths: Paths) -> Claims:
    """Return the keys that the top levels of facet files define.

    Args:
        spec: The schema files.
        names: The names of their definitions.
        library: Every definition.
        paths: Where the facets of each base facet are stored.

    Raises:
        SchemaError: A key has no facet, or two.
    """

    def is_class(owner: Document, definition: str) -> bool:
        return isinstance(library.index[names.definitions[owner.schema_id, definition]], ir.Class)

    claimed: dict[tuple[ir.Named, str], dict[str, Claim]] = {}
    for document in spec.documents:
        for key, schema in document.schema.get("properties", {}).items() if not document.is_core else ():
            pointer = pointer_of(["properties", key])
            facets = list(reached_definitions(spec, (document, schema, pointer), is_class))
            if not facets:
                raise document.error(pointer, "expected a $ref to the facet with this key")
            for owner, definition in facets:
                claim = Claim(document, names.definitions[owner.schema_id, definition])
                base = _base(claim, pointer, library, paths)
                proposal = document.path.name if document.is_proposal else ""
                other = claimed.setdefault((base, key), {}).setdefault(proposal, claim)
                if other != claim:
                    raise document.error(
                        pointer,
                        f"{key!r} of {base.name} is the key of both {claim.facet.name} and "
                        f"{other.facet.name} of {other.document.path.as_posix()}; use another key",
                    )
    return claimed


def _base(claim: Claim, pointer: str, library: ir.Library, paths: Paths) -> ir.Named:
    """Return the base facet that a facet extends."""
    bases = [base for base in paths if base in library.ancestors[claim.facet]]
    if len(bases) == 1:
        return bases[0]
    expected = ", ".join(base.name for base in paths)
    found = " and ".join(base.name for base in bases) or "none"
    message = f"{claim.facet.name} must extend exactly one of {expected}; found {found}"
    raise claim.document.error(pointer, message)


def facet_keys(claimed: Claims) -> dict[ir.Named, str]:
    """Return the key of every facet that has one.

    Raises:
        SchemaError: A facet has two keys.
    """
    keys: dict[ir.Named, str] = {}
    for (_, key), by_proposal in claimed.items():
        for claim in by_proposal.values():
            if keys.setdefault(claim.facet, key) != key:
                raise claim.document.error(
                    "/properties",
                    f"{claim.facet.name} has the keys {keys[claim.facet]!r} and {key!r}; remove one of them",
                )
    return keys


def container_classes(claimed: Claims, paths: Paths, library: ir.Library) -> tuple[ir.ContainerClass, ...]:
    """Return the container of each base facet, its slots ordered by key."""
    containers = []
    for base, path in paths.items():
        names = slot_names([key for other, key in claimed if other == base])
        slots = []
        for key, python in sorted(names.items()):
            (_, first), *proposals = sorted(claimed[base, key].items())
            doc = library.index[first.facet].doc
            proposed = tuple((file, claim.facet) for file, claim in proposals)
            slots.append(ir.Slot(key, python, first.facet, doc, proposed))
        name = container_name(base.name)
        containers.append(ir.ContainerClass(name, base, f"The facets of `{path}`.", tuple(slots)))
    return tuple(containers)
