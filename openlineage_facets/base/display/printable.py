"""Text that is safe to print to a terminal or a CI log."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return `text` on one line, with escapes for characters that terminals and log viewers interpret.

    These are control characters, line breaks, formatting characters such as bidirectional ones, and lone
    surrogates.

    Example:
        >>> printable("orders\x1b[2J\n")
        'orders\\x1b[2J\\n'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
