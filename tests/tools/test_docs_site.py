"""The documentation site contains all pages, with links that work and nothing loaded from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import openlineage_facets
from openlineage_facets.cli.app import app
from tests.cases import each
from tests.conftest import ROOT
from tools.docs_site.built_site import problems_of
from tools.docs_site.reference_pages import reference_pages
from tools.docs_site.sample_lineage import sample_page
from tools.docs_site.site_versions import add_version
from tools.docs_site.source_pages import repository_pages, with_live_page


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "examples").mkdir()
    (tmp_path / "README.md").write_text(
        "[state](docs/state.md#edges), [site](https://example.com), [here](#x)\n"
    )
    (tmp_path / "docs" / "state.md").write_text(
        "![picture](graph.svg) [start](../README.md) [rules](../CONTRIBUTING.md) [folder](../examples)\n"
        "```text\n[not](a-link.md)\n```\n"
    )
    (tmp_path / "docs" / "graph.svg").write_text("<svg/>")
    (tmp_path / "CONTRIBUTING.md").write_text("[state](docs/state.md) [license](LICENSE)\n")
    (tmp_path / "LICENSE").write_text("Apache")
    (tmp_path / "examples" / "job.py").write_text("print(1)\n")
    return tmp_path


def test_links_lead_to_pages_of_the_site(repository: Path) -> None:
    pages = {name: content.decode() for name, content in repository_pages(repository).items()}
    assert pages.pop("index.md") == "[state](state.md#edges), [site](https://example.com), [here](#x)\n"
    assert pages.pop("state.md") == (
        "![picture](graph.svg) [start](index.md) [rules](repository/CONTRIBUTING.md) "
        "[folder](repository/examples/index.md)\n```text\n[not](a-link.md)\n```\n"
    )
    assert pages == {
        "graph.svg": "<svg/>",
        "repository/LICENSE": "Apache",
        "repository/CONTRIBUTING.md": "[state](../state.md) [license](../repository/LICENSE)\n",
        "repository/examples/index.md": "# examples\n\n## job.py\n\n```python\nprint(1)\n```\n",
    }


def test_code_names_only_its_language(repository: Path) -> None:
    text = "# Rules\n\n```python examples/job.py\nprint(1)\n```\n\n```\ntext\n```\n"
    (repository / "docs" / "rules.md").write_text(text)
    page = repository_pages(repository)["rules.md"].decode()
    assert page == text.replace(" examples/job.py", "")


def test_the_command_that_installs_is_shown_for_pip_and_uv(repository: Path) -> None:
    command = '```sh\npip install ".[cli]"\n```\n'
    (repository / "docs" / "ci.md").write_text(f"<!-- not run: needs an index -->\n\n{command}")
    assert repository_pages(repository)["ci.md"].decode() == (
        '=== "pip"\n\n    ```sh\n    pip install ".[cli]"\n    ```\n\n'
        '=== "uv"\n\n    ```sh\n    uv pip install ".[cli]"\n    ```\n'
    )


def test_the_start_page_has_a_graph_to_click_through_in_place_of_its_picture() -> None:
    start = with_live_page(repository_pages(ROOT)["index.md"].decode(), "sample.html")
    assert '<iframe class="lineage" src="sample.html"' in start
    assert "](lineage.svg)" not in start
    assert "bi.sales.revenue" in sample_page()


def test_a_link_to_nothing_is_an_error(repository: Path) -> None:
    (repository / "docs" / "new.md").write_text("[x](missing.md)")
    with pytest.raises(FileNotFoundError, match=r"new\.md: link to missing\.md, which does not exist"):
        repository_pages(repository)


def test_the_site_has_every_page_of_this_repository() -> None:
    pages = repository_pages(ROOT)
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= pages.keys()
    assert pages["index.md"].startswith(b"# openlineage-facets")


def test_the_reference_has_a_page_for_each_class_and_one_for_the_other_names_and_commands() -> None:
    pages = {name: content.decode() for name, content in reference_pages().items()}
    names = {name for name in openlineage_facets.__all__ if not name.startswith("__")}
    functions = re.findall(r"^::: [\w.]+\.(\w+)$", pages["reference/events.md"], re.MULTILINE)
    classes = {Path(name).stem for name in pages if name.startswith("reference/events/")}
    assert (classes | set(functions), classes & set(functions)) == (names, set())
    assert re.findall(r"\]\(events/(\w+)\.md\)", pages["reference/events.md"]) == sorted(classes)
    assert "::: openlineage_facets.spark.run.spark_run.SparkRun" in pages["reference/spark/SparkRun.md"]
    commands = pages["reference/command-line.md"]
    for command in app.registered_commands:
        assert f"## openlineage-facets {command.name}\n" in commands
    assert "--null-is-absent" in commands


@each(
    ("html", "problem"),
    [
        ('<a href="other.html">x</a> <a href="other.html#here">x</a> <a href="#top">x</a>', None),
        ('<a href="https://example.com/">x</a> <a href="mailto:a@example.com">x</a>', None),
        ('<a href="missing.html">x</a>', "link to missing.html, which does not exist"),
        ('<a href="other.html#there">x</a>', "link to other.html#there, which has no such section"),
        ('<script src="https://cdn.example.com/x.js"></script>', "loads https://cdn.example.com/x.js"),
        ('<link rel="stylesheet" href="//fonts.example.com/x">', "loads //fonts.example.com/x"),
        ('<img src="https://example.com/x.png">', "loads https://example.com/x.png"),
    ],
)
def test_problems_of_a_built_site_are_found(html: str, problem: str | None, tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text('<h1 id="here">Other</h1>')
    (tmp_path / "page.html").write_text(f'<h1 id="top">Page</h1>{html}')
    style = "p { background: url(x.png) } @import url('https://fonts.example.com/x');"
    (tmp_path / "a.css").write_text(style)
    of_page = [] if problem is None else [f"page.html: {problem}"]
    assert list(problems_of(tmp_path)) == [*of_page, "a.css: loads https://fonts.example.com/x"]


def test_each_version_has_a_folder_and_the_start_page_leads_to_the_newest(tmp_path: Path) -> None:
    site, sites = tmp_path / "site", tmp_path / "sites"
    site.mkdir()
    for version in ("0.9", "0.10", "0.2", "0.9"):
        (site / "index.html").write_text(version)
        add_version(site, version, sites)
    listed = json.loads((sites / "versions.json").read_text())
    assert [one["version"] for one in listed] == ["0.10", "0.9", "0.2"]
    assert [(sites / one["version"] / "index.html").read_text() for one in listed] == ["0.10", "0.9", "0.2"]
    assert "url=0.10/index.html" in (sites / "index.html").read_text()
