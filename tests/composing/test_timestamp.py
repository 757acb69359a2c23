"""A timestamp is an aware datetime in Python, and its exact text in the wire format."""

from __future__ import annotations

import copy
import json
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from openlineage_facets import Timestamp
from openlineage_facets.facets import NominalTimeRunFacet
from tests.cases import each

TEXT = "2026-03-29T01:00:00.123456789+01:00"
MOMENT = datetime(2026, 3, 29, 1, 0, 0, 123456, tzinfo=timezone(timedelta(hours=1)))


@st.composite
def rfc3339(draw: st.DrawFn) -> str:
    """Spell a moment in any way RFC 3339 allows: T or t, Z or z, any fraction, any offset."""
    moment = draw(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 30)))
    separator = draw(st.sampled_from("Tt"))
    digits = draw(st.text("0123456789", max_size=20))
    sign, hours, minutes = draw(st.sampled_from("+-")), draw(st.integers(0, 23)), draw(st.integers(0, 59))
    offset = draw(st.sampled_from(["Z", "z", f"{sign}{hours:02}:{minutes:02}"]))
    seconds = moment.replace(microsecond=0).isoformat().replace("T", separator)
    return f"{seconds}{'.' if digits else ''}{digits}{offset}"


def standard(text: str) -> datetime:
    """Read the text with the standard library, cut to the six digits it knows."""
    clock, dot, rest = text.upper().partition(".")
    digits = rest.rstrip("Z") if rest.endswith("Z") else rest[: max(rest.rfind("+"), rest.rfind("-"))]
    offset = rest[len(digits) :] if dot else ""
    return datetime.fromisoformat(
        f"{clock}{dot}{digits[:6].ljust(6, '0') if dot else ''}{offset}".replace("Z", "+00:00")
    )


@given(rfc3339())
@example("2026-11-21T08:30:00Z")
@example("2026-11-21T08:30:00-00:00")
@example("0001-01-01T00:00:00+23:59")
@example("9999-12-31T23:59:59.999999999-23:59")
def test_text_is_kept_and_parsed(text: str) -> None:
    moment = Timestamp(text)
    assert moment.text == str(moment) == text
    assert moment.isoformat() == standard(text).isoformat()
    assert moment == standard(text)
    assert moment.utcoffset() == standard(text).utcoffset()
    assert json.loads(NominalTimeRunFacet(nominal_start_time=text).to_json())["nominalStartTime"] == text


@given(
    st.datetimes(
        min_value=datetime(2, 1, 1),
        max_value=datetime(9998, 12, 30),
        timezones=st.timezones() | st.just(timezone.utc),
    )
)
def test_an_aware_datetime_becomes_text_that_reads_back_as_the_same_moment(moment: datetime) -> None:
    stamp = Timestamp(moment)
    assert stamp == moment.astimezone(timezone.utc)
    assert Timestamp(stamp.text) == stamp


NO_DATE_TIME = [
    "",
    "2026-11-21",
    "2026-11-21T08:30:00",
    "2026-11-21 08:30:00Z",
    "2026-11-21T08:30Z",
    "2026-11-21T08:30:00+0100",
    "2026-11-21T08:30:00+01",
    "2026-11-21T08:30:00+24:00",
    "2026-11-21T08:30:00+01:60",
    "2026-11-21T08:30:00.Z",
    "2026-11-21T08:30:00,5Z",
    "2026-11-21T24:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "12026-01-01T00:00:00Z",
    " 2026-11-21T08:30:00Z",
    "2026-11-21T08:30:00Z\n",
    "２０２６-11-21T08:30:00Z",
    "20261121T083000Z",
]


@each("text", NO_DATE_TIME, ids=repr)
def test_text_that_is_not_a_date_time_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Timestamp(text)


@each(
    "moment",
    [datetime(2026, 11, 21), datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5, seconds=3)))],
    ids=["naive", "not representable in RFC 3339"],
)
def test_a_datetime_that_has_no_text_is_rejected(moment: datetime) -> None:
    with pytest.raises(ValueError, match="offset|years 1 to 9999"):
        Timestamp(moment)


def test_an_offset_with_seconds_is_written_in_utc() -> None:
    moment = datetime(1800, 1, 1, tzinfo=ZoneInfo("Europe/Berlin"))
    assert Timestamp(moment).text == "1799-12-31T23:06:32Z"
    assert Timestamp(datetime(2026, 11, 21, tzinfo=timezone.utc)).text == "2026-11-21T00:00:00Z"


def test_it_is_a_datetime_with_the_parts_it_was_written_with() -> None:
    stamp = Timestamp(TEXT)
    assert isinstance(stamp, datetime)
    assert Timestamp(stamp) is copy.copy(stamp) is stamp
    assert (stamp.year, stamp.hour, stamp.microsecond) == (2026, 1, 123456)
    assert (stamp.utcoffset(), stamp.date()) == (timedelta(hours=1), date(2026, 3, 29))
    assert stamp.timestamp() == MOMENT.timestamp()
    assert stamp.isoformat() == MOMENT.isoformat()
    assert stamp.strftime("%d.%m.%Y %H:%M %z") == f"{stamp:%d.%m.%Y %H:%M %z}" == "29.03.2026 01:00 +0100"


def test_it_compares_and_hashes_like_the_datetime_it_equals() -> None:
    stamp = Timestamp(TEXT)
    later = MOMENT + timedelta(microseconds=1)
    assert stamp == MOMENT == stamp == Timestamp(TEXT.replace("123456789", "123456"))
    assert hash(stamp) == hash(MOMENT) == hash(MOMENT.astimezone(timezone.utc))
    assert stamp < later
    assert later > stamp
    assert sorted([later, stamp]) == [stamp, later]
    assert stamp != TEXT
    with pytest.raises(TypeError):
        stamp < datetime(2026, 1, 1)  # noqa: B015


def test_arithmetic_gives_plain_datetimes() -> None:
    stamp = Timestamp(TEXT)
    hour = timedelta(hours=1)
    results = {
        "+": (stamp + hour, MOMENT + hour),
        "reflected +": (hour + stamp, MOMENT + hour),
        "-": (stamp - hour, MOMENT - hour),
        "replace": (stamp.replace(year=2020), MOMENT.replace(year=2020)),
        "replace tzinfo": (stamp.replace(tzinfo=None), MOMENT.replace(tzinfo=None)),
        "replace fold": (stamp.replace(fold=1), MOMENT.replace(fold=1)),
        "astimezone": (stamp.astimezone(timezone.utc), MOMENT.astimezone(timezone.utc)),
        "local": (stamp.astimezone(), MOMENT.astimezone()),
    }
    for name, (found, expected) in results.items():
        assert repr(found) == repr(expected), name
    assert stamp - MOMENT == timedelta(0)
    assert MOMENT - stamp == timedelta(0)


def test_the_class_methods_of_datetime_give_plain_datetimes() -> None:
    made = [
        Timestamp.now(timezone.utc),
        Timestamp.fromisoformat("2026-11-21T00:00:00+00:00"),
        Timestamp.fromtimestamp(0, timezone.utc),
        Timestamp.strptime("2026", "%Y"),
        Timestamp.combine(date(2026, 1, 1), MOMENT.timetz()),
    ]
    assert {type(one) for one in made} == {datetime}
