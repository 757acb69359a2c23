"""What counts: severities, chosen codes, settings of the project, and findings that are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.cli.events import bad_event, job_event, lines, run_event


@pytest.fixture(autouse=True)
def files(command: Command) -> None:
    warned = job_event(1)
    warned["job"]["facets"] = {"cost": {"_producer": "x", "_schemaURL": "https://acme.example.com/Cost.json"}}
    Path("good.ndjson").write_bytes(lines(job_event()))
    Path("warned.ndjson").write_bytes(lines(warned))
    Path("bad.ndjson").write_bytes(lines(job_event(), bad_event(1), bad_event(2)))
    Path("runs.ndjson").write_bytes(
        lines(run_event(1, "COMPLETE"), run_event(1, "OTHER", 9), run_event(2, "START"))
    )


def codes(check: Command, *arguments: str) -> set[str]:
    return {code for _, code in check(*arguments).places}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["good.ndjson"], 0),
        (["warned.ndjson"], 0),
        (["warned.ndjson", "--strict"], 1),
        (["bad.ndjson"], 1),
        (["bad.ndjson", "--ignore", "OL011"], 0),
        (["runs.ndjson", "--strict"], 1),
        (["bad.ndjson", "--jobs", "-1"], 2),
        (["bad.ndjson", "--format", "html"], 2),
        (["bad.ndjson", "--nonsense"], 2),
        (["bad.ndjson", "--select", "OL777"], 2),
        (["bad.ndjson", "--select", "X"], 2),
        (["bad.ndjson", "--ignore", "*"], 2),
        (["bad.ndjson", "--schemas", "nowhere"], 2),
        (["bad.ndjson", "--baseline", "nowhere"], 2),
    ],
)
def test_the_exit_code_tells_errors_from_what_could_not_run(
    arguments: list[str], code: int, check: Command
) -> None:
    answer = check(*arguments)
    assert answer.code == code
    assert (answer.out == "") == (code == 2)


def test_codes_are_selected_and_ignored_by_their_beginnings(check: Command) -> None:
    assert codes(check, "warned.ndjson") > {"OL016", "OL101"}
    assert codes(check, "warned.ndjson", "--select", "ol1") == {"OL101"} | {
        code for code in codes(check, "warned.ndjson") if code.startswith("OL1")
    }
    assert "OL101" not in codes(check, "warned.ndjson", "--ignore", "OL2,OL101")
    assert codes(check, "warned.ndjson", "--select", "OL1,OL016", "--ignore", "OL1") == {"OL016"}
    assert codes(check, "warned.ndjson", "--select", "OL101", "--ignore", "OL1") == {"OL101"}
    assert codes(check, "runs.ndjson", "--ignore", "OL5") == set()


def test_rules_on_streams_speak_of_the_line_they_are_about(check: Command) -> None:
    assert check("runs.ndjson").places == [(1, "OL502"), (3, "OL507")]


def test_files_of_one_event_are_no_stream(check: Command) -> None:
    Path("in").mkdir()
    for number, event_type in enumerate(("COMPLETE", "START", "START")):
        Path(f"in/{number}.json").write_bytes(lines(run_event(1, event_type)))
    assert check("in").places == []


def test_a_run_may_go_on_over_files(check: Command) -> None:
    Path("log").mkdir()
    for number in range(12):
        Path(f"log/part-{number}.ndjson").write_bytes(
            lines(run_event(number, "START", number), run_event(number - 1, "COMPLETE", number))
            if number
            else lines(run_event(0, "START"), run_event(99, "START"))
        )
    answer = check("log")
    assert [(one["file"], one["line"], one["code"]) for one in answer.report["findings"]] == [
        ("log/part-0.ndjson", 2, "OL507"),
        ("log/part-11.ndjson", 1, "OL507"),
    ]


def test_settings_come_from_the_nearest_pyproject_that_has_them(
    check: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("pyproject.toml").write_text(
        '[tool.openlineage-facets]\npaths = ["bad.ndjson"]\nignore = ["OL011"]\n'
    )
    Path("deep/er").mkdir(parents=True)
    Path("deep/pyproject.toml").write_text('[project]\nname = "deep"\n')
    monkeypatch.chdir("deep/er")
    assert check().report["summary"]["events"] == 3
    assert check().code == 0
    assert check("--ignore", "OL3").code == 1
    assert check("../../bad.ndjson", "--no-config").code == 1
    Path("../pyproject.toml").write_text("[tool.openlineage-facets]\nstrict = true\n")
    assert check("../../warned.ndjson").code == 1
    assert check("../../warned.ndjson", "--no-strict").code == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "strikt = true",
            "expected keys out of paths, select, ignore, strict, jobs, schemas, baseline, found strikt",
        ),
        ('strict = "yes"', "strict: expected true or false, found 'yes'"),
        ("jobs = true", "jobs: expected a number from 0 on, found True"),
        ("select = [1]", "select: expected a list of strings, found [1]"),
        ('select = ["OL777"]', "select: expected codes such as OL012"),
        ("strict = ", "Invalid value"),
    ],
)
def test_settings_that_nobody_knows_end_the_command(text: str, told: str, check: Command) -> None:
    Path("pyproject.toml").write_text(f"[tool.openlineage-facets]\n{text}\n")
    answer = check("good.ndjson")
    assert answer.code == 2
    assert told in answer.err
    assert len(answer.err.splitlines()) == 1


def test_what_a_baseline_holds_counts_no_more(check: Command) -> None:
    assert check("bad.ndjson", "--write-baseline", "known.json").code == 0
    answer = check("bad.ndjson", "--baseline", "known.json")
    assert (answer.code, answer.places) == (0, [])
    assert answer.report["summary"]["baselined"] == 2


def test_a_baseline_holds_over_other_lines_runs_and_files(check: Command) -> None:
    event: dict[str, Any] = run_event(
        1, "START", inputs=[{"namespace": "s3://lake", "name": "a", "facets": 1}]
    )
    Path("known.ndjson").write_bytes(lines(event))
    check("known.ndjson", "--write-baseline", "known.json")
    event["run"]["runId"] = "019d3719-f020-7c3e-9f10-0000000000ff"
    event["inputs"].insert(0, {"namespace": "s3://lake", "name": "b"})
    Path("moved.ndjson").write_bytes(lines(job_event(), event, event))
    assert check("moved.ndjson", "--baseline", "known.json", "--select", "OL0").code == 0


@pytest.mark.parametrize("change", ["code", "job", "dataset", "place"])
def test_a_baseline_holds_nothing_else(change: str, check: Command) -> None:
    event: dict[str, Any] = run_event(
        1, "START", inputs=[{"namespace": "s3://lake", "name": "a", "facets": 1}]
    )
    Path("known.ndjson").write_bytes(lines(event))
    check("known.ndjson", "--write-baseline", "known.json")
    if change == "code":
        del event["inputs"][0]["name"]
    elif change == "job":
        event["job"]["name"] = "another"
    elif change == "dataset":
        event["inputs"][0]["name"] = "another"
    else:
        event["inputs"][0]["inputFacets"] = 1
    Path("changed.ndjson").write_bytes(lines(event))
    assert check("changed.ndjson", "--baseline", "known.json").code == 1


def test_a_baseline_is_written_in_one_order(check: Command) -> None:
    check("bad.ndjson", "warned.ndjson", "--write-baseline", "one.json")
    check("warned.ndjson", "bad.ndjson", "--write-baseline", "two.json")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert json.loads(Path("one.json").read_text())["version"] == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2}', '{"version": 1, "findings": [{}]}', "\0"])
def test_a_baseline_that_is_none_ends_the_command(text: str, check: Command) -> None:
    Path("known.json").write_text(text)
    answer = check("bad.ndjson", "--baseline", "known.json")
    assert answer.code == 2
    assert answer.err.startswith("openlineage-facets: baseline known.json: expected a file that")
