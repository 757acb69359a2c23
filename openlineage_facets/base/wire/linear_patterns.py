"""Regular expressions in linear time, with the engine and dialect of the generated classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from pydantic_core import SchemaError, SchemaValidator, core_schema


class UnsupportedPattern(ValueError):
    """A regular expression that the engine does not support, such as look-around."""


@lru_cache(maxsize=4096)
def matcher_of(pattern: str) -> Callable[[str], bool]:
    """Return a function that returns whether a regular expression matches anywhere in a text.

    Args:
        pattern: The regular expression, not anchored.

    Raises:
        UnsupportedPattern: The engine does not support it.

    Example:
        >>> matcher_of("^(a+)+$")("a" * 100_000 + "b")
        False
    """
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern)).isinstance_python
    except SchemaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = next((line for line in lines if line.startswith("error:")), lines[-1])
        raise UnsupportedPattern(reason.removeprefix("error:").strip()) from None
