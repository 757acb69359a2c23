"""A datetime in a custom facet needs an offset when composed; parsing accepts what the class declares."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from typing import Annotated, Any

import pytest
from pydantic import AwareDatetime, Field, NaiveDatetime, PastDatetime

from openlineage_facets import EventError, Timestamp
from openlineage_facets.facets import RunFacet
from tests.cases import each

NAIVE = datetime(2026, 11, 21, 8, 30)
AWARE = NAIVE.replace(tzinfo=timezone(timedelta(hours=1)))


class Moment(datetime):
    pass


class TimesRunFacet(RunFacet):
    __facet_key__ = "acme_times"

    when: datetime | None = None
    alias: Annotated[datetime | None, Field(alias="theTime")] = None
    past: PastDatetime | None = None
    several: list[datetime] | None = None
    by_name: dict[str, tuple[int, datetime]] | None = None
    either: int | datetime | None = None
    aware: AwareDatetime | None = None
    naive: NaiveDatetime | None = None
    day: date | None = None
    hour: time | None = None
    stamp: Timestamp | None = None


@pytest.mark.parametrize(
    ("field", "place", "wrap"),
    [
        ("when", "/when", lambda moment: moment),
        ("alias", "/theTime", lambda moment: moment),
        ("past", "/past", lambda moment: moment.replace(year=2020)),
        ("several", "/several/1", lambda moment: [AWARE, moment]),
        ("by_name", "/by_name/a/1", lambda moment: {"a": (1, moment)}),
        ("aware", "/aware", lambda moment: moment),
        ("stamp", "/stamp", lambda moment: moment),
    ],
)
class TestEveryPlace:
    @each("naive", [NAIVE, Moment(2026, 11, 21)], ids=["datetime", "subclass"])
    def test_one_without_an_offset_is_rejected(self, field: str, place: str, wrap: Any, naive: Any) -> None:
        with pytest.raises(EventError) as caught:
            TimesRunFacet(**{field: wrap(naive)})
        (finding,) = caught.value.findings
        assert (finding.pointer, finding.code) == (place, "OL011")
        assert "found a datetime without an offset; give it a tzinfo, such as timezone.utc" in str(finding)

    def test_one_with_an_offset_is_written_with_it(self, field: str, place: str, wrap: Any) -> None:
        facet = TimesRunFacet(**{field: wrap(AWARE)})
        assert b"08:30:00+01:00" in facet.to_json()
        assert TimesRunFacet.from_json(facet.to_json()) == facet


def test_one_of_several_types_is_rejected_too() -> None:
    with pytest.raises(EventError, match="/either: expected an integer or a datetime with an offset, found"):
        TimesRunFacet(either=NAIVE)


def test_text_without_an_offset_is_rejected_too() -> None:
    naive: Any = "2026-11-21T08:30:00"
    with pytest.raises(EventError, match="/when: expected a datetime with an offset, found"):
        TimesRunFacet(when=naive)


def test_naive_datetimes_dates_and_times_need_no_offset() -> None:
    facet = TimesRunFacet(naive=NAIVE, day=NAIVE.date(), hour=NAIVE.time())
    wire = facet.to_dict()
    assert [wire[name] for name in ("naive", "day", "hour")] == [
        "2026-11-21T08:30:00",
        "2026-11-21",
        "08:30:00",
    ]


def test_parsing_accepts_what_the_class_declares() -> None:
    wire = {**TimesRunFacet().to_dict(), "when": "2026-11-21T08:30:00", "several": ["2026-11-21T08:30:00"]}
    facet = TimesRunFacet.from_json(wire)
    assert (facet.when, facet.several) == (NAIVE, [NAIVE])
    assert facet.to_dict() == wire


def test_the_json_schema_is_that_of_a_datetime() -> None:
    described = TimesRunFacet.model_json_schema()["properties"]["several"]
    assert described["anyOf"][0]["items"] == {"type": "string", "format": "date-time"}
