"""Find every error of a schema file: check it again without what was wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .documents import Document
from .errors import SchemaError, steps_of
from .keywords import SINGLE_SCHEMAS
from .traversal import subschemas, with_subschemas_changed

MOST = 100
"""How many errors of one file are reported."""


def every_error(
    document: Document, check: Callable[[Document], object]
) -> tuple[list[SchemaError], Document | None]:
    """Return the errors that a check raises for a document, and the document without what is wrong in it.

    Args:
        document: The document.
        check: Raises a SchemaError for the first error that it finds. Errors of other files end the search.

    Returns:
        The errors, and the rest of the document, None if nothing can be left out.
    """
    found: list[SchemaError] = []
    while len(found) < MOST:
        try:
            check(document)
        except SchemaError as error:
            if error.path != str(document.path):
                break
            found.append(error)
            rest = without(document, error)
            if rest is None:
                break
            document = rest
        else:
            return found, document
    return found, None


def without(document: Document, error: SchemaError) -> Document | None:
    """Return a document without the keyword that an error is about, None if there is none.

    A schema without its type would have other errors, so it is replaced as a whole by one that allows every
    value.
    """
    schema, steps = document.schema, steps_of(error.pointer)
    keys = schema.get("properties")
    if len(steps) == 2 and steps[0] == "properties" and isinstance(keys, Mapping):
        rest: Any = {**schema, "properties": {key: keys[key] for key in keys if key != steps[1]}}
    else:
        rest = _without(schema, steps)
    return replace(document, schema=rest) if isinstance(rest, dict) and rest != schema else None


def _without(schema: Any, steps: list[str]) -> Any:
    if not steps or not isinstance(schema, Mapping):
        return True
    keyword = steps[0]
    if keyword not in schema:
        return schema
    inner = steps[1:] if keyword in SINGLE_SCHEMAS else steps[2:]
    place = tuple(steps[: len(steps) - len(inner)])
    if (inner or len(place) == 2) and place in dict(subschemas(schema)):
        return with_subschemas_changed(
            schema, lambda at, part: _without(part, inner) if at == place else part
        )
    if keyword == "type":
        return True
    return {name: value for name, value in schema.items() if name != keyword}
