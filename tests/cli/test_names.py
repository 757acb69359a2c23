"""`--naming`, its defaults, and `openlineage-facets names`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, lines
from tests.events import PRODUCER
from tests.graphs.sample_graphs import dataset, orders_events, run_event

RULE = '[namespaces]\n"db" = "postgres://db:5432"\n'


@pytest.fixture
def events(command: Command) -> Path:
    path = Path("events.ndjson")
    path.write_bytes(lines(*orders_events("COMPLETE")))
    Path("naming.toml").write_text(RULE)
    return path


@pytest.mark.usefixtures("events")
@each(
    "command_line", ["lock events.ndjson", "graph events.ndjson --format json", "show events.ndjson", "names"]
)
def test_datasets_have_new_names(command: Command, command_line: str) -> None:
    name, *arguments = command_line.split()
    result = command(name, *arguments or ["events.ndjson"], "--naming", "naming.toml")
    assert (result.code, result.err) == (0, "")
    assert name == "names" or "postgres://db:5432" in result.out
    assert '"namespace": "db"' not in result.out


def test_a_lock_names_tables_as_the_rules_say(command: Command) -> None:
    table = {"namespace": "hive://warehouse:9083", "name": "shop.bills"}
    written = dataset("warehouse/bills") | {"namespace": "s3://lake"}
    written["facets"]["symlinks"] = {
        "_producer": PRODUCER,
        "_schemaURL": "https://openlineage.io/spec/facets/1-0-1/SymlinksDatasetFacet.json#/$defs/x",
        "identifiers": [{**table, "type": "TABLE"}],
    }
    Path("events.ndjson").write_bytes(lines(run_event("bill", [], [written])))
    Path("naming.toml").write_text('main_name = "table"\n')
    lock = json.loads(command("lock", "events.ndjson", "--naming", "naming.toml").out)
    assert lock["datasets"] == [table]


def test_a_lock_with_new_names_is_compared_with_events_under_their_old_names(
    command: Command, events: Path
) -> None:
    command("lock", events, "-o", "lineage.lock.json", "--naming", "naming.toml")
    assert command("compare", "lineage.lock.json", events, "--locked", "--naming", "naming.toml").code == 0
    assert command("compare", "lineage.lock.json", events).code == 1
    shown = command("show", "lineage.lock.json", "--naming", "naming.toml")
    assert "postgres://db:5432" in shown.out


def test_the_file_is_that_of_the_environment_or_of_the_project(
    command: Command, events: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("project").mkdir()
    Path("project/naming.toml").write_text(RULE.replace("postgres", "mysql"))
    Path("pyproject.toml").write_text('[tool.openlineage-facets]\nnaming = "project/naming.toml"\n')
    assert '"mysql://db:5432"' in command("lock", events).out
    monkeypatch.setenv("OPENLINEAGE_NAMING", "naming.toml")
    assert '"postgres://db:5432"' in command("lock", events).out
    monkeypatch.setenv("OPENLINEAGE_NAMING", "missing.toml")
    assert '"postgres://db:5432"' in command("lock", events, "--naming", "naming.toml").out
    missing = command("lock", events)
    assert (missing.code, missing.err) == (2, "openlineage-facets: missing.toml: no such file or directory\n")


def test_datasets_that_become_one_are_reported_unless_the_file_says_otherwise(
    command: Command, events: Path
) -> None:
    rule = '[[datasets]]\nfrom = { namespace = "db", name = "raw/{:.*}" }\nto = { name = "raw" }\n'
    Path("naming.toml").write_text(rule)
    assert command("lock", events, "--naming", "naming.toml").err == (
        "openlineage-facets: 1 dataset had several names (naming.toml:1); the command names shows them\n"
    )
    assert command("names", events, "--naming", "naming.toml").err == (
        "openlineage-facets: naming.toml:1: db raw/customers and db raw/orders are now one dataset, db raw\n"
    )
    Path("naming.toml").write_text(f"report_joined = false\n{rule}")
    assert command("lock", events, "--naming", "naming.toml").err == ""


def test_rules_are_reported_in_the_order_of_their_file(command: Command) -> None:
    sources = [dataset(f"{folder}/{number}") for folder in "ab" for number in range(2)]
    Path("events.ndjson").write_bytes(lines(run_event("a", sources, [])))
    rules = (
        f'[[datasets]]\nfrom = {{ namespace = "db", name = "{one}/{{:.*}}" }}\nto = {{ name = "{one}" }}\n'
        for one in "ba"
    )
    Path("naming.toml").write_text("\n" * 8 + "".join(rules))
    assert "2 datasets had several names (naming.toml:9, naming.toml:12);" in (
        command("lock", "events.ndjson", "--naming", "naming.toml").err
    )


def test_each_rule_is_reported_once(command: Command) -> None:
    sources = [
        {**dataset(f"raw/{number}"), "namespace": f"{scheme}://lake"}
        for number in range(3)
        for scheme in ("s3", "s3a")
    ]
    Path("events.ndjson").write_bytes(lines(run_event("a", sources, [])))
    Path("naming.toml").write_text('[namespaces]\n"s3a://{bucket}" = "s3://{bucket}"\n')
    assert command("names", "events.ndjson", "--naming", "naming.toml").err == (
        "openlineage-facets: naming.toml:2: s3://lake raw/0 and s3a://lake raw/0 are now one dataset, "
        "s3://lake raw/0, and 2 more in the same way\n"
    )
    assert command("graph", "events.ndjson", "--naming", "naming.toml", "-o", "graph.svg").err == (
        "openlineage-facets: 3 datasets had several names (naming.toml:2); the command names shows them\n"
    )


def test_rules_that_do_not_end_are_an_error(command: Command, events: Path) -> None:
    Path("naming.toml").write_text('[namespaces]\n"{n}" = "{n}x"\n')
    Path("lock.json").write_text(command("lock", events).out)
    for arguments in (["graph", events], ["show", events], ["show", "lock.json"]):
        result = command(*arguments, "--naming", "naming.toml")
        assert result.code == 2
        assert "naming.toml:2: expected rules that come to an end" in result.err


@pytest.fixture
def similar(command: Command) -> Path:
    path = Path("events.ndjson")
    other = {**dataset("raw"), "namespace": "s3a://lake"}
    path.write_bytes(lines(run_event("a", [other, {**other, "namespace": "s3://lake"}], [])))
    return path


def test_names_prints_pairs_and_rules_to_paste(command: Command, similar: Path) -> None:
    rules = '[namespaces]\n"s3a://lake" = "s3://lake"\n'
    result = command("names", similar)
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "s3://lake raw\ns3a://lake raw\n    another scheme of the same system\n"
        f"1 pair looks like one dataset; rules for naming.toml:\n\n{rules}"
    )
    assert command("names", similar, "--format", "toml").out == rules
    (pair,) = json.loads(command("names", similar, "--format", "json").out)["pairs"]
    assert pair == {
        "name": {"namespace": "s3://lake", "name": "raw"},
        "other": {"namespace": "s3a://lake", "name": "raw"},
        "reason": "another scheme of the same system",
        "rule": rules,
    }


def test_rules_are_written_and_then_apply(command: Command, similar: Path) -> None:
    assert command("names", similar, "--write", "naming.toml").out.endswith("like one dataset\nnaming.toml\n")
    assert Path("naming.toml").read_text() == '[namespaces]\n"s3a://lake" = "s3://lake"\n'
    again = command("names", similar, "--write", "naming.toml")
    assert again.out == "no names that look like one dataset\n"


def test_rules_that_do_not_fit_into_a_file_leave_it_unchanged(command: Command, similar: Path) -> None:
    text = 'namespaces = { a = "b" }\n'
    Path("naming.toml").write_text(text)
    result = command("names", similar, "--write", "naming.toml")
    assert result.code == 2
    assert result.err.startswith("openlineage-facets: naming.toml: with the new rules")
    assert result.err.count("\n") == 1
    assert Path("naming.toml").read_text() == text


def test_a_file_that_cannot_be_read_is_reported_before_it_is_written(command: Command, similar: Path) -> None:
    Path("other.toml").write_text("[hosts]\n")
    Path("naming.toml").write_bytes(b"# \xff\n")
    result = command("names", similar, "--naming", "other.toml", "--write", "naming.toml")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert Path("naming.toml").read_bytes() == b"# \xff\n"


def test_skipped_events_cause_exit_code_1(command: Command, similar: Path) -> None:
    similar.write_bytes(similar.read_bytes() + lines(invalid_event()))
    assert command("names", similar).code == 1
