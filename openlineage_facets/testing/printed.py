"""Events within text: what a job printed, logged, or wrote to a file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

__all__ = ["events_in", "is_json_file"]

_OBJECT = re.compile(r"""\{(?=[ \t\r]*(?:["'}]|$))""")
_SAYS_EVENT = re.compile(r"""["'](?:eventTime|schemaURL)\\?["']""")
_NOT_INDENTED = re.compile(r"^(?=\S)", re.MULTILINE)
_JSON_FILE = re.compile(r'\s*(?:\[\s*)?\{\s*"')

_FIELDS = {"eventTime", "schemaURL"}
"""Fields that every event has, and little else."""

_BETWEEN = " \t\r\n,[]}"
"""What may stand between the events of a file."""

_PREFIX = 500
"""Characters of a line within which its event starts."""

_decode = json.JSONDecoder().raw_decode


def is_json_file(text: str) -> bool:
    """Tell whether a file holds JSON, from its first character on."""
    return _JSON_FILE.match(text) is not None


def events_in(text: str, *, alone: bool = False) -> Iterator[str]:
    """Return the text of each event in a text, also of those that are cut or otherwise no JSON.

    A JSON object is an event if it ends its line, or has a field that every event has. What has begun as
    an event, or names such a field in some other spelling than JSON's, is one that is broken.

    Args:
        text: The text.
        alone: Whether nothing but events should be there, so that everything else is a broken one.
    """
    line = 0
    while line < len(text):
        end = _end_of_line(text, line)
        told = position = line
        events = 0
        first = None
        while position < end and (found := _OBJECT.search(text, position, end)):
            start = found.start()
            first = start if first is None else first
            stop, is_event = _object(text, start, end)
            if stop is None:
                position = start + 1 if start - line < _PREFIX else end
                if not alone and not is_event:
                    continue
                # The next line that is not indented has nothing to do with it.
                again = _NOT_INDENTED.search(text, min(end + 1, len(text)))
                stop = end = position = again.start() - 1 if again else len(text)
            elif not alone and not is_event:
                position = stop
                continue
            else:
                position = stop
                end = _end_of_line(text, stop)
            yield from _stray(text[told:start]) if alone else ()
            yield text[start:stop]
            events += 1
            told = position
        if alone:
            yield from _stray(text[told:end])
        elif not events and first is not None and _SAYS_EVENT.search(text, first, end):
            yield text[first:end]
        line = end + 1


def _object(text: str, start: int, end: int) -> tuple[int | None, bool]:
    """Return where an object ends, None where it is no JSON, and whether it is an event.

    Args:
        text: What it stands in.
        start: Where it begins.
        end: Where its first line ends.
    """
    try:
        value, stop = _decode(text, start)
    except (ValueError, RecursionError) as error:
        return None, _SAYS_EVENT.search(text, start, getattr(error, "pos", end)) is not None
    return stop, bool(_FIELDS & value.keys()) or (stop <= end and not text[stop:end].strip())


def _stray(text: str) -> Iterator[str]:
    stray = text.strip(_BETWEEN)
    if stray:
        yield stray


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end
