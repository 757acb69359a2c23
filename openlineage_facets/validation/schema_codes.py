"""The codes of what the schemas forbid, of what composing refuses, and of a few slips beside them."""

from __future__ import annotations

from typing import Literal

from openlineage_facets.validation.code import Code

__all__ = ["SCHEMA_CODES"]

_EVENT = "https://openlineage.io/docs/spec/object-model"
_RUN = "https://openlineage.io/docs/spec/object-model#run"
_FACETS = "https://openlineage.io/docs/spec/facets"
_CUSTOM = "https://openlineage.io/docs/spec/facets/custom-facets"
_JSON = "https://www.rfc-editor.org/rfc/rfc8259"
_TIME = "https://www.rfc-editor.org/rfc/rfc3339#section-5.6"
_UUID = "https://www.rfc-editor.org/rfc/rfc9562"
_URI = "https://www.rfc-editor.org/rfc/rfc3986"
_TYPES = "https://json-schema.org/draft/2020-12/json-schema-validation"


def _code(
    code: str, title: str, see: str, *paragraphs: str, severity: Literal["error", "warning"] = "error"
) -> Code:
    return Code(code, title, severity, "\n\n".join(paragraphs), see)


SCHEMA_CODES: tuple[Code, ...] = (
    _code(
        "OL001",
        "The text is no JSON",
        _JSON,
        "Nothing can be read from the text: it was cut, joined with another, or is no JSON at all. "
        "Newline-delimited JSON is one event a line, and UTF-8 without a byte order mark.",
        "Three things that JSON allows are refused, too, since many readers can't take them: more than "
        "200 levels of objects and arrays, numbers of more than 4300 digits, and halves of surrogate "
        "pairs (`\\ud800` alone), which UTF-8 has no form for.",
    ),
    _code(
        "OL002",
        "The document is no event",
        _EVENT,
        "An event is a JSON object about a run and its job (`run`, `job`), about a job alone (`job`), "
        "or about a dataset alone (`dataset`). This document is none of the three, or two of them in "
        "one, so no reader can tell what it says.",
    ),
    _code(
        "OL003",
        "A required field is missing",
        _EVENT,
        "The schema requires the field, and readers count on it. Every event has `eventTime`, "
        "`producer` and `schemaURL`, and every facet `_producer` and `_schemaURL`: they tell who said "
        "so, and by which version of the specification.",
        "A deleted facet of a job or dataset (`_deleted: true`) needs these two alone.",
    ),
    _code(
        "OL004",
        "A value is of another JSON type",
        _TYPES + "#name-type",
        "A number in quotes is text, null is no object, and a single value is no list. Nothing is "
        'converted: `"10"` is not a row count, since one reader would take it for 10 and the next '
        "refuse the event. An optional field without a value is left out; it is not null.",
    ),
    _code(
        "OL005",
        "A value is none of those allowed",
        _TYPES + "#name-enum",
        "The schema lists the values that the field may have, letter by letter. `eventType` is one of "
        "START, RUNNING, COMPLETE, ABORT, FAIL and OTHER, in capitals; a field such as `type` tells "
        "which kind of object it stands in.",
    ),
    _code(
        "OL006",
        "A field that may not stand here",
        _FACETS,
        "Most objects of the specification may have fields of your own beside those it knows. A few "
        "may not, and this is one: it is closed (`additionalProperties: false`). Most often the name "
        "is misspelt. What you need beyond the schema belongs into a custom facet.",
    ),
    _code(
        "OL007",
        "A number is out of bounds",
        _TYPES + "#name-validation-keywords-for-num",
        "The schema says how small or how large the number may be, and this one is beyond.",
    ),
    _code(
        "OL008",
        "A text or a list is too short, too long or of another form",
        _TYPES + "#name-validation-keywords-for-str",
        "The schema says how long the text or the list may be, or by which pattern the text is formed. "
        "No schema of the specification does so at present; the schema of a custom facet may.",
    ),
    _code(
        "OL009",
        "Fields that must, or must not, stand together",
        _EVENT,
        "Some fields make sense only together, such as `namespace` and `name` of an entry in a lineage "
        "facet, and some only apart: an event about a dataset must not have a `job` and a `run`.",
    ),
    _code(
        "OL010",
        "Not exactly one of several forms",
        "https://json-schema.org/draft/2020-12/json-schema-core#name-oneof",
        "The schema offers several forms for the value (`oneOf`), of which exactly one must fit. Here "
        "none fits, or more than one does, so that readers could take it for different things.",
    ),
    _code(
        "OL011",
        "A time that is no RFC 3339 date-time",
        _TIME,
        "A time is a date, `T`, the time of the day with seconds, and an offset: "
        "`2026-11-21T08:30:00Z` or `2026-11-21T09:30:00.250+01:00`. Without the offset it names no "
        "moment, and the order of events depends on where the reader sits.",
        "Python's `datetime.now()` has no offset, `datetime.now(timezone.utc)` has one.",
    ),
    _code(
        "OL012",
        "A run id that is no UUID",
        _UUID,
        "Run ids are UUIDs in their usual form of 8-4-4-4-12 hexadecimal digits, so that no two runs "
        "share one. An id of your own, such as that of an Airflow task, becomes one by "
        "`uuid.uuid5(namespace, text)`: the same text gives the same UUID each time. Keep the text "
        "itself in a facet.",
    ),
    _code(
        "OL013",
        "A facet composed for another place",
        _FACETS,
        "A facet belongs to one kind of entity and stands under one key. Composing asserts both at "
        "once, because on the wire nobody would notice: there, the facet is a custom one that happens "
        "to have this key. Of events that were read, OL106, OL107 and OL108 say the same as warnings.",
    ),
    _code(
        "OL014",
        "A name that the class does not have, or one given twice",
        _FACETS,
        "Composing takes each field once, by its Python name (`row_count`) or its wire name "
        "(`rowCount`), and no other names: a misspelt one would become an unknown field that nobody "
        "reads. Base facets, such as `RunFacet`, take any name, for they carry custom facets.",
    ),
    _code(
        "OL015",
        "A value that JSON has no form for",
        _JSON + "#section-6",
        "JSON knows no NaN and no infinity, no sets and no bytes, and keys that are text alone. Some "
        "writers put `NaN` into the text all the same, which most readers refuse as a whole; leave the "
        "field out instead.",
    ),
    _code(
        "OL016",
        "A URI that is none",
        _URI,
        "The schema calls the value a URI: it begins with a scheme and a colon and holds no spaces or "
        "other characters that had to be escaped. Readers may follow it, such as the `producer` to the "
        "code that made an event. No schema validator checks this by default, and producers in the "
        "field get it wrong, so it is a warning; composing asserts it of producers and schema URLs.",
        severity="warning",
    ),
    _code(
        "OL017",
        "A field that looks misspelt",
        _CUSTOM,
        "The schema allows fields that it does not know, so a slip in the name of an optional field "
        "makes no error: the field is just not there for any reader. This one is nearly the name of a "
        "field that is absent. If it is a field of your own, it is better kept in a custom facet.",
        severity="warning",
    ),
    _code(
        "OL018",
        "A check of the facet's own class failed",
        _CUSTOM,
        "A facet class of your own may check more than types, by pydantic's validators. One of these "
        "refused the value; the finding repeats what it said.",
    ),
)
"""One entry for each code, in order."""
