"""`openlineage-facets check`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import lines
from tests.graphs.sample_graphs import dataset, orders_events, run_event


@pytest.fixture
def files(command: Command) -> None:
    """Write events, their lock and two files of policies."""
    Path("events").mkdir()
    Path("events/orders.ndjson").write_bytes(lines(*orders_events("COMPLETE")))
    command("lock", "events", "-o", "lineage.lock.json")
    strict = '[[distance]]\nproducts = ["reports/*"]\njobs = 1\n'
    Path("strict.toml").write_text(strict, encoding="utf-8")
    Path("loose.toml").write_text(strict.replace("jobs = 1", "jobs = 2"), encoding="utf-8")


@pytest.mark.usefixtures("files")
@each(("arguments", "reports"), [
    ("events", "db reports"),
    ("lineage.lock.json", "db reports"),
    ("events --naming naming.toml", "warehouse reports"),
    ("lineage.lock.json --naming naming.toml", "warehouse reports"),
])  # fmt: skip
def test_violations_are_errors_at_the_line_of_their_policy(
    command: Command, arguments: str, reports: str
) -> None:
    rule = "from = { namespace = 'db', name = 'reports/{x}' }\nto = { namespace = 'warehouse' }"
    Path("naming.toml").write_text(f"[[datasets]]\n{rule}\n", encoding="utf-8")
    result = command("check", *arguments.split(), "--policy", "strict.toml")
    assert (result.code, result.err) == (1, "")
    assert result.out.splitlines() == [
        f"strict.toml:1: error OL826 {reports}/weekly: expected at most 1 jobs from a source, found 2: "
        "db raw/orders -> job etl orders.daily -> db curated/daily -> job etl reports.weekly -> "
        f"{reports}/weekly",
        "1 error and 0 warnings of 1 policy in 2 jobs and 4 datasets",
    ]
    assert command("check", *arguments.split(), "--policy", "loose.toml").code == 0


@pytest.mark.usefixtures("files")
def test_policies_may_be_in_pyproject_toml_which_other_commands_read_too(command: Command) -> None:
    table = "[tool.openlineage-facets]\nstrict = false\n\n[[tool.openlineage-facets.policies.used]]\n"
    Path("pyproject.toml").write_text(f'{table}have = ["writer"]\n', encoding="utf-8")
    assert "pyproject.toml:4: error OL824 db raw/orders" in command("check", "events").out
    assert command("validate", "events").code != 2
    Path("pyproject.toml").write_text(f'{table}have = "writer"\n', encoding="utf-8")
    assert command("check", "events").err.startswith("openlineage-facets: pyproject.toml:5: used.have: ")


@pytest.mark.usefixtures("files")
def test_policies_are_those_of_the_nearest_settings(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "[[tool.openlineage-facets.policies.used]]\n"
    Path("pyproject.toml").write_text(f'{table}have = ["writer"]\n', encoding="utf-8")
    Path("sub").mkdir()
    Path("sub/pyproject.toml").write_text('[project]\nname = "sub"\n', encoding="utf-8")
    monkeypatch.chdir("sub")
    assert "../pyproject.toml:1: error OL824 db raw/orders" in command("check", "../events").out


@pytest.mark.usefixtures("files")
@each("report_format", ["json", "sarif", "junit", "github"])
def test_every_format_names_code_and_path(command: Command, report_format: str) -> None:
    out = command("check", "events", "--policy", "strict.toml", "--format", report_format).out
    assert "OL826" in out
    assert "job etl reports.weekly" in out


@pytest.mark.usefixtures("files")
def test_policies_of_one_kind_that_find_the_same_dataset_are_alerts_of_their_own(command: Command) -> None:
    layer = '[[layers]]\ndatasets = ["reports/*"]\nmust-not-read = ["curated/*"]\n'
    written = '[[writers]]\ndatasets = ["reports/*"]\njobs = ["{}"]\n'
    Path("two.toml").write_text(f"{layer}{written.format('a')}{written.format('b')}", encoding="utf-8")
    report = command("check", "events", "--policy", "two.toml", "--format", "sarif").out
    results = json.loads(report)["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["OL827", "OL822", "OL822"]
    assert len({json.dumps(one["partialFingerprints"]) for one in results}) == 3


def test_violations_of_one_policy_at_one_dataset_are_alerts_of_their_own(command: Command) -> None:
    a, b, out, own = dataset("s3://a"), dataset("s3://b"), dataset("out"), dataset("own")
    more = dataset("more")
    jobs = [([a, b], out), ([a], out), ([own], own), ([own], more), ([more], own)]
    events = [run_event(f"job {number}", inputs, [output]) for number, (inputs, output) in enumerate(jobs)]
    for reader in ("one", "two"):
        event = run_event(reader, [out], [])
        event["job"]["namespace"] = "airflow://other"
        events.append(event)
    Path("events.ndjson").write_bytes(lines(*events))
    Path("policies.toml").write_text(
        '[[layers]]\ndatasets = ["out"]\nmust-not-read = ["s3:*"]\n'
        '[[writers]]\ndatasets = ["out"]\njobs = ["x"]\n'
        '[[published]]\npublished = ["more"]\n[[cycles]]\ndatasets = ["own"]\nalso-direct = true\n',
        encoding="utf-8",
    )
    options = ("--policy", "policies.toml", "--format", "sarif")
    results = json.loads(command("check", "events.ndjson", *options).out)["runs"][0]["results"]
    codes = [one["ruleId"] for one in results]
    assert codes == [*["OL827"] * 3, *["OL822"] * 2, *["OL828"] * 2, *["OL825"] * 2]
    assert len({json.dumps(one["partialFingerprints"]) for one in results}) == len(results)


@pytest.mark.usefixtures("files")
@each(("policies", "content"), [
    ("loose.toml", 'name="no errors" time="0"/>'),
    ("strict.toml", 'name="line 1" time="0"><failure message="db reports/weekly'),
])  # fmt: skip
def test_policies_are_one_suite_also_without_violations(
    command: Command, policies: str, content: str
) -> None:
    out = command("check", "events", "--policy", policies, "--format", "junit").out
    assert f'<testsuite name="{policies}" ' in out
    assert out.count("<testsuite ") == out.count("<testcase ") == 1
    assert f'<testcase classname="{policies}" {content}' in out


@pytest.mark.usefixtures("files")
@each(
    ("arguments", "message"),
    [
        ("events --policy missing.toml", "missing.toml: no such file or directory; check the path"),
        ("events", "pyproject.toml: no such file or directory; pass --policy FILE"),
        ("missing --policy strict.toml", "missing"),
        ("events --policy empty.toml", "empty.toml: expected policies, such as [[tag]], found none"),
    ],
)
def test_what_cannot_be_checked_is_one_line(command: Command, arguments: str, message: str) -> None:
    Path("empty.toml").write_text("", encoding="utf-8")
    result = command("check", *arguments.split())
    assert result.code == 2
    assert result.err.startswith(f"openlineage-facets: {message}")
    assert result.err.count("\n") == 1


@pytest.mark.usefixtures("files")
@each(("policy", "message"), [
    ("[[distance]]\nproducts = ['report/*']\njobs = 2",
     "distance.products: report/* matches no dataset that a job reads or writes in this lineage; "
     "did you mean reports/*?"),
    ("[[layers]]\ndatasets = ['raw/*']\nmust-not-read = ['crm/*', 'db/*']",
     "layers.must-not-read: crm/* matches no dataset that a job reads or writes in this lineage"),
    ("[[writers]]\ndatasets = ['curated/*']\njobs = ['orders.daly', 'orders.*']\nowners = ['team:x']",
     "writers.jobs: orders.daly matches no job in this lineage; did you mean orders.daily?; "
     "writers.owners: team:x matches no owner in this lineage"),
    ("[[tag]]\ntag = 'PII'\nmust-not-reach = ['reports/*']",
     "tag.tag: PII: no column in this lineage has this tag; did you mean pii?"),
    ("[[tag]]\nfacet = 'acme/columns'\nmust-not-reach = ['reports/*']",
     "tag.facet: acme/columns: no dataset in this lineage lists columns in it"),
])  # fmt: skip
def test_what_matches_nothing_is_reported_once_for_each_policy(
    command: Command, policy: str, message: str
) -> None:
    events = orders_events("COMPLETE")
    for event in events[:2]:
        event["inputs"][1]["facets"]["tags"] = {"tags": [{"key": "pii", "value": "true", "field": "email"}]}
    Path("tagged.ndjson").write_bytes(lines(*events))
    Path("policies.toml").write_text(f"\n{policy}\n", encoding="utf-8")
    result = command("check", "tagged.ndjson", "--policy", "policies.toml")
    assert result.err == f"openlineage-facets: policies.toml:2: {message}\n"
    assert result.code == 0


@pytest.mark.usefixtures("files")
@each("arguments", ["compare lineage.lock.json tagged.ndjson", "graph tagged.ndjson --format json"])
def test_tags_to_propagate_that_no_column_has_are_reported(command: Command, arguments: str) -> None:
    events = orders_events("COMPLETE")
    events[1]["inputs"][1]["facets"]["tags"] = {"tags": [{"key": "pii", "value": "true", "field": "email"}]}
    Path("tagged.ndjson").write_bytes(lines(*events))
    result = command(*arguments.split(), "--propagate", "PII")
    message = "--propagate PII: no column in this lineage has this tag; did you mean pii?"
    assert (result.code, result.err) == (0, f"openlineage-facets: {message}\n")
    assert command(*arguments.split(), "--propagate", "pii").err == ""


@pytest.mark.usefixtures("files")
def test_tags_propagate_in_graph_and_compare(command: Command) -> None:
    events = orders_events("COMPLETE")
    for event in events[:2]:
        facet = {"_producer": event["producer"], "_schemaURL": event["schemaURL"]}
        tags = [{"key": "pii", "value": "true", "field": "email"}]
        event["inputs"][1]["facets"]["tags"] = {**facet, "tags": tags}
    Path("tagged.ndjson").write_bytes(lines(*events))
    out = command("compare", "lineage.lock.json", "tagged.ndjson", "--propagate", "pii").out
    assert "tags     column customer: none -> pii=true" in out
    page = command("graph", "tagged.ndjson", "--format", "json", "--propagate", "pii").out
    assert json.loads(page)
    assert page.count('"pii"') > command("graph", "tagged.ndjson", "--format", "json").out.count('"pii"')


@pytest.mark.usefixtures("files")
def test_policies_of_one_kind_with_several_severities_are_counted_and_tested_apart(command: Command) -> None:
    writers = '[[writers]]\ndatasets = ["reports/*"]\njobs = ["{}"]\n'
    policies = [writers.format("a"), writers.format("b"), f'{writers.format("c")}severity = "warning"\n']
    Path("three.toml").write_text("".join(policies), encoding="utf-8")
    report = json.loads(command("check", "events", "--policy", "three.toml", "--format", "json").out)
    assert report["summary"]["codes"] == {"OL822": 3}
    suite = command("check", "events", "--policy", "three.toml", "--format", "junit").out
    assert 'failures="2"' in suite
    assert all(f'name="line {line}"' in suite for line in (1, 4))


@pytest.mark.usefixtures("files")
def test_a_policy_file_with_deeply_nested_values_is_invalid(command: Command) -> None:
    Path("deep.toml").write_text(f"x = {'[' * 20_000}", encoding="utf-8")
    result = command("check", "events", "--policy", "deep.toml")
    assert result.code == 2
    assert result.err.startswith("openlineage-facets: deep.toml: expected TOML: ")
