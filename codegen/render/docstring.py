"""Schema text as Python docstrings, escaped so that it is only data."""

from __future__ import annotations

import re
import textwrap

WIDTH = 100


def docstring(text: str, indent: int = 4) -> list[str]:
    """Return the lines of a docstring: the first sentence of `text`, then the rest.

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
    lines = paragraphs[0] or ["(undocumented)"]
    if paragraphs[1]:
        lines = [*lines, "", *paragraphs[1]]
    safe = [_escaped(line) for line in lines]
    if len(safe) == 1:
        return [f'"""{safe[0]}"""']
    return [f'"""{safe[0]}', *safe[1:], '"""']


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
