"""The producer URI of composed events and facets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from openlineage_facets.version import __version__

DEFAULT_PRODUCER = (
    f"https://github.com/openlineage-facets/openlineage-facets/tree/v{__version__}/openlineage_facets"
)
"""This package at this version.

DataHub derives the name of the orchestrator from the last segment of the path. It must exist, and be the same
in all versions.
"""

PRODUCER_VARIABLE = "OPENLINEAGE_PRODUCER"
"""The environment variable with the default producer."""

_context: ContextVar[str] = ContextVar("openlineage_producer")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[^\s<>\"\\^`{|}]+")
"""A URI with a scheme of two or more letters; a single letter is a Windows drive."""


def is_absolute_uri(value: object) -> bool:
    """Return whether `value` is a string with an absolute URI."""
    return isinstance(value, str) and _is_absolute(value)


@lru_cache(maxsize=256)  # A job uses few producers and schema URLs.
def _is_absolute(text: str) -> bool:
    return _ABSOLUTE.fullmatch(text) is not None


@contextmanager
def producer(uri: str) -> Iterator[str]:
    """Set the producer of everything composed inside the `with` block.

    It applies only to the current thread or task, so jobs that share a Spark driver do not overwrite
    each other's producer.

    Args:
        uri: An absolute URI that identifies the code that emits the events, with its version.

    Raises:
        ValueError: `uri` is not absolute.

    Example:
        >>> with producer("https://example.com/v7/etl"):
        ...     current_producer()
        'https://example.com/v7/etl'
    """
    if not is_absolute_uri(uri):
        raise ValueError(
            f"producer: expected an absolute URI such as https://example.com/v7/etl, found {uri!r}"
        )
    token = _context.set(uri)
    try:
        yield uri
    finally:
        _context.reset(token)


def current_producer() -> str:
    """Return the current producer: of `producer(...)`, the environment variable, or this package."""
    return _context.get(None) or os.environ.get(PRODUCER_VARIABLE) or DEFAULT_PRODUCER
