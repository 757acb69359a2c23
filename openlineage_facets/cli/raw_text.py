"""Text that is no JSON, or not yet known to be, as it can be told."""

from __future__ import annotations

import re

from openlineage_facets.base.credentials import LOOKED_AT, without_secrets

__all__ = ["tellable"]

_ESCAPE = re.compile(r"\\(?:u00(?P<code>[2-7][0-9a-f])|(?P<slash>/)|.)", re.IGNORECASE | re.DOTALL)
_QUOTE = re.compile(r'(?<!\\)"')
_CUT = re.compile(
    r"(://(?![^/@:]*(?::\d*)?(?:/[^@]*)?\Z)|jdbc:oracle:\w+:(?=[^@/]+/)).*\Z", re.IGNORECASE | re.DOTALL
)
"""What may be a user and a password that goes on over the end of the text: more than a host with a path."""


def tellable(text: bytes) -> str:
    """Return a text without passwords, whatever is wrong with it; bytes that are no text are kept aside.

    What stands between two quotation marks is looked at by itself, since where the text is broken, nothing
    tells which of them begin a string.
    """
    plain = _ESCAPE.sub(_unescaped, text.decode("utf-8", "surrogateescape"))
    *parts, last = _QUOTE.split(plain)
    last = last[:-LOOKED_AT] + _CUT.sub(r"\1***", last[-LOOKED_AT:])
    return '"'.join(map(without_secrets, [*parts, last]))


def _unescaped(escape: re.Match[str]) -> str:
    """Spell a character as it is, where that leaves the text what it was."""
    char = "/" if escape["slash"] else chr(int(escape["code"], 16)) if escape["code"] else '"'
    return escape[0] if char in '"\\' else char
