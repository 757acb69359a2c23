"""Redact secrets with a known format: provider tokens, JSON Web Tokens, private keys, HTTP credentials."""

from __future__ import annotations

import re
from base64 import b64decode

from openlineage_facets.base.redaction.redacted_text import MARK
from openlineage_facets.base.redaction.secret_table import TOKENS

__all__ = ["redact_tokens"]


def redact_tokens(text: str) -> str:
    """Redact private keys, provider tokens and HTTP credentials."""
    for part, form in TOKENS:
        if part in text:
            text = form.sub(_redacted, text)
    return text


def _redacted(found: re.Match[str]) -> str:
    """Keep the first group. Of base64, only `user:password` is a secret, but not "basic authentication"."""
    groups = found.groupdict()
    if "login" in groups and not _is_login(groups["login"]):
        return found[0]
    return f"{found[1]}{MARK}" if found.re.groups else MARK


def _is_login(encoded: str) -> bool:
    try:
        return b":" in b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except ValueError:
        return False
