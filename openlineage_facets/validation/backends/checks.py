"""Check an event against the profile of a backend."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic_core import to_json

from openlineage_facets.base.errors.findings import Finding, Severity, describe
from openlineage_facets.base.errors.json_pointer import MISSING, json_pointer, steps_of, value_at
from openlineage_facets.validation.backends.profile import (
    Condition,
    Fact,
    Profile,
    Reads,
    Rename,
    Size,
    Value,
)
from openlineage_facets.validation.event_document import FACET_FIELDS, Document

_LONGEST = 4096
"""Characters of a text that regular expressions search; hostile texts must not take long."""

_DATASETS = (("inputs", "*"), ("outputs", "*"), ("dataset",))
"""What `@datasets` stands for."""


class Place(NamedTuple):
    """Where a fact applies to an event.

    Attributes:
        steps: The keys and indexes that lead there.
        found: What was found, for messages.
    """

    steps: tuple[str, ...]
    found: str


def backend_findings(document: Document, profiles: Iterable[Profile]) -> list[Finding]:
    """Return one finding for each fact of the profiles that applies to an event.

    Args:
        document: The event.
        profiles: The profiles of the backends.
    """
    findings: list[Finding] = []
    for profile in profiles:
        found = [(fact, places) for fact in profile.fact if (places := places_of(fact, document))]
        refused = [(fact, places) for fact, places in found if fact.refuses_kinds]
        findings += [finding_of(profile, fact, places) for fact, places in refused or found]
    return findings


def finding_of(profile: Profile, fact: Fact, places: Sequence[Place]) -> Finding:
    """Return the finding of a fact that applies to an event, at the first of its places."""
    first = places[0]
    name = f"{profile.name}/{fact.id}"
    finding = Finding(
        json_pointer(first.steps),
        expected=fact.says,
        found=first.found,  # Redacted if the pointer names a secret.
        hint=fact.remedy,
        code=_CODES.get((fact.effect, type(fact.check)), "OL722"),
        severity=_SEVERITIES[fact.effect],
        fact=name,
    )
    more = f" and at {len(places) - 1:,} more" if len(places) > 1 else ""
    known = f"{name}; {fact.evidence}, version {fact.version}"
    problem = f"{profile.title}: {fact.effect}: {fact.says}, found {finding.found}{more} ({known})"
    return replace(finding, problem=problem)


def places_of(fact: Fact, document: Document) -> list[Place]:
    """Return where a fact applies to an event; nothing if it does not."""
    check = fact.check
    # Without a kind, it is not an event.
    if check is None or document.kind is None or not _applies(fact.when, document):
        return []
    return list(_PLACES[type(check)](check, document))


def byte_size(document: Document) -> int:
    """Return the size of an event as JSON without spaces."""
    return document.cached(_byte_size)


def _byte_size(document: Document) -> int:
    return len(to_json(document.value))


def _applies(when: Condition, document: Document) -> bool:
    event = document.value
    if when.kinds and document.kind not in when.kinds:
        return False
    if when.types and event.get("eventType") not in when.types:
        return False
    if when.has and not any(_matching(event, when.has)):
        return False
    return not (when.lacks and any(_matching(event, when.lacks)))


def _sizes(check: Size, document: Document) -> Iterator[Place]:
    for steps, size in _measured(check, document):
        if size < check.least or (check.most is not None and size > check.most):
            yield Place(steps, f"{size:,} {check.unit}")


def _measured(check: Size, document: Document) -> Iterator[tuple[tuple[str, ...], int]]:
    if check.unit == "links":
        yield (), len(document.inputs) * len(document.outputs)
    elif check.of is None:
        yield (), byte_size(document)
    else:
        for steps, value, parent in _with_parents(document.value, check.of):
            if value is MISSING and (is_tombstone(parent) or not check.least):
                continue
            yield steps, _size_of(value, check.unit)


def _size_of(value: Any, unit: str) -> int:
    if value is MISSING:
        return 0
    if unit == "bytes":
        return len(to_json(value))
    if unit == "characters" and isinstance(value, dict):
        return sum(len(text) for key in ("namespace", "name") if isinstance(text := value.get(key), str))
    return len(value) if isinstance(value, (str, list, dict)) else 0


def _values(check: Value, document: Document) -> Iterator[Place]:
    places = _single_values(check, document)
    return _whole_lists(places, document) if check.every else places


def _whole_lists(places: Iterable[Place], document: Document) -> Iterator[Place]:
    """Yield the first place of each list that has one in every item; `steps` end with an index and a key."""
    lists: dict[tuple[str, ...], list[Place]] = {}
    for place in places:
        lists.setdefault(place.steps[:-2], []).append(place)
    for steps, inside in lists.items():
        if len(inside) == len(value_at(document.value, steps)):
            yield inside[0]


def _single_values(check: Value, document: Document) -> Iterator[Place]:
    for pointer in check.places:
        for steps, value, parent in _with_parents(document.value, pointer):
            problem = _problem(check, value, parent)
            if problem and all(
                _text_matches(pattern, value_at(parent, path.split("/")))
                for path, pattern in check.where.items()
            ):
                yield Place(steps, problem)


def _problem(check: Value, value: Any, parent: dict[str, Any]) -> str:
    """Return what was found instead of what the check asks for, or ""."""
    if value is MISSING or value is None:
        return "nothing" if check.required and not is_tombstone(parent) else ""
    if check.absent and value not in ("", [], {}, False):
        return describe(value)
    if isinstance(value, str):
        start = value[:_LONGEST]
        if check.matches is not None and not _regex(check.matches).search(start):
            return describe(value)
        if check.excludes is not None and _regex(check.excludes).search(start):
            return describe(value)
    return ""


def _text_matches(pattern: str, value: Any) -> bool:
    if value is MISSING:
        return False
    return _regex(pattern).search(value[:_LONGEST] if isinstance(value, str) else "") is not None


def is_tombstone(parent: Any) -> bool:
    """Return whether a facet states that there is none: it requires nothing."""
    return isinstance(parent, dict) and parent.get("_deleted") is True


def _unread(check: Reads, document: Document) -> Iterator[Place]:
    kind, event_type = document.kind, document.value.get("eventType")
    if check.kinds and kind is not None and kind not in check.kinds:
        yield Place((), f"a {kind} event")
    if check.types and isinstance(event_type, str) and event_type not in check.types:
        yield Place(("eventType",), describe(event_type))
    for field in document.value if check.fields else ():
        if field not in check.fields:
            yield Place((field,), f"the field {describe(field)}")
    containers = [FACET_FIELDS[owner][-1][1] for owner in check.facets_of]
    for facet in document.facets if containers else ():
        if facet.container in containers and _is_unread(facet.key, check):
            yield Place(tuple(steps_of(facet.pointer)), f"the facet {describe(facet.key)}")


def _is_unread(key: str, check: Reads) -> bool:
    if any(fnmatchcase(key, pattern) for pattern in check.but):
        return True
    return check.only is not None and not any(fnmatchcase(key, pattern) for pattern in check.only)


def _renamed(check: Rename, document: Document) -> Iterator[Place]:
    for steps, value in _matching(document.value, check.at):
        if isinstance(value, str) and len(value) <= _LONGEST:
            renamed = _new_name(check, value, document.value)
            if renamed not in (None, value):
                yield Place(steps, f"{describe(value)}, which becomes {describe(renamed)}")


_PLACES: dict[type, Callable[[Any, Document], Iterator[Place]]] = {
    Size: _sizes,
    Value: _values,
    Reads: _unread,
    Rename: _renamed,
}
"""The function that finds where a check of each kind applies."""


def _new_name(check: Rename, text: str, event: dict[str, Any]) -> str | None:
    match = _regex(check.matches).search(text)
    if match is None:
        return None
    new = ""
    for part in re.split(r"(\{[^}]*\})", check.to):
        if part == "{}":
            new += text
        elif re.fullmatch(r"\{\d+\}", part):
            new += match[int(part[1:-1])] or ""
        elif part.startswith("{/"):
            value = value_at(event, steps_of(part[1:-1]))
            if not isinstance(value, str):
                return None
            new += value
        else:
            new += part
    return new


def _matching(event: dict[str, Any], pointer: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the values that a pointer with wildcards matches, each with its steps."""
    for steps, value, _ in _with_parents(event, pointer):
        if value is not MISSING:
            yield steps, value


def _with_parents(
    event: dict[str, Any], pointer: str
) -> Iterator[tuple[tuple[str, ...], Any, dict[str, Any]]]:
    """Yield the values that a pointer matches, or `MISSING` where only the object that contains it exists."""
    for pattern in _patterns(pointer):
        *outer, last = pattern
        for steps, parent in _walk(event, outer, ()):
            # Events have some of what `@datasets` stands for: none of it is missing.
            if isinstance(parent, dict) and last != "*" and pointer != "/@datasets":
                for key in last.split("|"):
                    yield (*steps, key), parent.get(key, MISSING), parent
            else:
                for inner, value in _walk(parent, [last], steps):
                    yield inner, value, parent if isinstance(parent, dict) else {}


@lru_cache(maxsize=1024)
def _patterns(pointer: str) -> tuple[tuple[str, ...], ...]:
    """Return the steps of a pointer, once for each meaning of `@datasets`."""
    first, *rest = steps_of(pointer)
    if first != "@datasets":
        return ((first, *rest),)
    return tuple((*dataset, *rest) for dataset in _DATASETS)


def _walk(
    value: Any, pattern: Sequence[str], before: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not pattern:
        yield before, value
        return
    first, rest = pattern[0], pattern[1:]
    children: Iterable[tuple[str, Any]] = ()
    if isinstance(value, dict):
        keys = value if first == "*" else [key for key in first.split("|") if key in value]
        children = ((key, value[key]) for key in keys)
    elif isinstance(value, list):
        indexes = range(len(value)) if first == "*" else [int(first)] if first.isdecimal() else []
        children = ((str(index), value[index]) for index in indexes if index < len(value))
    for key, child in children:
        yield from _walk(child, rest, (*before, key))


@lru_cache(maxsize=1024)
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_CODES: dict[tuple[str, type], str] = {
    ("refused", Size): "OL701",
    ("refused", Value): "OL702",
    ("refused", Reads): "OL703",
    ("lost", Size): "OL711",
    ("lost", Value): "OL712",
    ("lost", Reads): "OL713",
    ("changed", Rename): "OL721",
    ("changed", Value): "OL722",
}
"""The code for an effect and the kind of check that found it; other changes are those of a value."""

BACKEND_CODES = tuple(_CODES.values())

_SEVERITIES: dict[str, Severity] = {"refused": "error", "lost": "warning", "changed": "note"}
