"""Events are found in the output, logs and files of jobs; invalid ones are reported."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import pytest

from openlineage_facets.testing import LineageEvents
from openlineage_facets.testing.printed_events import events_in
from tests.cases import each
from tests.events import dataset_event, job_event, run_event

EVENTS = [run_event(), job_event(), dataset_event()]
TEXT = json.dumps(EVENTS[0])
INDENTED = json.dumps(EVENTS[0], indent=2)


def lines(*events: object) -> str:
    return "\n".join(map(json.dumps, events))


LAYOUTS = [
    lines(*EVENTS),
    "\n\n".join(json.dumps(event, indent=2) for event in EVENTS),
    json.dumps(EVENTS),
    json.dumps(EVENTS, indent=1),
]
LOGS = [
    "".join(map(json.dumps, EVENTS)),
    "".join(f"INFO [etl] {{}} sent {json.dumps(event)} in 3 ms\n" for event in EVENTS),
    "".join(f"emit {{'x': 1}} {json.dumps(event)}\r\n" for event in EVENTS),
    "".join(f"sent:\n{json.dumps(event, indent=4)}\ndone\n" for event in EVENTS),
]


@each("text", [*LAYOUTS, *LOGS], ids=range(8))
def test_every_layout_is_read(text: str, lineage_events: LineageEvents, tmp_path: Path) -> None:
    lineage_events.clear()
    lineage_events.read(text)
    if text in LAYOUTS:
        (tmp_path / "lineage").write_text("\ufeff" + text + "\n", encoding="utf-8")
        lineage_events.read(tmp_path / "lineage")
    assert lineage_events.raw == EVENTS * (2 if text in LAYOUTS else 1)
    lineage_events.assert_valid()


@each(
    "broken",
    [
        TEXT[:-40],
        TEXT[: TEXT.index(":") + 1],
        TEXT.replace(", ", ",, ", 1),
        repr(EVENTS[0]),
        f"INFO emitting {EVENTS[0]!r}",
        json.dumps({"event": TEXT})[:-3],
        INDENTED[:-40],
    ],
    ids=["cut", "cut early", "comma", "repr", "logged repr", "in a string", "cut and indented"],
)
def test_only_the_invalid_event_fails_the_assertion(broken: str, lineage_events: LineageEvents) -> None:
    lineage_events.clear()
    lineage_events.read(f"starting\n{TEXT}\n{broken}\n{TEXT}\ndone\n")
    assert [reading.raw for reading in lineage_events.readings if reading.event] == [EVENTS[0]] * 2
    with pytest.raises(AssertionError, match=r"^.*\nevent 2 \(no event\): OL00[12] error[^\n]*$"):
        lineage_events.assert_valid()


@each("stray", ["done", "7", '{"job": oops}', TEXT[:-40], "{\n  'job': 7\n}"])
def test_other_content_of_an_event_file_is_invalid(
    stray: str, lineage_events: LineageEvents, tmp_path: Path
) -> None:
    lineage_events.clear()
    (tmp_path / "lineage").write_text(f"{TEXT}\n{stray}\n{TEXT}\n")
    lineage_events.read(tmp_path / "lineage")
    assert len(lineage_events) == 2
    with pytest.raises(AssertionError, match=r"^.*\nevent 2 \(no event\): OL00[12] error[^\n]*$"):
        lineage_events.assert_valid()


@each(
    "text",
    [
        "",
        "reading {orders}\n",
        "set {'a'} of eventTime\n",
        json.dumps({"rows": 3, "files": {"a": 1}}, indent=2),
        'wrote {"rows": 3} in 5 s\n',
        '{"level": "INFO", "message": "started"}\n',
        '{"level": "INFO", "job": "orders", "message": "started"}\n{}\n',
        "def f() {\n  return;\n}\n",
        "[2026-11-21] done\n",
        'INFO schema: {"type": "struct", "fields": [{"name": "eventTime", "type": "timestamp"}]}\n',
        "INFO schema: {'columns': ['eventTime', 'user']}\n",
        'x {"a": 1} and "eventTime" is missing\n',
    ],
)
def test_other_text_is_skipped(text: str, lineage_events: LineageEvents, tmp_path: Path) -> None:
    lineage_events.read(text)
    (tmp_path / "log").write_text(text)
    lineage_events.read(tmp_path / "log")
    assert lineage_events.readings == []


def test_an_object_with_a_job_is_an_invalid_event(lineage_events: LineageEvents) -> None:
    lineage_events.read('sent {"job": {"namespace": "etl", "name": "orders"}}\n')
    (reading,) = lineage_events.readings
    assert reading.raw == {"job": {"namespace": "etl", "name": "orders"}}
    assert "/eventTime" in {finding.pointer for finding in reading.findings}


@each("first", [TEXT, json.dumps(EVENTS), TEXT.replace(", ", ",, ", 1), '{"run": {"runId"'])
def test_other_records_in_a_log_of_json_lines_are_invalid_only_after_an_event(
    first: str, lineage_events: LineageEvents, tmp_path: Path
) -> None:
    record = '{"message": "started"}'
    lineage_events.clear()
    (tmp_path / "log").write_text(f"{record}\n{first}\n{record}\n")
    lineage_events.read(tmp_path / "log")
    assert record not in map(json.dumps, lineage_events.raw)
    (tmp_path / "lineage").write_text(f"{first}\n{record}\n")
    lineage_events.read(tmp_path / "lineage")
    assert json.dumps(lineage_events.raw[-1]) == record


@pytest.mark.thorough
def test_reading_time_is_linear() -> None:
    def seconds(count: int) -> float:
        text = '{"a": ' * count + "\n" + "{'" * count + "\n" + (TEXT[:-1] + "\n") * (count // 100)
        start = perf_counter()
        list(events_in(text))
        return perf_counter() - start

    few, many = min(seconds(20_000) for _ in range(3)), min(seconds(80_000) for _ in range(3))
    assert many < few * 10
