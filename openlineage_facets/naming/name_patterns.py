"""Patterns of names with placeholders, such as `raw/{table}_{day:[0-9]{8}}`, and texts that use them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from openlineage_facets.base.wire.linear_patterns import UnsupportedPattern, matcher_of

_LITERAL = re.compile(r"(?:[^{}]|\{\{|\}\})+")
_PLACEHOLDER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|")

_LONGEST_NAME = 2_000
"""Characters of names that patterns are compared with."""


@dataclass(frozen=True)
class _Placeholder:
    name: str
    """Empty if its text is not kept."""
    pattern: str


@dataclass(frozen=True)
class NamePattern:
    """A text with placeholders, which matches whole names.

    `{table}` stands for characters without a slash, `{path:.+}` for what a regular expression matches,
    `{:.*}` for text that is not kept, `{{` and `}}` for braces. Placeholders match as much as possible, the
    first ones before the others.

    Args:
        text: The pattern.

    Raises:
        ValueError: A placeholder is invalid.

    Example:
        >>> NamePattern("{:.*}/lake/{path:.+}").match("/tmp/test-7/lake/raw/orders")
        {'path': 'raw/orders'}
    """

    text: str

    def __post_init__(self) -> None:
        for name in self.placeholders:
            if self.placeholders.count(name) > 1:
                raise ValueError(f"expected each placeholder once, found {{{name}}} twice")
        try:
            for part in self._parts:
                if isinstance(part, _Placeholder):
                    matcher_of(part.pattern)
            matcher_of(self._rests[0])
        except UnsupportedPattern as error:
            raise ValueError(f"expected a regular expression that takes linear time: {error}") from None

    @cached_property
    def placeholders(self) -> tuple[str, ...]:
        """The names of the placeholders."""
        return tuple(part.name for part in self._parts if isinstance(part, _Placeholder) and part.name)

    def match(self, name: str) -> dict[str, str] | None:
        """Return the texts of the placeholders, None if the name does not match."""
        if len(name) > _LONGEST_NAME or not self._matches(0, name):
            return None
        values: dict[str, str] = {}
        start = 0
        for number, part in enumerate(self._parts):
            if isinstance(part, str):
                start += len(part)
                continue
            # The engine has no groups. The rest matches at one end at least, since the whole name matches.
            is_part = matcher_of(_whole(f"(?:{part.pattern})"))
            ends = (
                end
                for end in range(len(name), start - 1, -1)
                if is_part(name[start:end]) and self._matches(number + 1, name[end:])
            )
            end = next(ends, None)
            if end is None:  # The part depends on what is around it, as with `\B`.
                return None
            values[part.name] = name[start:end]
            start = end
        values.pop("", None)
        return values

    @cached_property
    def _parts(self) -> tuple[str | _Placeholder, ...]:
        return tuple(_parts_of(self.text))

    @cached_property
    def _rests(self) -> tuple[str, ...]:
        """Regular expressions for the rest of a name, from each part on and after the last one."""
        parts = [re.escape(part) if isinstance(part, str) else f"(?:{part.pattern})" for part in self._parts]
        return tuple(_whole("".join(parts[number:])) for number in range(len(parts) + 1))

    def _matches(self, number: int, text: str) -> bool:
        return matcher_of(self._rests[number])(text)


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its placeholders replaced.

    Raises:
        ValueError: A placeholder has a regular expression or no value.

    Example:
        >>> filled("curated/{table}", {"table": "orders"})
        'curated/orders'
    """
    pieces = []
    for part in _parts_of(text):
        if isinstance(part, str):
            pieces.append(part)
        elif part.pattern != _ANYTHING:
            raise ValueError(f"expected {{{part.name}}} without a regular expression in the new name")
        elif part.name not in values:
            known = ", ".join(f"{{{name}}}" for name in values) or "none"
            raise ValueError(f"unknown placeholder {{{part.name}}}; known here: {known}")
        else:
            pieces.append(values[part.name])
    return "".join(pieces)


def as_pattern(text: str) -> str:
    """Return a pattern that matches only this text."""
    return text.replace("{", "{{").replace("}", "}}")


_ANYTHING = "[^/]+"


def _whole(pattern: str) -> str:
    return rf"(?s)\A{pattern}\z"


def _parts_of(text: str) -> Iterator[str | _Placeholder]:
    """Yield texts and placeholders. The braces of a regular expression are balanced."""
    place = 0
    while place < len(text):
        if literal := _LITERAL.match(text, place):
            yield literal.group().replace("{{", "{").replace("}}", "}")
            place = literal.end()
            continue
        if text[place] == "}":
            raise ValueError("expected no closing brace without an opening one; write }} for a brace")
        end = _closing(text, place)
        name, colon, pattern = text[place + 1 : end].partition(":")
        if _PLACEHOLDER_NAME.fullmatch(name) is None or not (name or pattern) or (colon and not pattern):
            found = text[place : end + 1]
            raise ValueError(f"expected a placeholder such as {{table}} or {{path:.+}}, found {found}")
        yield _Placeholder(name, pattern or _ANYTHING)
        place = end + 1


def _closing(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise ValueError(f"expected a closing brace after {text[start:]}; write {{{{ for a brace")
