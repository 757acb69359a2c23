"""What is tested: events of each kind, each facet in its location, and each facet alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from random import Random
from typing import Any, NamedTuple

from tests.oracle import events
from tests.oracle.agreement import Disagreement, check_class, check_event
from tests.oracle.documents import Maker
from tests.oracle.mutations import mutated, spots
from tests.oracle.schemas import DOCUMENTS, KINDS, Definition, Place

MUTATED = 0.9
"""How many of the documents are changed; some of the changes leave them valid."""


class Subject(NamedTuple):
    """Something to generate and validate documents of.

    Attributes:
        name: What it is.
        make: Makes a valid document.
        check: Returns whether a document is valid, and the disagreement of oracle and models.
        is_event: Whether the documents are whole events.
    """

    name: str
    make: Callable[[Random], Any]
    check: Callable[[Any], tuple[bool, Disagreement | None]]
    is_event: bool


class Trial(NamedTuple):
    """The outcome for one document."""

    valid: bool
    disagreement: Disagreement | None


def tried(subject: Subject, random: Random) -> Trial:
    """Generate a document of a subject, change it or not, and validate it both ways."""
    document = subject.make(random)
    if random.random() < MUTATED:
        document = mutated(random, document)
    check = subject.check
    if subject.is_event:
        check = partial(_check_event, _wire_format(random))
    return Trial(*check(document))


def smallest(subject: Subject, found: Disagreement) -> Disagreement:
    """Return the same disagreement about the smallest document that shows it."""

    def same(document: Any) -> bool:
        other = subject.check(document)[1]
        return other is not None and other.models[:20] == found.models[:20]

    return subject.check(reduced(found.document, same))[1] or found


def _check_event(spelled: Callable[[Any], Any], document: Any) -> tuple[bool, Disagreement | None]:
    result, disagreement = check_event(document, spelled)
    return result.valid, disagreement


def _wire_format(random: Random) -> Callable[[Any], Any]:
    """Pick what an event is handed over as: text, bytes, or the dict itself."""
    return random.choice(
        (
            json.dumps,
            lambda document: json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(),
            lambda document: bytearray(json.dumps(document, indent=2).encode()),
            lambda document: document if isinstance(document, dict) else json.dumps(document),
        )
    )


def _class_alone(definition: Definition) -> Subject:
    return Subject(
        f"{definition.name} alone",
        lambda random: Maker(random).make(definition),
        partial(check_class, definition),
        False,
    )


def _facet_in_place(place: Place) -> Subject:
    return Subject(
        f"{place.key} of {place.base}",
        lambda random: events.facet_event(random, place),
        partial(_check_event, json.dumps),
        True,
    )


def _event(kind: str) -> Subject:
    return Subject(kind, lambda random: events.event(random, kind), partial(_check_event, json.dumps), True)


WHOLE_EVENTS = tuple(_event(kind) for kind in KINDS)
FACETS_IN_PLACE = tuple(_facet_in_place(place) for place in events.PLACES)
CLASSES_ALONE = tuple(
    _class_alone(Definition(document, name))
    for document, content in DOCUMENTS.items()
    for name, schema in content["$defs"].items()
    if "oneOf" not in schema  # a choice of classes is no class
)

SUBJECTS = (*WHOLE_EVENTS, *FACETS_IN_PLACE, *CLASSES_ALONE)


# -- the smallest document that shows a disagreement -------------------------------------------------------

_TRIES = 5_000


def reduced(document: Any, shows: Callable[[Any], bool]) -> Any:
    """Return the smallest document found for which `shows` still holds.

    Args:
        document: A document for which it holds.
        shows: Whether a document shows what is to be shown.
    """
    tries = 0
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(document):
            tries += 1
            if tries > _TRIES:
                return document
            if shows(candidate):
                document, smaller = candidate, True
                break
    return document


def _smaller(document: Any) -> Iterator[Any]:
    """Yield what a document may be made smaller to: first without whole parts, then with plainer values."""
    count = sum(1 for _ in spots(document))
    for number in range(count):
        copy = deepcopy(document)
        holder, step = list(spots(copy))[number]
        del holder[step]
        yield copy
    for number in range(count):
        value = list(spots(document))[number].value
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for plainer in (*inner, *_PLAINER.get(type(value), ())):
            if len(repr(plainer)) < len(repr(value)):
                copy = deepcopy(document)
                list(spots(copy))[number].put(deepcopy(plainer))
                yield copy


_PLAINER = {str: ("", "a", "2025-03-09T06:15:02Z"), dict: ({},), list: ([],), int: (0,), float: (0.5,)}
"""What a value of each type may be replaced by."""
