"""Paths, folders and patterns stand for files; what stands for nothing is said before anything is checked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.events import bad_event, job_event, line


def write(*paths: str) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(line(bad_event()))


def files_of(check: Command, *arguments: str) -> list[str]:
    return [one["file"] for one in check(*arguments).report["findings"]]


def test_a_folder_stands_for_the_event_files_in_it_by_name_and_number(check: Command) -> None:
    write(
        "in/part-10.ndjson",
        "in/part-2.ndjson",
        "in/a/b.json",
        "in/c.jsonl",
        "in/notes.txt",
        "in/d.json.gz.bak",
    )
    assert files_of(check, "in") == ["in/c.jsonl", "in/part-2.ndjson", "in/part-10.ndjson", "in/a/b.json"]


def test_hidden_files_and_folders_are_passed_over(check: Command) -> None:
    write("in/.hidden.json", "in/.git/a.json", "in/seen.json")
    assert files_of(check, "in") == ["in/seen.json"]


def test_patterns_stand_for_what_they_match(check: Command) -> None:
    write("in/a.json", "in/b.json", "in/deep/er/c.json", "in/d.ndjson")
    assert files_of(check, "in/*.json") == ["in/a.json", "in/b.json"]
    assert sorted(files_of(check, "in/**/*.json")) == ["in/a.json", "in/b.json", "in/deep/er/c.json"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(check: Command) -> None:
    write("events[1].json", "events1.json")
    assert files_of(check, "events[1].json") == ["events[1].json"]


def test_a_file_that_is_named_twice_is_checked_once(check: Command) -> None:
    write("in/a.json")
    assert files_of(check, "in", "in/a.json", "./in/../in/a.json", "in/*.json") == ["in/a.json"]


def test_a_file_that_links_lead_to_is_checked_once_and_a_circle_ends(check: Command) -> None:
    write("loop/a.json", "loop/deep/b.json")
    for link in ("loop/one", "loop/two", "loop/deep/three"):
        Path(link).symlink_to(Path("loop").resolve())
    Path("loop/c.json").symlink_to("a.json")
    Path("elsewhere").symlink_to("loop")
    for paths in (["loop"], ["loop/**"], ["loop/**/*.json"], ["**"], ["loop", "loop/one", "loop/*/a.json"]):
        assert sorted(files_of(check, *paths)) == ["loop/a.json", "loop/deep/b.json"], paths
    assert files_of(check, "elsewhere/a.json", "loop/a.json") == ["elsewhere/a.json"]
    assert check("loop/**/*.json").report["summary"]["events"] == 2


def test_a_pattern_for_any_folders_stands_for_none_and_for_several(check: Command) -> None:
    write("in/a.json", "in/b/a.json", "in/b/c[1]/a.json", "in/.d/a.json", "in/b/.a.json", "in/b/c[1]/a.txt")
    three = ["in/a.json", "in/b/a.json", "in/b/c[1]/a.json"]
    for pattern in ("**/a.json", "in/**/a.json", "in/**/*.json", "./in//**//a.json", "**/**/a.json"):
        assert sorted(files_of(check, pattern)) == three, pattern
    assert sorted(files_of(check, "i*/b/**")) == [*three[1:], "in/b/c[1]/a.txt"]
    assert files_of(check, f"{Path('in').resolve()}/**/b/a.json") == [f"{Path('in/b/a.json').resolve()}"]


def test_a_named_file_is_read_whatever_its_name(check: Command) -> None:
    write("lineage.log")
    assert files_of(check, "lineage.log") == ["lineage.log"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("nowhere.json", "nowhere.json: no such file or folder"),
        ("*.nothing", "*.nothing: no file matches this pattern"),
        ("empty", "empty: no event files in this folder"),
        ("a\0b", "no such file"),
    ],
)
def test_a_path_that_stands_for_nothing_ends_the_command_with_2(path: str, told: str, check: Command) -> None:
    write("good.json")
    Path("empty").mkdir()
    answer = check("good.json", path)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err


def test_every_path_that_is_missing_is_named(check: Command) -> None:
    answer = check("one.json", "two.json")
    assert answer.err.splitlines() == [
        "openlineage-facets: one.json: no such file or folder",
        "openlineage-facets: two.json: no such file or folder",
    ]


def test_without_a_path_there_is_nothing_to_check(command: Command) -> None:
    answer = command("validate")
    assert answer.code == 2
    assert "expected a path to check" in answer.err


def test_a_name_that_is_no_text_is_reported_with_escapes(command: Command) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    try:
        Path(name).write_bytes(line(bad_event()))
    except OSError:
        pytest.skip("this file system takes no such names")
    assert command("validate", name).out.startswith("caf\\udce9.json:1: error OL011")
    for form in ("json", "github", "junit", "sarif"):
        assert command("validate", name, "--format", form).code == 1


def test_a_pipe_is_read(check: Command, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, line(job_event()))
    os.close(writing)
    try:
        path = f"/dev/fd/{reading}"
        if not Path(path).exists():
            pytest.skip("this system has no /dev/fd")
        assert check(path).report["summary"]["events"] == 1
    finally:
        os.close(reading)
