"""Users and passwords in texts, blotted out of all that is told of them."""

from __future__ import annotations

import re

__all__ = ["LOOKED_AT", "names_password", "without_secrets"]

LOOKED_AT = 2000
"""Characters of a text that are looked at where its first few are told: no secret is longer."""

_PASSWORD = re.compile(
    r"((?:(?:password|passwd|passphrase|passcode|pwd|secret|token|credential|signature"
    r"|(?:api|account|access|private)[ _-]?key)\w{0,40}|(?<![a-z])(?:pass|pw|sig))\s*=\s*)"
    r"(?!\*\*\*)(?:\{[^}]*\}|[^&;]+)",
    re.IGNORECASE,
)
"""An option of a connection that is secret, wherever it stands: `?password=`, `;pwd=`, `&sig=`."""

_USER = re.compile(
    r"((?<![a-z])(?:user(?:[ _]?(?:name|id))?|uid|login)\s*=\s*)(?!\*\*\*)[^&;]+", re.IGNORECASE
)

_ORACLE = re.compile(r"(jdbc:oracle:\w+:)[^@/\s]{0,200}/\S{0,200}(?=@)", re.IGNORECASE)
"""`jdbc:oracle:thin:scott/tiger@db:1521:orders`, which has its user and password in no authority."""


def without_secrets(text: str) -> str:
    """Return `text` with all that may be a user and a password blotted out, so that it can be told.

    A password may hold any character, so all from a scheme to the last at sign is taken for one.

    Example:
        >>> without_secrets("postgres://ana:xyzzy@db:5432"), without_secrets("jdbc:db2://db/shop?user=a&pwd=b")
        ('postgres://***@db:5432', 'jdbc:db2://db/shop?user=***&pwd=***')
    """
    if "@" in text:
        before, mark, rest = text.partition("://")
        user, _, place = rest.rpartition("@")
        text = f"{before}{mark}***@{place}" if ":" in user else text
        text = _ORACLE.sub(r"\1***", text)
    if "=" in text and _PASSWORD.search(text):
        text = _USER.sub(r"\1***", _PASSWORD.sub(r"\1***", text))
    return text


def names_password(text: str) -> bool:
    """Tell whether `text` gives a password in words of its own, as an option or as Oracle has it."""
    return _PASSWORD.search(text) is not None or _ORACLE.search(text) is not None
