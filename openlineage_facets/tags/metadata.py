"""Metadata as tools keep it, tokens and nested objects, taken apart into keys and values of tags."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from openlineage_facets.base.errors import EventError, Finding, json_pointer, shown
from openlineage_facets.tags.value import TagValue, as_text, checked_text, checked_value

__all__ = ["flattened", "split_token"]

_log = logging.getLogger("openlineage_facets.tags")

_DEEPEST = 64
"""Levels of nesting below which no metadata is taken seriously; one that contains itself ends here."""

_Steps = tuple[str | int, ...]


def split_token(token: object, pointer: str) -> tuple[str, TagValue]:
    """Return key and value of a token: `pii` is true, `team=dataos` has the text after the first `=`.

    Raises:
        EventError: The token is no text, or has no key.
    """
    if not isinstance(token, str):
        raise EventError([Finding(pointer, "a token such as 'pii' or 'team=dataos'", shown(token))])
    key, equals, text = checked_text(token, pointer).partition("=")
    if not key.strip():
        raise EventError(
            [Finding(pointer, "a token with a key", shown(token), "write it as 'pii' or 'team=dataos'")]
        )
    return key.strip(), text.strip() if equals else True


def flattened(metadata: object, wrong: list[Finding] | None = None) -> dict[str, TagValue]:
    """Return the values that nested metadata holds, by the names that lead to them joined with `_`.

    Args:
        metadata: An object or a list.
        wrong: Where to add what no tag can hold, which then costs no other value.

    Raises:
        EventError: The metadata is neither, or it holds what no tag can or does not end, and nothing is
            there to add that to.
    """
    if not isinstance(metadata, (Mapping, list, tuple)):
        raise EventError(
            [Finding("/metadata", "an object or a list", shown(metadata), "read a token with Tag.parse")]
        )
    values: dict[str, TagValue] = {}
    for key, value in _pairs(metadata, (), (), wrong):
        earlier = values.get(key, value)
        if (type(earlier), earlier) != (type(value), value):
            _log.warning(
                "tag %s: two entries of the metadata give this key; %r is lost to %r", key, earlier, value
            )
        values[key] = value
    return values


_Pairs = Iterator[tuple[str, TagValue]]
_Wrong = list[Finding] | None


def _pairs(value: Any, names: tuple[str, ...], steps: _Steps, wrong: _Wrong) -> _Pairs:
    _assert_ends(steps)
    if value is None:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _kept(_under(name, inner, names, steps, wrong), wrong)
    elif isinstance(value, (list, tuple)):
        for place, (item_steps, item) in enumerate(_items(value, steps)):
            if isinstance(item, Mapping):
                yield from _kept(_pairs(item, (*names, str(place)), item_steps, wrong), wrong)
            elif item is not None:
                yield from _kept(_of_token(item, names, item_steps), wrong)
    else:
        yield "_".join(names), checked_value(value, json_pointer(steps))


def _kept(pairs: _Pairs, wrong: _Wrong) -> _Pairs:
    """Return pairs up to what is wrong, which is noted where somebody collects it."""
    try:
        yield from pairs
    except EventError as error:
        if wrong is None:
            raise
        wrong.extend(error.findings)


def _under(name: object, inner: Any, names: tuple[str, ...], steps: _Steps, wrong: _Wrong) -> _Pairs:
    text = _name(name, steps)
    yield from _pairs(inner, (*names, text), (*steps, text), wrong)


def _of_token(item: object, names: tuple[str, ...], steps: _Steps) -> _Pairs:
    pointer = json_pointer(steps)
    key, value = split_token(as_text(checked_value(item, pointer)), pointer)
    yield "_".join((*names, key)), value


def _items(values: Sequence[Any], steps: _Steps) -> Iterator[tuple[_Steps, Any]]:
    """Read lists in a list as if their items stood in it: a list has no name to add to a key."""
    _assert_ends(steps)
    for index, item in enumerate(values):
        if isinstance(item, (list, tuple)):
            yield from _items(item, (*steps, index))
        else:
            yield (*steps, index), item


def _name(name: object, steps: _Steps) -> str:
    pointer = json_pointer(steps)
    if name is None or isinstance(name, (Mapping, list, tuple)):
        raise EventError([Finding(pointer, "names that are text", f"the name {name!r}", "give it a name")])
    text = as_text(checked_value(name, pointer)).strip()
    if not text:
        raise EventError([Finding(pointer, "names that are not empty", shown(name), "give it a name")])
    return text


def _assert_ends(steps: _Steps) -> None:
    if len(steps) > _DEEPEST:
        raise EventError(
            [
                Finding(
                    json_pointer(steps[:3]) + "/...",
                    f"metadata of at most {_DEEPEST} levels",
                    "more",
                    "cut it, or mend what contains itself",
                )
            ]
        )
