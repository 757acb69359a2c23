"""Paths, folders and patterns are resolved to files. Missing ones are reported before the check starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, line


def write(*paths: str) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(line(invalid_event()))


def files_of(check: Command, *arguments: str) -> list[str]:
    return [one["file"] for one in check(*arguments).report["findings"]]


def test_a_folder_is_searched_for_visible_event_files_in_natural_order(check: Command) -> None:
    write(
        "in/part-10.ndjson",
        "in/part-2.ndjson",
        "in/a/b.json",
        "in/c.jsonl",
        "in/notes.txt",
        "in/d.json.gz.bak",
        "in/.hidden.json",
        "in/.git/a.json",
    )
    assert files_of(check, "in") == ["in/c.jsonl", "in/part-2.ndjson", "in/part-10.ndjson", "in/a/b.json"]


def test_patterns_match_files(check: Command) -> None:
    write("in/a.json", "in/b.json", "in/deep/er/c.json", "in/d.ndjson")
    assert files_of(check, "in/*.json") == ["in/a.json", "in/b.json"]
    assert sorted(files_of(check, "in/**/*.json")) == ["in/a.json", "in/b.json", "in/deep/er/c.json"]


def test_a_file_is_read_regardless_of_its_suffix_and_if_its_name_looks_like_a_pattern(check: Command) -> None:
    write("lineage.log", "events[1].json", "events1.json")
    assert files_of(check, "lineage.log", "events[1].json") == ["lineage.log", "events[1].json"]


def test_a_file_that_is_passed_twice_is_checked_once(check: Command) -> None:
    write("in/a.json")
    assert files_of(check, "in", "in/a.json", "./in/../in/a.json", "in/*.json") == ["in/a.json"]


def test_linked_files_are_checked_once_and_link_cycles_end(check: Command) -> None:
    write("loop/a.json", "loop/deep/b.json")
    for link in ("loop/one", "loop/two", "loop/deep/three"):
        Path(link).symlink_to(Path("loop").resolve())
    Path("loop/c.json").symlink_to("a.json")
    Path("elsewhere").symlink_to("loop")
    for paths in (["loop"], ["loop/**"], ["loop/**/*.json"], ["**"], ["loop", "loop/one", "loop/*/a.json"]):
        assert sorted(files_of(check, *paths)) == ["loop/a.json", "loop/deep/b.json"], paths
    assert files_of(check, "elsewhere/a.json", "loop/a.json") == ["elsewhere/a.json"]
    assert check("loop/**/*.json").report["summary"]["events"] == 2


def test_a_double_star_matches_zero_or_more_folders(check: Command) -> None:
    write("in/a.json", "in/b/a.json", "in/b/c[1]/a.json", "in/.d/a.json", "in/b/.a.json", "in/b/c[1]/a.txt")
    three = ["in/a.json", "in/b/a.json", "in/b/c[1]/a.json"]
    for pattern in ("**/a.json", "in/**/a.json", "in/**/*.json", "./in//**//a.json", "**/**/a.json"):
        assert sorted(files_of(check, pattern)) == three, pattern
    assert sorted(files_of(check, "i*/b/**")) == [*three[1:], "in/b/c[1]/a.txt"]
    assert files_of(check, f"{Path('in').resolve()}/**/b/a.json") == [f"{Path('in/b/a.json').resolve()}"]


@each(
    ("path", "message"),
    [
        ("nowhere.json", "nowhere.json: no such file or folder"),
        ("*.nothing", "*.nothing: no file matches this pattern"),
        ("empty", "empty: no event files in this folder"),
        ("a\0b", "no such file"),
    ],
)
def test_a_path_without_files_ends_the_command_with_2(path: str, message: str, check: Command) -> None:
    write("good.json")
    Path("empty").mkdir(exist_ok=True)
    result = check("good.json", path)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_a_lock_file_is_named_with_the_commands_that_read_it(command: Command) -> None:
    Path("events").mkdir()
    Path("events/e.json").write_bytes(line(job_event()))
    assert command("lock", "events", "-o", "lineage.lock.json").code == 0
    Path("lineage.lock.json").rename("events/lineage.lock.json")
    problem = "expected events, found a lock file; read it with `show`, `graph`, `check` or `compare`"
    message = f"openlineage-facets: events/lineage.lock.json: {problem}\n"
    alone = command("validate", "events/lineage.lock.json")
    assert (alone.code, alone.out, alone.err) == (2, "", message)
    both = command("validate", "events", "--quiet")
    assert (both.code, both.out, both.err) == (0, "", message)


def test_all_missing_paths_are_reported(check: Command) -> None:
    names = ("one.json", "two.json")
    messages = [f"openlineage-facets: {name}: no such file or folder" for name in names]
    assert check(*names).err.splitlines() == messages
    result = check()
    assert (result.code, "missing path to check" in result.err) == (2, True)


def test_an_undecodable_file_name_is_printed_with_escapes(command: Command) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    try:
        Path(name).write_bytes(line(invalid_event()))
    except OSError:
        pytest.skip("this file system does not allow such names")
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
