"""Redact secrets in keys. Ordinary keys do not load what recognises secrets."""

from __future__ import annotations

from openlineage_facets.base.redaction.redacted_text import ORDINARY


def redact_key(key: str) -> str:
    """Return a key for display, with every secret in it replaced by `***`.

    Example:
        >>> redact_key("fs.s3a.secret.key=xyzzy"), redact_key("rowCount")
        ('fs.s3a.secret.key=***', 'rowCount')
    """
    if ORDINARY.fullmatch(key):
        return key
    from openlineage_facets.base.redaction.redact import redact_repeated  # Ordinary keys need none.

    return redact_repeated(key)
