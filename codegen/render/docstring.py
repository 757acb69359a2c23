"""Schema text as Python docstrings, escaped so that it is only data."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

WIDTH = 100

_CONSTRUCTOR_INDENT = 12


def docstring(text: str, indent: int = 4) -> list[str]:
    """Return the lines of a docstring: the first sentence of `text`, then the rest; none for no text.

    Args:
        text: Any text, from any source.
        indent: The indentation it will get; only the width of the lines depends on it.
    """
    words = " ".join(text.split())
    summary, rest = first_sentence(words)
    paragraphs = [
        textwrap.wrap(part, WIDTH - indent - 6, break_long_words=False, break_on_hyphens=False)
        for part in (summary, rest)
    ]
    lines = paragraphs[0]
    if not lines:
        return []
    if paragraphs[1]:
        lines = [*lines, "", *paragraphs[1]]
    safe = [_escaped(line) for line in lines]
    if len(safe) == 1:
        return [f'"""{safe[0]}"""']
    return [f'"""{safe[0]}', *safe[1:], '"""']


def constructor_docstring(text: str, parameters: Mapping[str, str]) -> list[str]:
    """Return the lines of a constructor's docstring: the first sentences of a class and of its parameters.

    Args:
        text: The description of the class.
        parameters: The description of each parameter.
    """
    lines = docstring(first_sentence(" ".join(text.split()))[0], _CONSTRUCTOR_INDENT)
    parameters = {name: described for name, described in parameters.items() if described}
    if not parameters:
        return lines or ["..."]
    if not lines:
        lines = ['"""Create it.', '"""']
    last = lines[-1].removesuffix('"""')
    lines = [*lines[:-1], *([last] if last else []), "", "Args:"]
    for name, description in parameters.items():
        summary = first_sentence(" ".join(description.split()))[0]
        width = WIDTH - _CONSTRUCTOR_INDENT - 6
        wrapped = textwrap.wrap(
            f"{name}: {summary}",
            width,
            initial_indent="    ",
            subsequent_indent="        ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += map(_escaped, wrapped)
    return [*lines, '"""']


def indented(lines: list[str]) -> list[str]:
    """Return lines indented by four spaces."""
    return [f"    {line}" if line else "" for line in lines]


def first_sentence(text: str) -> tuple[str, str]:
    """Return the first sentence of `text`, and the rest."""
    match = re.match(r"(.+?[.!?])\s+(?=[A-Z`'\"(])", text)
    return (match[1], text[match.end() :]) if match else (text, "")


def _escaped(line: str) -> str:
    """Return `line` as the inside of a string literal."""
    printable = "".join(
        char if char.isprintable() else ascii(char)[1:-1] for char in line.replace("\\", "\\\\")
    )
    return printable.replace('"', '\\"') if '"""' in line or line.endswith('"') else printable
