"""Change events so that backends accept them, and log what cannot be changed.

A profile says which of its facts can be repaired, and how:

- `add_empty` adds absent `inputs`, `outputs` and `facets`, `set` a required value;
- `repeat` repeats the facets of a job or dataset that a backend forgets;
- `drop` drops a facet that is refused;
- `shrink` makes an event smaller, in the order of `_SHRINKING`: first what lineage needs least.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.errors.json_pointer import json_pointer, value_at
from openlineage_facets.base.json.json_input import compact_json
from openlineage_facets.emitters.errors import LOG
from openlineage_facets.validation.backends.catalogue import profiles_of
from openlineage_facets.validation.backends.checks import (
    Place,
    byte_size,
    finding_of,
    is_tombstone,
    places_of,
)
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.standard_facets import standard_facets_at

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.catalogue import Backends
    from openlineage_facets.validation.backends.profile import Fact, Profile

_REMEMBERED = 10_000
"""Number of facets that are remembered to be repeated."""

_LONGEST_TEXT = 2_000
"""Characters to which texts are shortened."""

_LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "note": logging.INFO}

_TEXTS = {"errorMessage": "stackTrace", "documentation": "description"}
"""The facets of which a text is shortened."""

_SHRINKING: tuple[Callable[[Facet], bool], ...] = (
    lambda facet: not standard_facets_at(facet.label),
    lambda facet: facet.key in ("sourceCode", "environmentVariables"),
    lambda facet: facet.key in _TEXTS,
    lambda facet: facet.key.startswith("dataQuality") or facet.key in ("columnMetrics", "test"),
    lambda facet: facet.key == "sql",
    lambda facet: facet.key in ("columnLineage", "lineage"),
    lambda facet: facet.key == "schema",
)
"""Which facets become smaller first; of each kind, the largest ones first."""


class BackendRepairs:
    """A function that repairs events for backends, for `prepare_lines` of an emitter.

    It logs each repair once, and each fact about an event that cannot be repaired: what is refused as an
    error, what is lost as a warning, and what is changed as information.

    Args:
        backends: Names, as `openlineage-facets backends` lists them, or paths of profiles.

    Raises:
        BackendError: A backend is unknown, or its profile is invalid.

    Example:
        >>> emitter = HttpEmitter("http://marquez:5000")
        >>> emitter.prepare_lines(BackendRepairs("marquez"))
    """

    def __init__(self, backends: Backends) -> None:
        self._profiles = profiles_of(backends)
        self._logged: set[str] = set()
        self._facets: dict[tuple[bool, tuple[str, str], str], Any] = {}

    def __call__(self, line: bytes) -> bytes:
        """Return an event as the backends accept it; unchanged if there is nothing to repair.

        Args:
            line: An event as JSON. Anything else is returned unchanged.
        """
        try:
            event = json.loads(line)
            if not isinstance(event, dict):
                return line
            changed = [self._repair(event, profile) for profile in self._profiles]
            return compact_json(event) if any(changed) else line
        except Exception as error:  # An event that is not repaired is better than none.
            self._log("repair", logging.ERROR, f"could not repair an event: {type(error).__name__}: {error}")
            return line

    def _repair(self, event: dict[str, Any], profile: Profile) -> bool:
        is_changed = False
        refusals = (fact for fact in profile.fact if fact.refuses_kinds and places_of(fact, Document(event)))
        refused = next(refusals, None)
        # What is repeated may have to be repaired, and what is dropped must not be repeated.
        for fact in sorted(profile.fact, key=_repeats_nothing) if refused is None else [refused]:
            name = f"{profile.name}/{fact.id}"
            if fact.repair is not None and fact.repair.repeat:
                done = self._repeat(event, fact.repair.repeat)
            else:
                places = places_of(fact, Document(event))
                done = _repaired(event, fact, places) if places else ""
                places = places_of(fact, Document(event)) if done else places
                if places:
                    finding = finding_of(profile, fact, places)
                    self._log(f"{name} found", _LEVELS[finding.severity], str(finding))
            if done:
                is_changed = True
                self._log(name, logging.WARNING, f"{profile.title}: {fact.says}: {done} ({name})")
        return is_changed

    def _repeat(self, event: dict[str, Any], keys: Sequence[str]) -> str:
        """Add the last facets of jobs and datasets that the event does not contain, and remember its own."""
        repeated = []
        for entity in Document(event).entities:
            facets = entity.value.get("facets", {})
            if entity.identity is None or not isinstance(facets, dict):
                continue
            for key in keys:
                place = (entity.is_dataset, (entity.identity.namespace, entity.identity.name), key)
                if key in facets:
                    self._facets.pop(place, None)
                    if not is_tombstone(facets[key]):
                        self._facets[place] = facets[key]
                elif place in self._facets:
                    entity.value.setdefault("facets", facets)[key] = self._facets[place]
                    repeated.append(json_pointer([key]))
        while len(self._facets) > _REMEMBERED:
            self._facets.pop(next(iter(self._facets)), None)
        return f"repeated {', '.join(dict.fromkeys(repeated))}" if repeated else ""

    def _log(self, name: str, level: int, message: str) -> None:
        if name not in self._logged:
            self._logged.add(name)
            LOG.log(level, "%s (logged once)", message)


def _repeats_nothing(fact: Fact) -> bool:
    return fact.repair is None or not fact.repair.repeat


def _repaired(event: dict[str, Any], fact: Fact, places: Sequence[Place]) -> str:
    """Repair an event and return what was done, "" for nothing."""
    repair = fact.repair
    if repair is None:
        return ""
    pointers = [json_pointer(place.steps) for place in places]
    if repair.add_empty:
        _add_empty_fields(event)
        return f"added {', '.join(pointers)}"
    if repair.set is not None:
        for place in places:
            value_at(event, place.steps[:-1])[place.steps[-1]] = repair.set
        return f"set {', '.join(pointers)} to {describe(repair.set)}"
    if repair.drop:
        dropped = dict.fromkeys(_facet_steps(place.steps) for place in places)
        for steps in dropped:
            if steps:
                del value_at(event, steps[:-1])[steps[-1]]
        return f"dropped {', '.join(json_pointer(steps) for steps in dropped if steps)}"
    if repair.shrink and fact.size is not None and fact.size.most is not None:
        done = list(_shrink(event, fact.size.most))
        return f"shortened or dropped {', '.join(done[:5])}{', ...' if len(done) > 5 else ''}" if done else ""
    return ""


def _facet_steps(steps: tuple[str, ...]) -> tuple[str, ...]:
    """Return the steps to the facet that contains a value; none if it is not in a facet."""
    for index, step in enumerate(steps[:-1]):
        if step in ("facets", "inputFacets", "outputFacets"):
            return steps[: index + 2]
    return ()


def _shrink(event: dict[str, Any], most: int) -> Iterator[str]:
    """Shorten and drop facets until the event has at most `most` bytes; yield their JSON Pointers."""
    document = Document(event)
    size = byte_size(document)
    sizes = ((len(compact_json(facet.value)), facet) for facet in document.facets)
    sized = sorted(sizes, key=itemgetter(0), reverse=True)
    for is_next in _SHRINKING:
        for before, facet in sized:
            if size <= most:
                return
            if not is_next(facet):
                continue
            text = _TEXTS.get(facet.key)
            if text is not None:
                after = _shortened(facet.value, text)
            else:
                del facet.entity.value[facet.field][facet.key]
                after = -len(compact_json(facet.key)) - 1  # The key and the colon; there may be no comma.
            size -= before - after
            if after < before:
                yield facet.pointer


def _shortened(facet: dict[str, Any], name: str) -> int:
    """Shorten a text of a facet and return the new size of the facet."""
    text = facet.get(name)
    if isinstance(text, str) and len(text) > _LONGEST_TEXT:
        facet[name] = f"{text[:_LONGEST_TEXT]}... ({len(text):,} characters)"
    return len(compact_json(facet))


def with_empty_fields(line: bytes) -> bytes:
    """Return an event with `inputs`, `outputs` and the `facets` of run, job and dataset, empty if absent.

    The specification allows to omit them, and this package does. For consumers that read an absent field as
    an error, pass this function to `prepare_lines` of an emitter.

    Args:
        line: An event as JSON. Anything else is returned unchanged.

    Example:
        >>> emitter = HttpEmitter("https://acme.atlan.com", endpoint="events/openlineage/spark/api/v1")
        >>> emitter.prepare_lines(with_empty_fields)
    """
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(event, dict) or not _add_empty_fields(event):
        return line
    try:
        return compact_json(event)
    except ValueError as error:
        LOG.warning("could not add empty fields to an event: %s", error)
        return line


def _add_empty_fields(event: dict[str, Any]) -> bool:
    """Add the empty fields of `with_empty_fields`, and return whether one was absent."""
    empty: list[tuple[dict[str, Any], str, Any]] = [
        (event[name], "facets", {}) for name in ("run", "job", "dataset") if isinstance(event.get(name), dict)
    ]
    if "job" in event:
        empty += [(event, name, []) for name in ("inputs", "outputs")]
    absent = [(owner, name, value) for owner, name, value in empty if name not in owner]
    for owner, name, value in absent:
        owner[name] = value
    return bool(absent)
