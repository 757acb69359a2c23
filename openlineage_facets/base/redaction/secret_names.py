"""Names of options, columns, variables and headers with secret values."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["STEM", "is_secret_in_query", "is_secret_name", "takes_rest_of_line"]

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_A-Za-z]+")
"""`fs.s3a.secretKey` -> fs, s, a, secret, Key."""

_ANYWHERE = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "secret",
    "credential",
    "contrasena",
    "contraseña",
)
"""Secret anywhere in a word: PGPASSWORD, sslpassword, clientsecret."""

_WORD = frozenset({"pass", "pwd", "pw", "token", "jwt", "sig", "sas", "bearer", "authorization", "cookie"})
"""Secret as a whole word: db_pass, session.token."""

_END = ("pass", "pwd", "token", "jwt")
"""Secret at the end of a word: dbpass, authtoken."""

_NO_PASSWORD = frozenset({"bypass", "compass", "encompass", "overpass", "surpass", "trespass", "underpass"})

_KEYS = (
    "access",
    "account",
    "api",
    "auth",
    "client",
    "database",
    "db",
    "encryption",
    "function",
    "host",
    "master",
    "priv",
    "private",
    "pvt",
    "secret",
    "service",
    "shared",
    "signing",
    "ssl",
    "storage",
    "subscription",
    "symmetric",
)
"""Prefixes of `key` that make it secret. Primary keys and partition keys are not secret."""

_ABOUT = frozenset(
    {
        "algorithm",
        "arn",
        "class",
        "column",
        "count",
        "enabled",
        "endpoint",
        "expiration",
        "expires",
        "expiry",
        "field",
        "file",
        "filename",
        "format",
        "index",
        "interval",
        "length",
        "limit",
        "location",
        "method",
        "name",
        "path",
        "policy",
        "provider",
        "providers",
        "required",
        "scope",
        "size",
        "timeout",
        "ttl",
        "type",
        "uri",
        "url",
    }
)
"""Last words of names that describe a secret but do not contain it: token_url, credentials.provider."""

_IN_QUERY = frozenset({"key", "code", "auth", "signature"})
"""Secret in URL queries only."""

STEM = re.compile(
    "[aA][uU][tT][hH]|[bB][eE][aA][rR][eE][rR]|[cC](?:[oO](?:[dD][eE]|[oO][kK][iI][eE]|[nN][tT][rR][aA][sS][eE])"
    "|[rR][eE][dD][eE][nN][tT][iI][aA][lL])|[jJ][wW][tT]|[kK][eE][yY]|[pP](?:[aA][sS][sS]|[wW])"
    "|[sS](?:[aA][sS]|[eE][cC][rR][eE][tT]|[iI][gG])|[tT][oO][kK][eE][nN]"
)
"""Matches a part of every secret name."""


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Return whether the value of the option `name` is a secret.

    Example:
        >>> [is_secret_name(name) for name in ("s3.secret.key", "OAuthPvtKey", "primary_key", "token_url")]
        [True, True, False, False]
    """
    words: list[str] = [word.lower() for word in _WORDS.findall(name)]
    if not words or words[-1] in _ABOUT:
        return False
    if name.isupper() or name.islower():
        words = [*words, *(word for word in re.split(r"[\W_]+", name.lower()) if word)]
    before = ""
    for word in words:
        if word in _WORD or (any(part in word for part in _ANYWHERE) and not word.startswith("secretar")):
            return True
        if word.endswith(_END) and word not in _NO_PASSWORD:
            return True
        if word == "key" and before.endswith(_KEYS):
            return True
        if word.endswith("key") and word[:-3].endswith(_KEYS):
            return True
        if word == "code" and before in ("auth", "authorization"):
            return True
        before = word
    return words[-1] == "signature"


def is_secret_in_query(name: str) -> bool:
    """Return whether a URL query parameter is a secret, such as `?key=` and `?code=`."""
    return name.lower() in _IN_QUERY


def takes_rest_of_line(name: str) -> bool:
    """Return whether `name` is a header with a secret value, such as `Authorization`."""
    return name.lower().endswith(("authorization", "cookie"))
