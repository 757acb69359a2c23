"""Find events in text: the output or log of a job, or an event file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_OBJECT = re.compile(r"""\{(?=[ \t\r]*(?:["'}]|$))""")
_EVENT_FIELD = re.compile(r"""["'](?:eventTime|schemaURL)\\?["']\s*:""")
_NOT_INDENTED = re.compile(r"^(?=\S)", re.MULTILINE)
_JSON_FILE = re.compile(r'\s*(?:\[\s*)?(?=\{\s*")')

_FIELDS = {"eventTime", "schemaURL"}
"""Fields that every event has and other JSON objects rarely have."""

_ENTITIES = ("run", "job", "dataset")
"""Objects of which every event has one. Log records have texts under such names."""

_BETWEEN = " \t\r\n,[]}"
"""Characters that are allowed between the events of a file."""

_PREFIX = 500
"""Maximum length of the text before an event on its line."""

_decode = json.JSONDecoder().raw_decode


def starts_with_event(text: str) -> bool:
    """Return whether a file starts with an event, an array of events, or an object that is not valid JSON."""
    first = _JSON_FILE.match(text)
    if first is None:
        return False
    stop, is_event = _object(text, first.end(), _end_of_line(text, first.end()))
    return stop is None or is_event


def events_in(text: str, *, only_events: bool = False) -> Iterator[str]:
    """Yield the text of each event, including truncated events and events that are not valid JSON.

    A JSON object is an event if it has a field that every event has, or an object as run, job or dataset.
    Text that starts like an event or contains such a field in another notation, such as the `repr` of a dict,
    is an invalid event.

    Args:
        text: The text to search.
        only_events: Whether the text should contain only events. Any other content is an invalid event then.
    """
    line = 0
    while line < len(text):
        end = _end_of_line(text, line)
        start_of_rest = position = line
        events = 0
        first = None
        while position < end and (brace := _OBJECT.search(text, position, end)):
            start = brace.start()
            first = start if first is None else first
            stop, is_event = _object(text, start, end)
            if stop is None:
                position = start + 1 if start - line < _PREFIX else end
                if not only_events and not is_event:
                    continue
                # The next line without indentation is not part of the event.
                again = _NOT_INDENTED.search(text, min(end + 1, len(text)))
                stop = end = position = again.start() - 1 if again else len(text)
            elif not only_events and not is_event:
                position = stop
                continue
            else:
                position = stop
                end = _end_of_line(text, stop)
            yield from _stray(text[start_of_rest:start]) if only_events else ()
            yield text[start:stop]
            events += 1
            start_of_rest = position
        if only_events:
            yield from _stray(text[start_of_rest:end])
        elif not events and first is not None and _EVENT_FIELD.search(text, first, end):
            yield text[first:end]
        line = end + 1


def _object(text: str, start: int, end: int) -> tuple[int | None, bool]:
    """Return the end of a JSON object, None if it is not valid JSON, and whether it is an event.

    Args:
        text: The text with the object.
        start: The offset of the object.
        end: The offset of the end of its first line.
    """
    try:
        value, stop = _decode(text, start)
    except (ValueError, RecursionError) as error:
        return None, _EVENT_FIELD.search(text, start, getattr(error, "pos", end)) is not None
    return stop, bool(_FIELDS & value.keys()) or any(isinstance(value.get(key), dict) for key in _ENTITIES)


def _stray(text: str) -> Iterator[str]:
    stray = text.strip(_BETWEEN)
    if stray:
        yield stray


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end
