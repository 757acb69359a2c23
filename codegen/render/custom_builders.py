"""Render `builders.py` of a package of custom facets: our builders with a method for each of its facets."""

from __future__ import annotations

from collections.abc import Mapping

from .. import ir
from ..identifiers import module_aliases
from .annotations import Annotations
from .builders import (
    IMPORTED,
    builder_header,
    containers_of,
    entities_with_facets,
    facet_methods,
    method_lines,
)
from .docstring import docstring, indented
from .header import CUSTOM_FACETS_API

_BUILDERS = {
    "Run": "RunBuilder",
    "Job": "JobBuilder",
    "StaticDataset": "DatasetBuilder",
    "InputDataset": "InputBuilder",
    "OutputDataset": "OutputBuilder",
}
"""The builder of each entity in `openlineage_facets.builders`."""

_JOB_PARTS = {"job": "JobBuilder", "input(...)": "InputBuilder", "output(...)": "OutputBuilder"}

_PARTS = {
    "RunEventBuilder": {"run": "RunBuilder", **_JOB_PARTS},
    "JobEventBuilder": _JOB_PARTS,
    "DatasetEventBuilder": {"dataset": "DatasetBuilder"},
}
"""The builders of the parts of each event builder, by the expressions that return them."""

EXPORTED = (*_BUILDERS.values(), *_PARTS)
"""The names that the module defines."""


def render_custom_builders(library: ir.Library, package: str) -> str:
    """Return the source of the module of builders."""
    entities = entities_with_facets(library)
    methods = {name for entity in entities for name in facet_methods(entity, library).values()}
    own = {module.name for module in library.own_modules}
    aliases = module_aliases(own, methods | IMPORTED | {"builders"})
    # No module of custom facets starts with an underscore.
    aliases |= {
        module.name: f"_{module.name.rpartition('.')[2]}" for module in library.modules if module.is_base
    }
    write = Annotations("builders", library, modules=aliases)
    mixins: dict[str, list[str]] = {}
    lines: list[str] = []
    for entity in entities:
        names = facet_methods(entity, library)
        for field, container in containers_of(entity, library):
            slots = [slot for slot in container.slots if slot.facet.module in own]
            if not slots or f"_{container.name}" in mixins:
                continue
            mixins[f"_{container.name}"] = []
            lines += [
                "",
                "",
                f"class _{container.name}(EntityBuilder):",
                "    __composes_facets__: ClassVar[bool] = True",
            ]
            for slot in slots:
                lines += method_lines(names[field, slot.key], field, slot, library, write, package)
    for entity in entities:
        builder = _BUILDERS.get(entity.name)
        if builder is not None:
            own_mixins = [f"_{container.name}" for _, container in reversed(containers_of(entity, library))]
            bases = [*(mixin for mixin in own_mixins if mixin in mixins), f"builders.{builder}"]
            described = f"Builds the {entity.name} of an event, with the facets of this package."
            lines += ["", "", f"class {builder}({', '.join(bases)}):", *indented(docstring(described))]
    for event, parts in _PARTS.items():
        lines += _event_builder(event, parts)
    return "\n".join([*builder_header(write, library, package, aliases, _IMPORTS), *lines]) + "\n"


_IMPORTS = (f"from {CUSTOM_FACETS_API} import FacetMap, builders",)


def _event_builder(event: str, parts: Mapping[str, str]) -> list[str]:
    entries = ", ".join(f"{part!r}: {builder}" for part, builder in parts.items())
    typed: list[str] = []
    for part, builder in parts.items():
        if part.endswith("(...)"):
            method = part.removesuffix("(...)")
            typed += ["", f"def {method}(self, namespace: str, name: str) -> {builder}: ..."]
        else:
            typed += ["", "@property", f"def {part}(self) -> {builder}: ..."]
    kind = event.removesuffix("EventBuilder").lower()
    return [
        "",
        "",
        f"class {event}(builders.{event}):",
        *indented(docstring(f"Builds {kind} events, with the facets of this package.")),
        "",
        "    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {",
        f"        **builders.{event}.__parts__, {entries}",
        "    }",
        "",
        "    if TYPE_CHECKING:",
        *indented(indented(typed)),
    ]
