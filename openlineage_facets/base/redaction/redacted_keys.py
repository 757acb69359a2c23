"""Redact secrets in keys. Ordinary keys load no other module of redaction."""

from __future__ import annotations

import re

_ORDINARY = re.compile(r"\w{0,14}|\d+")
"""Words shorter than the shortest token, `AVNS_` and ten letters, and indexes."""


def redact_key(key: str) -> str:
    """Return a key for display, with every secret in it replaced by `***`.

    Example:
        >>> redact_key("fs.s3a.secret.key=xyzzy"), redact_key("rowCount")
        ('fs.s3a.secret.key=***', 'rowCount')
    """
    if _ORDINARY.fullmatch(key):
        return key
    from openlineage_facets.base.redaction.redact import redact_repeated  # Ordinary keys need none.

    return redact_repeated(key)
