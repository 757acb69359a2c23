"""The catalogue of finding codes, with their explanations and examples, and the codes of the schemas."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from openlineage_facets.validation.backends.checks import BACKEND_CODES
from openlineage_facets.validation.rule import FindingCode
from openlineage_facets.validation.ruleset import BROKEN_RULE, installed_rules
from openlineage_facets.validation.schemas.schema_files import UNKNOWN_DEFINITION

if TYPE_CHECKING:
    from openlineage_facets.base.errors.findings import Finding


EXAMPLES = Path(__file__).parent / "examples"
"""Example events for each code: `CODE/bad/NAME.json` and `CODE/good/NAME.json`."""


@lru_cache(maxsize=1)
def catalogue() -> dict[str, FindingCode]:
    """Return every code of the schemas, of the built-in and installed rules, and of backends, sorted.

    Example:
        >>> catalogue()["OL301"].title
        'Duplicate tag'
    """
    rules = (rule.finding_code for rule in installed_rules())
    codes = [*SCHEMA_CODES, *rules, *BACKEND_CODES, UNKNOWN_DEFINITION, BROKEN_RULE]
    return {entry.code: entry for entry in sorted(codes, key=lambda it: it.code)}


def examples_of(code: str) -> dict[str, list[Path]]:
    """Return the example files of a code: "bad" ones with the finding, and their fixed "good" versions."""
    return {
        kind: sorted(path for path in (EXAMPLES / code / kind).glob("*") if path.is_file())
        for kind in ("bad", "good")
    }


def findings_of_example(code: str, event: str | bytes) -> list[Finding]:
    """Return the findings with this code of one of its example events."""
    from openlineage_facets.validation.event_validation import validate

    of_backends = any(entry.code == code for entry in BACKEND_CODES)
    findings = validate(event, backends="all" if of_backends else ())
    return [finding for finding in findings if finding.code == code]


_EVENT = "https://openlineage.io/docs/spec/object-model"
_FACETS = "https://openlineage.io/docs/spec/facets"
_CUSTOM = "https://openlineage.io/docs/spec/facets/custom-facets"
_JSON = "https://www.rfc-editor.org/rfc/rfc8259"
_TIME = "https://www.rfc-editor.org/rfc/rfc3339#section-5.6"
_UUID = "https://www.rfc-editor.org/rfc/rfc9562"
_URI = "https://www.rfc-editor.org/rfc/rfc3986"
_TYPES = "https://json-schema.org/draft/2020-12/json-schema-validation"


def _code(
    code: str, title: str, see: str, *paragraphs: str, severity: Literal["error", "warning"] = "error"
) -> FindingCode:
    return FindingCode(code, title, severity, "\n\n".join(paragraphs), see)


SCHEMA_CODES: tuple[FindingCode, ...] = (
    _code(
        "OL001",
        "Invalid JSON",
        _JSON,
        "The text is not valid JSON: it was truncated, or joined with other text. Newline-delimited JSON "
        "contains one event per line, in UTF-8 without a byte order mark.",
        "Four things that JSON allows are rejected as well, because many parsers do not accept them: more "
        "than 200 levels of objects and arrays, more than 1,000,000 values, numbers with more than 4300 "
        "digits, and lone surrogates (`\\ud800`), which UTF-8 cannot encode.",
    ),
    _code(
        "OL002",
        "Not an event",
        _EVENT,
        "A run event has `run` and `job`, a job event has `job`, and a dataset event has `dataset`. This "
        "document is none of them, or it has both a job and a dataset.",
    ),
    _code(
        "OL003",
        "Missing required field",
        _EVENT,
        "The schema requires the field. Every event has `eventTime`, `producer` and `schemaURL`, and every "
        "facet `_producer` and `_schemaURL`: they identify the code that created it and the version of the "
        "schema.",
        "A tombstone of a job or dataset facet (`_deleted: true`) requires only `_producer` and "
        "`_schemaURL`.",
    ),
    _code(
        "OL004",
        "Wrong JSON type",
        _TYPES + "#name-type",
        "The value has another JSON type than the schema requires. Values are never converted: a row count "
        'of `"10"` is a string, which some consumers accept and others reject.',
        "Omit an optional field that has no value; `null` is only valid where the schema allows it.",
    ),
    _code(
        "OL005",
        "Value not in enum",
        _TYPES + "#name-enum",
        "The schema lists the allowed values; they are case-sensitive. `eventType` is one of START, RUNNING, "
        "COMPLETE, ABORT, FAIL and OTHER.",
    ),
    _code(
        "OL006",
        "Unknown field in a closed object",
        _FACETS,
        "Most objects of the specification accept additional fields. This one does not "
        "(`additionalProperties: false`). Usually the field name is misspelled. Additional metadata "
        "belongs in a custom facet.",
    ),
    _code(
        "OL007",
        "Number out of range",
        _TYPES + "#name-validation-keywords-for-num",
        "The number is below the minimum or above the maximum of the schema, or not a multiple of the "
        "required step.",
    ),
    _code(
        "OL008",
        "Invalid length or pattern",
        _TYPES + "#name-validation-keywords-for-str",
        "A string or an array is too short or too long, or a string does not match the pattern of the "
        "schema. Schemas of custom facets can have such limits; the specification currently has none.",
    ),
    _code(
        "OL009",
        "Invalid combination of fields",
        _EVENT,
        "Some fields are only valid together, such as `namespace` and `name` of an entry in a lineage facet. "
        "Others exclude each other: a dataset event must not have `job` and `run`.",
    ),
    _code(
        "OL010",
        "Not exactly one alternative matches",
        "https://json-schema.org/draft/2020-12/json-schema-core#name-oneof",
        "The schema defines several alternatives for the value (`oneOf`), and exactly one of them must "
        "match. None matches, or several do, so that the value is ambiguous.",
    ),
    _code(
        "OL011",
        "Invalid date-time",
        _TIME,
        "A date-time consists of a date, `T`, the time of day with seconds, and a UTC offset (RFC 3339): "
        "`2026-11-21T08:30:00Z` or `2026-11-21T09:30:00.250+01:00`. Without the offset, events of different "
        "machines cannot be ordered.",
        "In Python, `datetime.now()` has no offset; use `datetime.now(timezone.utc)`.",
    ),
    _code(
        "OL012",
        "Invalid run id",
        _UUID,
        "A run id is a UUID of 8-4-4-4-12 hexadecimal digits, which makes it unique among all runs.",
        "Derive a UUID from another id, such as that of an Airflow task, with `uuid.uuid5(namespace, text)`: "
        "the same text always results in the same UUID. Keep the original id in a facet.",
    ),
    _code(
        "OL013",
        "Composed facet on the wrong entity or under the wrong key",
        _FACETS,
        "A standard facet belongs to one kind of entity and has one facet key. Composing checks both, "
        "because consumers would take the facet for a custom one and ignore it. When events are validated, "
        "OL106, OL107 and OL108 report the same problem as warnings.",
    ),
    _code(
        "OL014",
        "Unknown or duplicate field name",
        _FACETS,
        "Composing accepts each field once, by its Python name (`row_count`) or its wire name (`rowCount`). "
        "Other names are rejected, since a misspelled one would become a field that no consumer reads. Base "
        "facets such as `RunFacet` accept any name, because they represent custom facets.",
    ),
    _code(
        "OL015",
        "Value not representable in JSON",
        _JSON + "#section-6",
        "JSON has no NaN, no infinity, no sets and no bytes, and object keys are strings. Some writers "
        "emit `NaN` anyway, and many parsers reject the whole event because of it. Omit the field instead.",
    ),
    _code(
        "OL016",
        "Invalid URI",
        _URI,
        "The schema defines the value as a URI: it starts with a scheme and a colon, and contains no spaces "
        "or other characters that must be percent-encoded. This is a warning because JSON Schema validators "
        "do not check URIs by default and many producers emit invalid ones. Composing checks producers and "
        "schema URLs.",
        "Java's `java.net.URI` also rejects `file:` and `file://` without a path, and addresses in brackets "
        "that are not IPv6. Backends written in Java reject such an event, or fail when they return it. "
        "Percent-encode characters that a URI must not contain: `file:/data/my%20warehouse`.",
        severity="warning",
    ),
    _code(
        "OL017",
        "Field name looks misspelled",
        _CUSTOM,
        "The schema accepts unknown fields, so a misspelled optional field is not an error, but no consumer "
        "reads it. This name is similar to that of a field that is missing.",
        "Rename the field. If it is additional metadata, put it into a custom facet.",
        severity="warning",
    ),
    _code(
        "OL018",
        "Custom validation failed",
        _CUSTOM,
        "Custom facet classes can define pydantic validators. One of them rejected the value; the finding "
        "contains its message.",
    ),
)
"""The codes in order."""
