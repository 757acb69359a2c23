"""Redact secrets in text that is not valid JSON or has not been parsed."""

from __future__ import annotations

import re

from openlineage_facets.base.redaction.redact import redact, redact_for_display, without_cut_login

_ESCAPE = re.compile(r"\\(?:u00(?P<code>[2-7][0-9a-f])|(?P<slash>/)|.)", re.IGNORECASE | re.DOTALL)
_QUOTE = re.compile(r'(?<!\\)"')


def redacted_text(text: bytes) -> str:
    """Return a text with secrets redacted, even if it is invalid JSON. Preserve bytes that are not UTF-8.

    Each part between two quotation marks is redacted separately, because in invalid JSON it is unknown which
    of them start a string. Then the whole text is redacted, for keys such as `"password"`.
    """
    plain = _ESCAPE.sub(_unescaped, text.decode("utf-8", "surrogateescape"))
    *parts, last = _QUOTE.split(plain)
    return redact('"'.join(map(redact_for_display, [*parts, without_cut_login(last)])))


def _unescaped(escape: re.Match[str]) -> str:
    """Replace an escape by its character, except quotation marks and backslashes."""
    char = "/" if escape["slash"] else chr(int(escape["code"], 16)) if escape["code"] else '"'
    return escape[0] if char in '"\\' else char
