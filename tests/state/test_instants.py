"""Instants are exact and have one text in UTC."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import Timestamp
from openlineage_facets.base.times.rfc3339 import parse_instant
from openlineage_facets.state.instants import instant_of, timestamp_of
from tests.cases import each
from tests.state import oracle

offsets = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
clocks = st.datetimes(timezones=offsets)
fractions = st.text("0123456789", max_size=30)


def text_of(clock: datetime, digits: str) -> str:
    whole = clock.replace(microsecond=0).isoformat()
    return f"{whole[:19]}.{digits}{whole[19:]}" if digits else whole


texts = st.builds(text_of, clocks, fractions)


@given(texts, texts)
def test_comparison_is_exact(one: str, other: str) -> None:
    exact = oracle.instant_of(one), oracle.instant_of(other)
    assert (instant_of(one) < instant_of(other)) is (exact[0] < exact[1])
    assert (instant_of(one) == instant_of(other)) is (exact[0] == exact[1])


@given(clocks, fractions, fractions)
def test_fraction_digits_compare_as_numbers(clock: datetime, some: str, more: str) -> None:
    one, other = text_of(clock, some), text_of(clock, more)
    assert (instant_of(one) < instant_of(other)) is (oracle.instant_of(one) < oracle.instant_of(other))


@given(texts)
def test_timestamp_round_trip(text: str) -> None:
    summary = timestamp_of(instant_of(text))
    assert oracle.instant_of(summary.text) == oracle.instant_of(text)
    assert timestamp_of(instant_of(summary)).text == summary.text


@given(clocks)
def test_datetime_and_text_have_equal_instants(clock: datetime) -> None:
    assert instant_of(clock) == instant_of(Timestamp(clock)) == instant_of(clock.isoformat())


@each(
    ("text", "summary"),
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
def test_timestamp_is_utc_if_possible(text: str, summary: str) -> None:
    assert timestamp_of(instant_of(text)).text == summary


PARTS = st.sampled_from(["00", "01", "12", "23", "24", "28", "29", "30", "31", "59", "60", "99"])


@given(
    st.builds(
        "{}-{}-{}T{}:{}:{}{}{}".format,
        st.sampled_from(["0000", "0001", "1970", "2024", "2026", "9999"]),
        *[PARTS] * 5,
        st.sampled_from(["", ".5", "."]),
        st.one_of(
            st.sampled_from(["Z", "z", "", "+0100"]),
            st.builds("{}{}:{}".format, st.sampled_from("+-"), PARTS, PARTS),
        ),
    )
)
def test_instants_and_timestamps_accept_the_same_texts(text: str) -> None:
    try:
        expected = Timestamp(text)
    except ValueError:
        assert parse_instant(text) is None
    else:
        assert parse_instant(text) == instant_of(expected)
