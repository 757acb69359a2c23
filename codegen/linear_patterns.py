"""Regular expressions that pydantic's engine, which takes linear time, supports."""

from __future__ import annotations

from pydantic_core import SchemaError as InvalidPattern
from pydantic_core import SchemaValidator, core_schema


def pattern_problem(pattern: str) -> str | None:
    """Return why a regular expression is not supported, None if it is."""
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern))
    except InvalidPattern as error:
        return str(error).strip().splitlines()[-1].removeprefix("error: ")
    return None
