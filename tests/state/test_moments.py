"""Moments are exact: all digits and the offset count, and one instant has one spelling."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import Timestamp
from openlineage_facets.state.moments import moment_of, timestamp_of
from tests.state import oracle

offsets = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
clocks = st.datetimes(timezones=offsets)
fractions = st.text("0123456789", max_size=30)


def text_of(clock: datetime, digits: str) -> str:
    whole = clock.replace(microsecond=0).isoformat()
    return f"{whole[:19]}.{digits}{whole[19:]}" if digits else whole


texts = st.builds(text_of, clocks, fractions)


@given(texts, texts)
def test_moments_compare_as_the_instants_they_are(one: str, other: str) -> None:
    exact = oracle.moment_of(one), oracle.moment_of(other)
    assert (moment_of(one) < moment_of(other)) is (exact[0] < exact[1])
    assert (moment_of(one) == moment_of(other)) is (exact[0] == exact[1])


@given(clocks, fractions, fractions)
def test_digits_compare_as_fractions(clock: datetime, some: str, more: str) -> None:
    one, other = text_of(clock, some), text_of(clock, more)
    assert (moment_of(one) < moment_of(other)) is (oracle.moment_of(one) < oracle.moment_of(other))


@given(texts)
def test_a_moment_is_told_exactly_and_in_one_spelling(text: str) -> None:
    told = timestamp_of(moment_of(text))
    assert oracle.moment_of(told.text) == oracle.moment_of(text)
    assert timestamp_of(moment_of(told)).text == told.text


@given(clocks)
def test_a_datetime_is_the_moment_it_names(clock: datetime) -> None:
    assert moment_of(clock) == moment_of(Timestamp(clock)) == moment_of(clock.isoformat())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2026-01-01T01:00:00.120+01:00", "2026-01-01T00:00:00.12Z"),
        ("2026-01-01t00:00:00.000z", "2026-01-01T00:00:00Z"),
        ("1969-12-31T23:59:59.5-00:00", "1969-12-31T23:59:59.5Z"),
        ("0001-01-01T00:00:00+01:00", "0001-01-01T22:59:00+23:59"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("0001-01-01T00:00:59+00:01", "0001-01-01T23:58:59+23:59"),
        ("9999-12-31T23:59:59.9Z", "9999-12-31T23:59:59.9Z"),
        ("9999-12-31T23:59:00-00:01", "9999-12-31T00:01:00-23:59"),
        ("9999-12-31T23:59:59.9-01:00", "9999-12-31T01:00:59.9-23:59"),
    ],
)
def test_the_spelling_is_utc_wherever_utc_can_spell_it(text: str, told: str) -> None:
    assert timestamp_of(moment_of(text)).text == told
