"""The datasets that a job uses, as JSON text."""

from __future__ import annotations

import json
from collections.abc import Mapping

from openlineage_facets.spark.archives.records.moments import instant_at, moment_of
from openlineage_facets.state.instants import Span
from openlineage_facets.state.records import Use

_encode = json.JSONEncoder(separators=(",", ":")).encode


def uses_to_json(uses: Mapping[Use, Span]) -> str:
    """Return the uses as JSON. Equal uses return equal texts."""
    return _encode([[*use, *(moment_of(*instant) for instant in span)] for use, span in sorted(uses.items())])


def uses_from_json(text: str) -> dict[Use, Span]:
    """Return the uses written by `uses_to_json`."""
    return {tuple(use): (instant_at(first), instant_at(last)) for *use, first, last in json.loads(text)}
