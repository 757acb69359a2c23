"""The codes of findings about backends: what a backend does, and what kind of check found it."""

from __future__ import annotations

from openlineage_facets.validation.finding_code import FindingCode

_PROFILE = (
    "The message names the backend and the fact, how the fact is known (tried, code, documentation or issue) "
    "and for which version. `openlineage-facets backends NAME` lists all facts with their sources."
)
_SEE = "https://openlineage.io/docs/integrations/about"

_CODES = {
    ("refused", "size"): FindingCode(
        "OL701",
        "Backend refuses the size",
        "error",
        "The event is valid, but larger than the backend accepts: in bytes, or by the length of a name or "
        f"list. {_PROFILE}\n\nEmit less, or let the emitter shorten and drop facets with "
        '`backend="NAME"`.',
        _SEE,
    ),
    ("refused", "value"): FindingCode(
        "OL702",
        "Backend refuses a value",
        "error",
        "The event is valid, but the backend refuses a value, or requires one that is absent. "
        f"{_PROFILE}\n\nChange the value as the message says. Some can be repaired by the emitter.",
        _SEE,
    ),
    ("refused", "reads"): FindingCode(
        "OL703",
        "Backend refuses the kind of event",
        "error",
        "The event is valid, but the backend refuses events of this kind or type, or with such a facet. "
        f"{_PROFILE}\n\nDo not send such events to this backend.",
        _SEE,
    ),
    ("lost", "size"): FindingCode(
        "OL711",
        "Backend loses an event because of a size",
        "warning",
        "The backend accepts the event, but skips it, or a part of it, because a list or a text is too long "
        f"or too short. {_PROFILE}",
        _SEE,
    ),
    ("lost", "value"): FindingCode(
        "OL712",
        "Backend loses a value",
        "warning",
        "The backend accepts the event, but does not store a value, or skips what contains it. " + _PROFILE,
        _SEE,
    ),
    ("lost", "reads"): FindingCode(
        "OL713",
        "Backend does not read an event or facet",
        "warning",
        "The backend accepts the event, but does not read events of this kind or type, or one of its facets. "
        f"{_PROFILE}\n\nNothing is wrong with the event. Ignore the code if the backend does not need it.",
        _SEE,
    ),
    ("changed", "rename"): FindingCode(
        "OL721",
        "Backend changes a name",
        "note",
        "The backend stores another name than the one in the event, so that it is found under that one, and "
        f"events of other producers may not refer to the same thing. {_PROFILE}",
        _SEE,
    ),
    ("changed", "value"): FindingCode(
        "OL722",
        "Backend changes the meaning",
        "note",
        "The backend accepts the event, but what it stores or displays means something else. " + _PROFILE,
        _SEE,
    ),
}

BACKEND_CODES = tuple(_CODES.values())


def code_of(effect: str, check: str) -> FindingCode:
    """Return the code for an effect and the kind of check that found it.

    Args:
        effect: "refused", "lost" or "changed".
        check: "size", "value", "reads" or "rename".
    """
    return _CODES.get((effect, check)) or _CODES["changed", "value"]
