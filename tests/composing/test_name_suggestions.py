"""A misspelled name is distinguished from a different name."""

from __future__ import annotations

from openlineage_facets.base.errors.name_suggestions import did_you_mean, similar_name
from tests.cases import each

KNOWN = [
    "eventTime",
    "eventType",
    "run",
    "job",
    "inputs",
    "url",
    "name",
    "namespace",
    "rowCount",
    "_producer",
]


@each(
    ("name", "similar"),
    [
        ("eventtime", "eventTime"),
        ("event_time", "eventTime"),
        ("EVENT-TYPE", "eventType"),
        ("evetnTime", "eventTime"),
        ("eventTme", "eventTime"),
        ("input", "inputs"),
        ("nmae", "name"),
        ("anme", "name"),
        ("namspace", "namespace"),
        ("nmespcae", "namespace"),
        ("row_count", "rowCount"),
        ("producer", "_producer"),
        ("runs", "run"),
        ("URL", "url"),
    ],
)
def test_misspelled_name_has_a_similar_name(name: str, similar: str):
    assert similar_name(name, KNOWN) == similar


@each(
    "name",
    ["", "ru", "fun", "uri", "bytes", "acme_name", "time", "nominalTime", "count", "rowNumber", "nameSuffix"],
)
def test_different_name_has_no_similar_name(name: str):
    assert similar_name(name, KNOWN) is None


def test_known_name_is_not_similar_to_itself():
    assert similar_name("inputs", ["inputs"]) is None


def test_most_similar_name_wins():
    assert similar_name("eventTimes", ["eventTypes", "eventTime"]) == "eventTime"


def test_the_end_of_a_name_decides_between_equally_similar_ones():
    assert similar_name("eventTipe", ["eventTime", "eventType"]) == "eventType"


def test_hint_names_the_similar_field():
    assert did_you_mean("event_tipe", ["event_time", "event_type", "run"]) == "did you mean 'event_type'?"


def test_hint_completes_a_name():
    known = ["nominal_end_time", "nominal_start_time"]
    assert did_you_mean("nominal_start", known) == "did you mean 'nominal_start_time'?"


def test_hint_names_the_only_field():
    assert did_you_mean("amount", ["usd"]) == "did you mean 'usd'?"


def test_hint_lists_all_fields_if_none_is_similar():
    assert did_you_mean("amount", ["name", "job"]) == "it has job, name"
