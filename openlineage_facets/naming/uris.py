"""Check and escape URIs so that RFC 3986 parsers and the stricter `java.net.URI` accept them."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from urllib.parse import quote

# Only single characters are repeated: `re` takes a hundred bytes of memory for each repetition of a group.
_CHAR = r"A-Za-z0-9._~!$&'()*+,;=:@/%-"
_URI = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*:(?!#|//\Z|\Z)"  # Java rejects "file:" and "file://", RFC 3986 does not.
    r"(?://(?:[A-Za-z0-9._~!$&'()*+,;=:%-]*@)?"
    r"(?:\[([0-9A-Fa-f:.]+)\](?=:[0-9]{0,9}(?:[/?#]|\Z)|[/?#]|\Z))?)?"
    rf"[{_CHAR}]*(?:\?[?{_CHAR}]*)?(?:#[?{_CHAR}]*)?"
)
_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)?(//[^/?#]*)?([^#]*)(?:#(.*))?", re.DOTALL)
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SAFE = "!$%&'()*+,/:;=?@~"


_LONGEST_CACHED = 2_000
"""Characters of the longest text that is cached."""


def is_uri(text: str) -> bool:
    """Return whether `text` is an absolute URI that RFC 3986 parsers and `java.net.URI` accept.

    Example:
        >>> is_uri("https://example.com/v7/etl"), is_uri("file"), is_uri("s3://lake/raw orders")
        (True, False, False)
    """
    return _is_short_uri(text) if len(text) <= _LONGEST_CACHED else _is_uri(text)


def _is_uri(text: str) -> bool:
    match = _URI.fullmatch(text)
    if match is None or _LONE_PERCENT.search(text) is not None:
        return False
    if match[1] is None:
        return True
    try:
        ipaddress.IPv6Address(match[1])
    except ValueError:
        return False
    return True


_is_short_uri = lru_cache(maxsize=1_024)(_is_uri)
"""Producers and schema URLs are repeated in many facets and events."""


def escaped(text: str) -> str:
    """Percent-encode the characters that are not allowed in a URI. Encoded characters stay unchanged.

    Example:
        >>> escaped("derby:/data/my shop/db"), escaped("s3://lake/a%20b/100%")
        ('derby:/data/my%20shop/db', 's3://lake/a%20b/100%25')
    """
    if is_uri(text):
        return text
    parts = _PARTS.fullmatch(text)
    assert parts is not None  # It matches any text.
    scheme, authority, path, fragment = parts.groups()
    whole = (scheme or "") + _encoded(authority or "", _SAFE + "[]") + _encoded(path, _SAFE)
    return whole if fragment is None else f"{whole}#{_encoded(fragment, _SAFE)}"


def as_uri(text: str) -> str | None:
    """Return `text` escaped as a URI; None if it still is not an absolute URI.

    Example:
        >>> as_uri("file:/data/my warehouse"), as_uri("warehouse")
        ('file:/data/my%20warehouse', None)
    """
    uri = escaped(text)
    return uri if is_uri(uri) else None


def _encoded(text: str, safe: str) -> str:
    return quote(_LONE_PERCENT.sub("%25", text), safe=safe, errors="replace")
