"""Warnings about valid values that are probably wrong: misspelled field names and invalid URIs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.generated import containers
from openlineage_facets.naming.uris import is_uri
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.model_structure import ObjectStructure, container_structure

_Path: TypeAlias = "tuple[Any, str | int] | None"
"""The steps to a value as a linked list, innermost first; a pointer is only built for findings."""


def schema_warnings(structure: ObjectStructure, document: Document) -> list[Finding]:
    """Return warnings about an event, its entities and their facets.

    Args:
        structure: The structure of the class of the event.
        document: The event; it may be invalid.
    """
    findings: list[Finding] = []
    _check_object(structure, document.value, None, findings, facets=False)
    for facet in document.facets:
        for warning in facet.cached(_facet_warnings):
            findings.append(replace(warning, pointer=facet.pointer + warning.pointer))
    return findings


def _facet_warnings(facet: Facet) -> list[Finding]:
    """Return warnings about a facet, with pointers relative to it."""
    container: type[FacetMap[Any]] = getattr(containers, facet.container)
    slot = container.__slots_by_key__.get(facet.key)
    known = container_structure(container)
    is_typed = slot is not None and slot.classes_of(facet.schema_url)
    findings: list[Finding] = []
    _check_object(known.facet(facet.key) if is_typed else known.custom, facet.value, None, findings)
    return findings


def _check_object(
    structure: ObjectStructure,
    value: dict[str, Any],
    path: _Path,
    findings: list[Finding],
    facets: bool = True,
) -> None:
    keys = tuple(value)
    fields = structure.fields_by_keys.get(keys)
    if fields is None:
        fields = structure.fields_to_check(keys)
    for name, kind, inner in fields:
        field = value[name]
        if kind == "uri":
            if type(field) is str and not is_uri(field):
                findings.append(_invalid_uri((path, name), field))
        elif kind == "object":
            if type(field) is dict:
                _check_object(inner, field, (path, name), findings, facets)
        elif kind == "list":
            if type(field) is list:
                _check_items(inner, enumerate(field), (path, name), findings, facets)
        elif kind == "map":
            if type(field) is dict:
                _check_items(inner, field.items(), (path, name), findings, facets)
        elif kind == "facets":
            if facets and type(field) is dict:
                for key, facet in field.items():
                    if type(facet) is dict:
                        _check_object(inner.facet(key), facet, ((path, name), key), findings)
        else:
            findings.append(_misspelled((path, name), inner))


def _check_items(
    structure: ObjectStructure,
    items: Iterable[tuple[str | int, Any]],
    path: _Path,
    findings: list[Finding],
    facets: bool,
) -> None:
    checked: set[tuple[str, ...]] = set()
    check_all = structure.contains_uri
    for step, item in items:
        if type(item) is dict:
            # Items with the same keys were written by the same code: report a misspelled name once.
            keys = tuple(item)
            if check_all or keys not in checked:
                checked.add(keys)
                _check_object(structure, item, (path, step), findings, facets)


def _misspelled(path: _Path, intended: str) -> Finding:
    steps = _steps(path)
    hint = f"rename it to {intended!r} if that is what it means"
    return Finding(json_pointer(steps), f"the field {intended!r}", repr(steps[-1]), hint, "OL017", "warning")


def _invalid_uri(path: _Path, text: str) -> Finding:
    hint = "add the scheme, such as https:"
    if ":" in text:
        hint = "percent-encode the characters that a URI must not contain"
    return Finding(json_pointer(_steps(path)), "a URI (RFC 3986)", describe(text), hint, "OL016", "warning")


def _steps(path: _Path) -> list[str | int]:
    steps: list[str | int] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return steps[::-1]
