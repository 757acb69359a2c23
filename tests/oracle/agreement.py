"""Compare the results of strict parsing and the oracle for a document, and check for loss."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from typing import Any

from pydantic_core import from_json

from openlineage_facets import EventError, parse_event
from openlineage_facets.base.wire.json_schemas import accepts
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.event_validation import is_valid_event
from tests.oracle.expected_results import OracleResult, oracle_result, oracle_result_as
from tests.oracle.same_json import same_json
from tests.oracle.schemas import Definition


@dataclass(frozen=True)
class Disagreement:
    """A document with different results from the oracle and the models.

    Attributes:
        document: The document.
        oracle: The result of `jsonschema`.
        models: What the models do.
    """

    document: Any
    oracle: str
    models: str

    def __str__(self) -> str:
        text = json.dumps(self.document, ensure_ascii=True)
        return f"document: {text}\n  oracle: {self.oracle}\n  models: {self.models}"


def check_event(
    document: Any, spelled: Callable[[Any], Any] = json.dumps
) -> tuple[OracleResult, Disagreement | None]:
    """Validate a document as an event of any kind, both ways.

    Args:
        document: Any JSON value.
        spelled: What turns the document into what `parse_event` is given.
    """
    result = oracle_result(document)
    oracle = f"a valid {result.kind}" if result.valid else result.failed
    outcome, event = _read(parse_event, spelled(document))
    models = (
        _problem(outcome, event, document, result.valid)
        or _mistyped(event, result)
        or _wrongly_checked(is_valid_event, document, result.valid)
    )
    return result, Disagreement(document, oracle, models) if models else None


def check_class(definition: Definition, document: Any) -> tuple[bool, Disagreement | None]:
    """Validate a document against one definition and with the class of that name."""
    result = oracle_result_as(definition, document)
    oracle = f"a valid {definition.name}" if result.valid else result.failed
    cls = generated_class(definition)
    outcome, value = _read(cls.from_json, document)
    models = (
        _problem(outcome, value, document, result.valid)
        or _mistyped_facets(value, result)
        or _wrongly_checked(partial(accepts, cls), document, result.valid)
    )
    return result.valid, Disagreement(document, oracle, models) if models else None


@cache
def generated_class(definition: Definition) -> Any:
    """Return the class that was generated for a definition."""
    modules = {entry.schema_url.partition("#")[0]: entry.module for entry in FACETS}
    module = modules.get(definition.document, "open_lineage")
    return getattr(import_module(f"openlineage_facets.generated.{module}"), definition.name)


def _read(reader: Callable[[Any], Any], given: Any) -> tuple[str, Any]:
    """Return the outcome of parsing, and the parsed value."""
    try:
        return "", reader(given)
    except EventError as error:
        return _malformed(error) or f"EventError: {error}", None
    except Exception as error:  # whatever it is, it is no answer, and it is reported
        return f"raised {type(error).__name__}: {str(error)[:500]}", None


_NOT_ONE_LINE_EACH = "an error whose lines are not its findings"


def _malformed(error: EventError) -> str:
    if error.findings and len(str(error).splitlines()) == len(error.findings):
        return ""
    return f"{_NOT_ONE_LINE_EACH}: {error.findings!r}"


def _problem(outcome: str, value: Any, document: Any, valid: bool) -> str | None:
    """Return what is wrong with an answer, None where it is right."""
    if value is None:
        right = not valid and outcome.startswith("EventError: ")
        return None if right else outcome
    if not valid:
        return f"read it as {value!r}"[:500]
    return _loss(value, document)


def _wrongly_checked(check: Callable[[Any], bool], document: Any, valid: bool) -> str | None:
    """Return what is wrong with a check that creates no objects, None if it is right."""
    try:
        found = check(from_json(json.dumps(document)))
    except ValueError:
        found = False  # It is not JSON.
    return None if found == valid else f"checked it as {'valid' if found else 'invalid'}"


def _loss(value: Any, document: Any) -> str | None:
    """Return what reading lost or changed, None where it kept everything."""
    try:
        wire, plain = value.to_json(), value.to_dict()
        again = type(value).from_json(wire)
    except Exception as error:  # what was read must be writable and readable again, whatever it is
        return f"read it, but then raised {type(error).__name__}: {str(error)[:500]}"
    if not same_json(json.loads(wire), document):
        return f"wrote {wire!r}"
    if not same_json(plain, document):
        return f"gave {plain!r}"
    if again != value or again.to_json() != wire:
        return f"wrote {wire!r}, but read that as {again!r}"
    return None


def _mistyped(event: Any, result: OracleResult) -> str | None:
    """Return what class is not the one that the schemas name, None where all are."""
    if event is not None and type(event).__name__ != result.kind:
        return f"read it as a {type(event).__name__}"
    return _mistyped_facets(event, result)


def _mistyped_facets(value: Any, result: OracleResult) -> str | None:
    for path, definition in result.validated if value is not None else ():
        *steps, key = path
        facet = _at(value, steps)[key]
        if type(facet) is not generated_class(definition):
            return f"read {key} as {type(facet)}, not as {definition.url}"
    return None


_ATTRIBUTES = {"inputFacets": "input_facets", "outputFacets": "output_facets"}


def _at(value: Any, steps: list[str | int]) -> Any:
    for step in steps:
        value = value[step] if isinstance(step, int) else getattr(value, _ATTRIBUTES.get(step, step))
    return value
