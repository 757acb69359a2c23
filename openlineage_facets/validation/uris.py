"""What a URI is, by RFC 3986."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["is_uri"]

_CHAR = r"[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2}"
_URI = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*:"
    rf"(?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{{2}})*@)?(?:\[[0-9A-Fa-fvV:.]+\](?=[:/?#]|$))?)?"
    rf"(?:{_CHAR})*(?:\?(?:{_CHAR}|\?)*)?(?:#(?:{_CHAR}|\?)*)?"
)


@lru_cache(maxsize=1_024)  # Producers and schema URLs recur from facet to facet and from event to event.
def is_uri(text: str) -> bool:
    """Tell whether `text` is a URI: a scheme, a colon, and nothing that had to be escaped.

    Example:
        >>> is_uri("https://example.com/etl/v7"), is_uri("file"), is_uri("s3://lake/raw orders")
        (True, False, False)
    """
    return _URI.fullmatch(text) is not None
