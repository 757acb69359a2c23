"""A misspelt name is told from another name."""

from __future__ import annotations

import pytest

from openlineage_facets.validation.near_names import near_name

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
    ("name", "meant"),
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
def test_a_slip_is_near_the_name_that_was_meant(name: str, meant: str):
    assert near_name(name, KNOWN) == meant


@pytest.mark.parametrize(
    "name",
    ["", "ru", "fun", "uri", "bytes", "acme_name", "time", "nominalTime", "count", "rowNumber", "nameSuffix"],
)
def test_another_name_is_near_none(name: str):
    assert near_name(name, KNOWN) is None


def test_a_known_name_is_no_slip_for_itself():
    assert near_name("inputs", ["inputs"]) is None


def test_of_two_the_nearer_is_meant():
    assert near_name("eventTimes", ["eventTypes", "eventTime"]) == "eventTime"
