"""`openlineage-facets compare`."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, lines
from tests.graphs.sample_graphs import dataset, orders_events, run_event


@pytest.fixture
def files(command: Command) -> None:
    """Write before.ndjson, after.ndjson with a renamed column, and the lock of the former."""
    events = orders_events("COMPLETE")
    Path("before.ndjson").write_bytes(lines(*events))
    renamed = json.loads(json.dumps(events).replace('"customer"', '"buyer"'))
    Path("after.ndjson").write_bytes(lines(*renamed))
    command("lock", "before.ndjson", "-o", "lineage.lock.json")


@pytest.mark.usefixtures("files")
def test_changes_are_shown_by_dataset_and_breaking_ones_fail(command: Command) -> None:
    result = command("compare", "lineage.lock.json", "after.ndjson")
    assert (result.code, result.err) == (1, "")
    assert result.out == (
        "BREAKING dataset db raw/orders\n"
        "    removed  column customer\n"
        "    added    column buyer (string)\n"
        "BREAKING dataset db curated/daily\n"
        "    renamed  column buyer, was customer\n"
        "2 breaking changes, 1 other\n"
    )


def test_added_columns_and_datasets_show_what_they_contain(command: Command) -> None:
    customers = dataset("customers", ("id", "email", "name", "city"))
    tag = {"key": "pii", "value": "true", "field": "email"}
    customers["facets"]["tags"] = {**customers["facets"]["schema"], "tags": [tag]}
    sources = {"contact": [("customers", name) for name in ("city", "email", "id", "name")]}
    daily = dataset("daily", ("id", "contact"), {"id": [("customers", "id")], **sources})
    city, *_ = daily["facets"]["columnLineage"]["fields"]["contact"]["inputFields"]
    city["transformations"] = [{"type": "INDIRECT", "subtype": "JOIN"}]
    export = dataset(
        "export", ("mail", "hash"), {name: [("customers", "email")] for name in ("mail", "hash")}
    )
    (mail,) = export["facets"]["columnLineage"]["fields"]["hash"]["inputFields"]
    mail["transformations"] = [{"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": True}]
    before = [dataset("daily", ("id",), {"id": [("customers", "id")]})]
    for name, outputs in (("before", before), ("after", [daily, export])):
        Path(f"{name}.ndjson").write_bytes(lines(run_event("load", [customers], outputs)))
    options = ["compare", "before.ndjson", "after.ndjson", "--propagate", "pii"]
    contact = (
        "column contact (string) <- db customers.email (IDENTITY), db customers.id (IDENTITY), "
        "db customers.name (IDENTITY) and 1 more, pii=true"
    )
    people = "dataset with column mail (string) <- db customers.email (IDENTITY), pii=true"
    text = command(*options).out
    assert f"    added    {contact}\n" in text
    assert f"    added    {people}\n" in text
    markdown = command(*options, "--format", "markdown").out.replace("\\", "")
    assert f"| added {contact} |" in markdown
    assert f"| added {people} |" in markdown
    found = json.loads(command(*options, "--format", "json").out)["changes"]
    (parts,) = (one["parts"] for one in found if one["after"].get("column"))
    assert [part["value"] for part in parts if part["part"] == "tags"] == [["pii=true"]]
    (source,) = (part for part in parts if part.get("other", {}).get("column") == "email")
    assert source["value"] == [{"type": "DIRECT", "subtype": "IDENTITY"}]


@pytest.mark.usefixtures("files")
@each(
    ("options", "code"),
    [
        ("before.ndjson before.ndjson --fail-on any", 0),
        ("before.ndjson lineage.lock.json --fail-on any", 0),
        ("lineage.lock.json before.ndjson --locked", 0),
        ("before.ndjson after.ndjson --fail-on never", 0),
        ("before.ndjson after.ndjson --fail-on removed", 1),
        ("before.ndjson after.ndjson --fail-on any", 1),
        ("before.ndjson after.ndjson --locked", 2),
        ("lineage.lock.json after.ndjson --locked --fail-on any", 2),
        ("missing.ndjson after.ndjson", 2),
    ],
)
def test_the_exit_code(command: Command, options: str, code: int) -> None:
    assert command("compare", *options.split()).code == code


def test_lifecycles_and_statistics_out_of_a_range_are_changes(command: Command) -> None:
    events = orders_events("COMPLETE")
    Path("before.ndjson").write_bytes(lines(*events))
    text = json.dumps(events).replace('"rowCount": 1234567', '"rowCount": 1000')
    Path("after.ndjson").write_bytes(lines(*json.loads(text)))
    assert command("compare", "before.ndjson", "after.ndjson").code == 0
    result = command("compare", "before.ndjson", "after.ndjson", "--statistics", "0.5..2")
    assert (result.code, result.err) == (1, "")
    assert "    statistics rowCount 1,234,567 -> rowCount 1,000\n" in result.out
    assert command("compare", "before.ndjson", "after.ndjson", "--statistics", "0..2").code == 0
    assert command("compare", "before.ndjson", "before.ndjson", "--statistics", "1..1").code == 0
    invalid = command("compare", "before.ndjson", "after.ndjson", "--statistics", "2")
    assert (invalid.code, invalid.err) == (
        2,
        "openlineage-facets: --statistics: expected a range such as 0.5..2, found 2\n",
    )


@pytest.mark.usefixtures("files")
@each("options", ["", " --naming naming.toml", " --naming naming.toml --join-symlinks --null-is-absent"])
def test_another_lineage_than_the_locked_one_names_the_command_that_updates_it(
    command: Command, options: str
) -> None:
    Path("naming.toml").write_text('[namespaces]\n"unused" = "other"\n', encoding="utf-8")
    command("lock", "before.ndjson", "-o", "lineage.lock.json")
    result = command("compare", "lineage.lock.json", "after.ndjson", "--locked", *options.split())
    assert result.code == 1
    assert result.err == (
        "openlineage-facets: lineage.lock.json: differs from after.ndjson; if that is intended, update it: "
        f"openlineage-facets lock after.ndjson -o lineage.lock.json{options}\n"
    )
    command("lock", "after.ndjson", "-o", "lineage.lock.json", *options.split())
    assert command("compare", "lineage.lock.json", "after.ndjson", "--locked", *options.split()).code == 0


@pytest.mark.usefixtures("files")
def test_the_command_that_updates_a_lock_quotes_paths(command: Command) -> None:
    Path("lineage.lock.json").rename("my lineage.lock.json")
    Path("after.ndjson").rename("after (1).ndjson")
    Path("my naming.toml").write_text("", encoding="utf-8")
    naming = ("--naming", "my naming.toml")
    err = command("compare", "my lineage.lock.json", "after (1).ndjson", "--locked", *naming).err
    expected = "lock 'after (1).ndjson' -o 'my lineage.lock.json' --naming 'my naming.toml'\n"
    assert err.endswith(f"update it: openlineage-facets {expected}")


@pytest.mark.usefixtures("files")
def test_a_lock_file_of_other_namespaces_has_other_naming_rules(command: Command) -> None:
    Path("naming.toml").write_text('[namespaces]\n"db" = "warehouse"\n', encoding="utf-8")
    command("lock", "before.ndjson", "-o", "lineage.lock.json", "--naming", "naming.toml")
    assert command("compare", "lineage.lock.json", "before.ndjson", "--locked").err == (
        "openlineage-facets: lineage.lock.json: differs from before.ndjson; they have no namespace of "
        "datasets in common, so pass --naming as for the lock file; if that is intended, update it: "
        "openlineage-facets lock before.ndjson -o lineage.lock.json\n"
    )


@pytest.mark.usefixtures("files")
def test_lock_files_have_no_statistics_to_compare(command: Command) -> None:
    arguments = ("compare", "lineage.lock.json", "before.ndjson", "--statistics", "0.5..2")
    message = "--statistics: lineage.lock.json is a lock file, which contains no statistics; pass event files"
    result = command(*arguments)
    assert (result.code, result.err) == (0, f"openlineage-facets: {message}\n")


@pytest.mark.usefixtures("files")
def test_a_lock_file_with_a_byte_order_mark_is_one(command: Command) -> None:
    lock = Path("lineage.lock.json")
    lock.write_bytes(BOM_UTF8 + lock.read_bytes())
    assert command("compare", "lineage.lock.json", "before.ndjson", "--locked").code == 0


@pytest.mark.usefixtures("files")
@each("is_formatted", [False, True])
@each("kind", ["job", "dataset"])
def test_two_entries_of_one_name_in_a_lock_are_rejected(
    command: Command, kind: str, is_formatted: bool
) -> None:
    lock = Path("lineage.lock.json")
    command("lock", "before.ndjson", "-o", str(lock))
    document = json.loads(lock.read_bytes())
    first = document[f"{kind}s"][0]
    document[f"{kind}s"].append(first)
    if is_formatted:
        lock.write_text(json.dumps(document), encoding="utf-8")
    else:
        text = lock.read_text(encoding="utf-8")
        start = text.index(f'"{kind}s": [\n') + len(f'"{kind}s": [\n')
        entry = text[start : text.index("\n    },\n", start) + len("\n    },\n")]
        lock.write_text(text[:start] + entry + text[start:], encoding="utf-8")
    result = command("compare", "lineage.lock.json", "before.ndjson")
    at = len(document[f"{kind}s"]) - 1 if is_formatted else 1
    assert result.code == 1
    assert (
        f"lineage.lock.json: expected a lock file: /{kind}s/{at}: expected each {kind} once, " in result.err
    )
    assert (
        f"found {first['namespace']} {first['name']} also at /{kind}s/0; a merge may have kept both"
        in result.err
    )


@pytest.mark.usefixtures("files")
def test_formats(command: Command) -> None:
    def report(name: str) -> str:
        return command("compare", "lineage.lock.json", "after.ndjson", "--format", name).out

    found = json.loads(report("json"))
    assert found["breaking"] is True
    assert found["changes"][0]["kind"] == "removed"
    assert found["changes"][0]["before"]["column"] == "customer"
    markdown = report("markdown")
    assert "| dataset `db curated/daily` | renamed column buyer, was customer | yes |" in markdown
    assert "```mermaid\nflowchart LR\n" in markdown
    github = report("github").splitlines()
    assert github[0] == (
        "::error file=after.ndjson,title=column-removed db raw/orders.customer"
        "::db raw/orders.customer: removed column customer"
    )
    (run,) = json.loads(report("sarif"))["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["column-removed", "column-renamed", "column-added"]


def test_each_source_of_a_column_is_an_alert_of_its_own(command: Command) -> None:
    sources = [("customers", "id"), ("customers", "email")]
    for name, found in (("before", sources[:0]), ("after", sources)):
        daily = dataset("daily", ("contact",), {"contact": found})
        customers = dataset("customers", ("id", "email"))
        Path(f"{name}.ndjson").write_bytes(lines(run_event("load", [customers], [daily])))
    report = command("compare", "before.ndjson", "after.ndjson", "--format", "sarif").out
    results = json.loads(report)["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["source-added", "source-added"]
    assert len({json.dumps(one["partialFingerprints"]) for one in results}) == 2


@pytest.mark.usefixtures("files")
def test_jobs_of_others_are_reached_with_their_owners(command: Command) -> None:
    event = run_event("board", [dataset("curated/daily")], [])
    event["job"]["facets"] = {"ownership": {"owners": [{"name": "team:board"}]}}
    Path("company.ndjson").write_bytes(lines(event))
    result = command("compare", "lineage.lock.json", "after.ndjson", "--context", "company.ndjson")
    assert "job etl board (owned by team:board)" in result.out


@pytest.mark.usefixtures("files")
def test_skipped_events_fail(command: Command) -> None:
    Path("after.ndjson").write_bytes(Path("before.ndjson").read_bytes() + lines(invalid_event()))
    assert command("compare", "before.ndjson", "after.ndjson", "--fail-on", "never").code == 1


def test_many_changes_fit_into_a_comment(command: Command) -> None:
    Path("before.ndjson").write_bytes(lines(run_event("load", [], [])))
    many = [dataset(f"raw/table_{number}", ("id",)) for number in range(2_000)]
    Path("after.ndjson").write_bytes(lines(run_event("load", many, [])))
    result = command("compare", "before.ndjson", "after.ndjson", "--format", "markdown")
    assert len(result.out) <= 65_536
    assert "more, which do not fit into a comment" in result.out


@pytest.mark.usefixtures("files")
def test_without_events_nothing_has_been_removed(command: Command) -> None:
    Path("empty.ndjson").write_bytes(b"")
    result = command("compare", "before.ndjson", "empty.ndjson")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "empty.ndjson: contains no events\nopenlineage-facets: expected events to compare, found none\n"
    )
    assert command("compare", "empty.ndjson", "after.ndjson", "--fail-on", "breaking").code == 0


def test_each_statistic_of_an_output_is_an_alert_of_its_own(command: Command) -> None:
    for name, count in (("before", 1), ("after", 100)):
        out = dataset("out")
        out["outputFacets"] = {"outputStatistics": {"rowCount": count, "size": 10 * count, "fileCount": 1}}
        Path(f"{name}.ndjson").write_bytes(lines(run_event("load", [], [out])))
    options = ("--statistics", "0.5..2", "--format", "sarif")
    report = command("compare", "before.ndjson", "after.ndjson", *options).out
    results = json.loads(report)["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["statistics-changed"] * 2
    assert len({json.dumps(one["partialFingerprints"]) for one in results}) == 2


@pytest.mark.usefixtures("files")
def test_several_paths_are_one_later_graph(command: Command) -> None:
    events = Path("before.ndjson").read_bytes().splitlines(keepends=True)
    for number, event in enumerate(events):
        Path(f"part {number}.ndjson").write_bytes(event)
    parts = [f"part {number}.ndjson" for number in range(len(events))]
    assert command("compare", "lineage.lock.json", *parts, "--locked").code == 0
    result = command("compare", "lineage.lock.json", *parts[:1], "after.ndjson", "--locked")
    assert "differs from part 0.ndjson after.ndjson" in result.err
    assert "lock 'part 0.ndjson' after.ndjson -o lineage.lock.json" in result.err


@pytest.mark.usefixtures("files")
@each("arguments", ["- -", "lineage.lock.json - --context -"])
def test_standard_input_is_compared_once(command: Command, arguments: str) -> None:
    result = command("compare", *arguments.split(), stdin=Path("after.ndjson").read_bytes())
    assert result.code == 2
    assert result.err.startswith("openlineage-facets: -: expected standard input once")


@pytest.mark.usefixtures("files")
@each("is_formatted", [False, True])
def test_a_lock_file_is_read_from_standard_input(command: Command, is_formatted: bool) -> None:
    lock = Path("lineage.lock.json").read_bytes()
    text = json.dumps(json.loads(lock), sort_keys=True).encode() if is_formatted else lock
    result = command("compare", "before.ndjson", "-", "--fail-on", "any", stdin=text)
    assert (result.code, result.out, result.err) == (0, "no differences in lineage\n", "")
    damaged = command("compare", "before.ndjson", "-", stdin=text.replace(b'"namespace"', b'"name space"', 1))
    assert damaged.code == 1
    assert ": expected a lock file: /" in damaged.err
