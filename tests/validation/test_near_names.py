"""A misspelt name is told from another name."""

from __future__ import annotations

import pytest

from openlineage_facets.validation.near_names import similar_name

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


@pytest.mark.parametrize(
    ("name", "similar"),
    [
        ("eventtime", "eventTime"),
        ("event_time", "eventTime"),
        ("EVENT-TYPE", "eventType"),
        ("evetnTime", "eventTime"),
        ("eventTme", "eventTime"),
        ("input", "inputs"),
        ("nmae", "name"),
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


@pytest.mark.parametrize(
    "name",
    ["", "ru", "fun", "uri", "bytes", "acme_name", "time", "nominalTime", "count", "rowNumber", "nameSuffix"],
)
def test_different_name_has_no_similar_name(name: str):
    assert similar_name(name, KNOWN) is None


def test_known_name_is_not_similar_to_itself():
    assert similar_name("inputs", ["inputs"]) is None


def test_most_similar_name_wins():
    assert similar_name("eventTimes", ["eventTypes", "eventTime"]) == "eventTime"
