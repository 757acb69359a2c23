"""Pages in a headless Chromium: clicks, keys, search, hostile names, and a large graph."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from openlineage_facets.review.change_page import change_page
from tests.graphs.page_in_browser import Page
from tests.graphs.sample_graphs import (
    HOSTILE_NAMES,
    between_namespaces_events,
    checked_events,
    copies,
    dataset,
    filtered,
    folded,
    hostile,
    orders,
    orders_events,
    run_event,
    same_names_events,
    several_runs_events,
    wide,
)
from tests.review.test_change_page import changed

pytestmark = pytest.mark.check


def test_clicking_a_dataset_marks_what_is_upstream_and_downstream(opened: Page) -> None:
    opened.open(orders())
    opened.browser.click(opened.node("curated/daily"))
    assert opened.selected() == {"curated/daily"}
    assert opened.names(".node.up") == {"raw/orders", "raw/customers", "orders.daily"}
    assert opened.names(".node.down") == {"reports.weekly", "reports/weekly"}
    opened.browser.click(opened.node("raw/orders"))
    assert opened.names(".node.up") == set()
    assert "raw/customers" not in opened.names(".node.down")


def test_a_job_passes_on_the_inputs_that_its_runs_have_declared(opened: Page) -> None:
    opened.open(copies())
    opened.browser.click(opened.node("b"))
    assert opened.names(".node.down") == {"copy", "b_copy", "report", "sums"}
    opened.browser.click("document.getElementById('fit')")
    opened.browser.click(opened.node("sums"))
    assert opened.names(".node.up") == {"report", "b_copy", "copy", "b"}
    opened.browser.click(opened.node("copy"))
    assert opened.names(".node.up") == {"a", "b", "c"}
    assert opened.names(".node.down") == {"a_copy", "b_copy", "c_copy", "report", "sums"}


def test_a_selection_does_not_change_the_zoom(opened: Page) -> None:
    opened.open(orders())
    width = "document.querySelector('.node .box').getBoundingClientRect().width"
    before = opened.browser.evaluate(width)
    opened.browser.click(opened.node("curated/daily"))
    assert opened.browser.evaluate(width) == before
    assert opened.is_in_view(opened.node("curated/daily"))
    opened.browser.press("Escape")
    assert opened.browser.evaluate(width) == before


def test_the_panel_of_a_dataset_shows_rows_and_failures_of_each_writer(opened: Page) -> None:
    outputs = [
        {**dataset("orders"), "outputFacets": {"outputStatistics": {"rowCount": rows}}} for rows in (100, 77)
    ]
    opened.open(folded([run_event("load", [], outputs[:1]), run_event("load_eu", [], outputs[1:], "FAIL")]))
    opened.browser.click(opened.node("orders"))
    assert "written by load\t100 rows" in opened.panel
    assert "written by load_eu\tFAIL · 77 rows" in opened.panel


def test_the_panel_shows_state_statistics_and_facets(opened: Page) -> None:
    events = orders_events()
    events[-1]["run"]["facets"]["errorMessage"]["message"] = "disk full\nno space left"
    opened.open(folded(events))
    opened.browser.click(opened.node("curated/daily"))
    assert "written by orders.daily" in opened.panel
    assert "1,234,567 rows · 45.7 MB" in opened.panel
    opened.browser.click(opened.node("orders.daily"))
    assert "COMPLETE" in opened.panel
    assert "1 min 12 s" in opened.panel
    opened.browser.click(opened.node("reports.weekly"))
    assert "FAIL" in opened.panel
    assert "disk full\nno space left" in opened.panel
    assert "errorMessage" in opened.panel


def test_the_panel_shows_the_runs_of_a_job(opened: Page) -> None:
    opened.open(folded(several_runs_events(12)))
    opened.browser.click(opened.node("job"))
    assert opened.browser.evaluate("document.querySelectorAll('#panel .run').length") == 10
    runs = opened.panel.split("Runs\n")[1].splitlines()
    assert runs[0].split("\t") == ["COMPLETE", "11-12 08:00", "12 min 0 s", "1,200 rows"]
    assert runs[9].split("\t") == ["FAIL", "11-03 08:00", "3 min 0 s", "300 rows"]


def test_the_runs_of_a_job_show_the_rows_of_each_output(opened: Page) -> None:
    events = several_runs_events(2)
    for event in events:
        copy = json.loads(json.dumps(event["outputs"][0]).replace('"orders"', '"copies"').replace("00}", "}"))
        event["outputs"].append(copy)
    opened.open(folded(events))
    opened.browser.click(opened.node("job"))
    runs = [line.split("\t") for line in opened.panel.split("Runs\n")[1].splitlines()]
    assert runs[0][3:] == [""]
    assert sorted(runs[1:3]) == [["copies", "2 rows"], ["orders", "200 rows"]]


def test_clicking_a_column_marks_its_lineage(opened: Page) -> None:
    opened.open(orders(), columns=True)
    total = "[...document.querySelectorAll('g.column')].find(e => e.textContent.includes('total'))"
    opened.browser.click(total)
    assert opened.columns("chosen") == {"reports/weekly.total"}
    assert opened.columns("up") == {"curated/daily.amount", "raw/orders.amount"}
    assert opened.names(".node.up") == {"curated/daily", "reports.weekly", "raw/orders", "orders.daily"}
    assert "Computed from\ncurated/daily · amount\tIDENTITY" in opened.panel


def test_dependencies_of_a_whole_dataset_are_marked_from_both_ends(opened: Page) -> None:
    address = "#dataset={}&column={}"
    opened.open(filtered(), address.format("raw/orders", "status"), columns=True)
    every_column = {"shop/open.id", "shop/open.amount"}
    assert opened.columns("down") == every_column | {"shop/report.total"}
    assert opened.names(".node.down") == {"filter", "shop/open", "report", "shop/report"}
    assert "Used by\nshop/open · all columns\tFILTER" in opened.panel
    opened.open(filtered(), address.format("shop/open", "amount"), columns=True)
    assert opened.columns("up") == {"raw/orders.status"}
    assert opened.names(".node.up") == {"filter", "raw/orders"}
    assert "All columns depend on\nraw/orders · status\tFILTER" in opened.panel
    opened.open(filtered(), address.format("shop/report", "total"), columns=True)
    assert opened.columns("up") == {"shop/open.amount", "raw/orders.status"}
    opened.open(filtered(), address.format("shop/report", "day"), columns=True)
    assert opened.columns("up") == set()
    opened.open(filtered(), "#dataset=shop/open")
    assert "All columns depend on\nraw/orders · status\tFILTER" in opened.panel


def test_marked_links_of_a_whole_dataset_lead_to_it(opened: Page) -> None:
    for name, column, kind in (("raw/orders", "status", "down"), ("shop/open", "amount", "up")):
        opened.open(filtered(), f"#dataset={name}&column={column}", columns=True)
        marked = (
            f"document.querySelector('.links path.column.{kind}').getAttribute('d').split('M').length - 1"
        )
        assert opened.browser.evaluate(marked) == (2 if kind == "down" else 1)


def test_nodes_of_the_same_name_show_their_namespaces(opened: Page) -> None:
    opened.open(folded(same_names_events()))
    labels = opened.browser.evaluate(
        "[...document.querySelectorAll('.node')].map(node =>"
        " [...node.querySelectorAll('text.name, text.detail')].map(text => text.textContent).join(' | '))"
    )
    assert len(set(labels)) == len(labels) == 9
    assert "copy | …/test-warehouse.exampl…" in labels
    assert "shop.public.orders | …/live-warehouse.exampl…" in labels
    assert "…/region-eu/orders/da… | db" in labels
    assert opened.browser.evaluate("document.querySelectorAll('.node.job circle.state').length") == 3


def test_names_end_before_the_edge_of_their_node(opened: Page) -> None:
    names = [
        "www.mmmmmmmmmmmmmmmmmmmmmm.MMMMMMMMMMMMM",
        "illillillillillillillillillillillillillillillillillil",
        "データ" * 9,
    ]
    opened.open(folded([run_event(name, [], []) for name in names]))
    boxes = "[...document.querySelectorAll('.node text.name')].map(text => text.getBBox())"
    assert max(opened.browser.evaluate(f"{boxes}.map(box => box.x + box.width)")) <= 210


def test_a_link_back_does_not_pass_behind_its_nodes(opened: Page) -> None:
    opened.open(folded([run_event("job", [dataset("in"), dataset("both")], [dataset("both")])]))
    bottom = (
        "Math.max(...[...document.querySelectorAll('{}')].map(one => one.getBoundingClientRect().bottom))"
    )
    assert opened.browser.evaluate(f"{bottom.format('.links')} > {bottom.format('.node .box')}")


def test_columns_are_expanded_and_collapsed(opened: Page) -> None:
    opened.open(orders())
    assert opened.browser.evaluate("document.querySelectorAll('g.column').length") == 0
    opened.browser.click(f"{opened.node('raw/customers')}.querySelector('[data-fold]')")
    assert opened.names("g.column") == {"id: string", "email: string"}
    opened.browser.click(f"{opened.node('raw/customers')}.querySelector('[data-fold]')")
    assert opened.names("g.column") == set()
    opened.browser.press("c")
    assert opened.browser.evaluate("document.querySelectorAll('g.column').length") == 8


def test_columns_shown_at_first_can_be_hidden(opened: Page) -> None:
    opened.open(orders(), columns=True)
    assert len(opened.names("g.column")) > 0
    opened.browser.press("c")
    assert opened.names("g.column") == set()


def test_search_finds_jobs_datasets_and_columns(opened: Page) -> None:
    opened.open(orders())
    opened.browser.press("/")
    opened.browser.write("weekly")
    found = "[...document.querySelectorAll('#results li')].map(item => item.firstChild.textContent)"
    assert opened.browser.evaluate(found) == ["reports/weekly", "reports.weekly"]
    opened.browser.press("ArrowDown")
    opened.browser.press("Enter")
    assert opened.selected() == {"reports.weekly"}
    opened.search("EMAIL")
    assert opened.columns("chosen") == {"raw/customers.email"}
    assert opened.columns("down") == {"curated/daily.customer"}


def test_keys_follow_links(opened: Page) -> None:
    opened.open(orders(), focus=["raw/orders"])
    for expected in ("orders.daily", "curated/daily", "reports.weekly"):
        opened.browser.press("ArrowRight")
        assert opened.selected() == {expected}
    opened.browser.press("ArrowLeft")
    assert opened.selected() == {"curated/daily"}
    opened.browser.press("Enter")
    assert opened.names("g.column") == {"customer: string", "amount: string", "day: string"}
    opened.browser.press("Escape")
    assert (opened.selected(), opened.panel) == (set(), "")


def test_addresses_select_a_node_or_column(opened: Page) -> None:
    opened.open(orders())
    opened.browser.click(opened.node("curated/daily"))
    address = opened.browser.evaluate("location.hash")
    assert address == "#dataset=curated%2Fdaily&namespace=db"
    opened.open(orders(), address)
    assert opened.selected() == {"curated/daily"}
    opened.open(orders(), "#dataset=raw/customers&column=email")
    assert opened.columns("down") == {"curated/daily.customer"}
    opened.open(orders(), "#job=nothing")
    assert opened.selected() == set()


def test_only_what_is_related(opened: Page) -> None:
    opened.open(orders(), focus=["raw/customers"])
    opened.browser.press("r")
    assert "raw/orders" not in opened.names()
    handle = "document.querySelector('.more')"
    opened.browser.click(handle)
    assert "raw/orders" in opened.names()
    opened.browser.press("a")
    assert len(opened.names()) == 6


def test_light_dark_and_print(opened: Page) -> None:
    opened.open(orders())
    theme = "document.documentElement.dataset.theme"
    first = opened.browser.evaluate(theme)
    opened.browser.press("t")
    assert {first, opened.browser.evaluate(theme)} == {"light", "dark"}
    pdf = base64.b64decode(opened.browser.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    assert pdf.count(b"/Type /Page\n") == 1
    assert not opened.browser.evaluate("document.getElementById('canvas').hasAttribute('viewBox')")


def test_hostile_names_are_text(opened: Page) -> None:
    opened.open(hostile(), columns=True, title="</title><script>window.hacked = 1</script>")
    opened.browser.press("a")
    count = opened.browser.evaluate("document.querySelectorAll('.node').length")
    assert count == 3 * len(HOSTILE_NAMES)
    for number in range(count):
        opened.browser.evaluate(
            f"document.querySelectorAll('.node')[{number}].querySelector('g.column')"
            "?.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
        )
        opened.browser.click(f"document.querySelectorAll('.node')[{number}].querySelector('.group')")
    for name in HOSTILE_NAMES:
        opened.search(name[:12].replace("\n", " "))
    opened.browser.evaluate("document.querySelectorAll('#panel a').forEach(link => link.click())")
    assert opened.browser.evaluate("window.hacked === undefined")
    assert opened.browser.evaluate("document.querySelectorAll('img, iframe, [onerror], [href]').length") == 0
    assert opened.browser.evaluate("document.querySelectorAll('script').length") == 2
    assert opened.browser.evaluate("document.title") == "</title><script>window.hacked = 1</script>"
    assert opened.browser.evaluate("location.protocol") == "file:"


def test_the_policy_blocks_other_scripts(opened: Page) -> None:
    opened.open(orders())
    opened.browser.evaluate(
        "addEventListener('securitypolicyviolation', event => { window.blocked = event.violatedDirective })"
    )
    opened.browser.evaluate(
        "{ const added = document.createElement('script'); added.textContent = 'window.hacked = 1';"
        " document.body.append(added); }"
    )
    opened.browser.wait_for("window.blocked")
    assert opened.browser.evaluate("[window.hacked === undefined, window.blocked]") == [
        True,
        "script-src-elem",
    ]
    opened.browser.events.clear()


def test_a_large_graph_starts_with_its_focus(opened: Page) -> None:
    lineage = wide(40, 60)
    opened.open(lineage, focus=["job-20"])
    assert 10 < len(opened.names()) <= 60
    assert opened.selected() == {"job-20"}
    before = opened.names()
    opened.browser.press("x")
    assert before < opened.names()
    opened.browser.press("a")
    assert opened.groups() == {"db", "db/part"}
    opened.search("part-39-59")
    assert opened.selected() == {"part-39-59"}
    assert "job-39" in opened.names(".node.down")
    for _ in range(2):
        opened.browser.press("g")
    assert len(opened.names()) == len(lineage.jobs) + len(lineage.datasets)


def test_a_graph_that_can_be_read_starts_with_all_of_it(opened: Page) -> None:
    """14 jobs in three layers, with 42 nodes in all."""
    events = [
        run_event(f"j{n}", [dataset(f"in{n}")], [dataset(f"out{n}"), dataset(f"out{(n + 1) % 14}")])
        for n in range(14)
    ]
    opened.open(folded(events))
    assert len(opened.names()) == 42
    assert opened.is_in_view("...document.querySelectorAll('.node .box')")
    assert opened.browser.evaluate("document.querySelector('.node text').getBoundingClientRect().height >= 8")
    assert opened.browser.evaluate("document.getElementById('map').hasAttribute('hidden')")


def test_a_large_graph_starts_with_its_groups(opened: Page) -> None:
    opened.open(wide(40, 60))
    assert opened.groups() == {"db", "db/part"}
    assert opened.is_in_view("...document.querySelectorAll('.node .box')")
    assert opened.browser.evaluate("document.getElementById('map').hasAttribute('hidden')")
    count = "document.getElementById('count').textContent"
    assert opened.browser.evaluate(count) == "2,481 shown in 2 groups"
    opened.browser.press("g")
    assert opened.groups() == set()
    assert opened.browser.evaluate("document.querySelector('.node text').getBoundingClientRect().height >= 8")
    before = opened.browser.evaluate("document.querySelector('.frame').getAttribute('x')")
    opened.browser.click("document.getElementById('map')")
    assert before != opened.browser.evaluate("document.querySelector('.frame').getAttribute('x')")
    opened.browser.press("a")
    assert opened.groups() == {"db", "db/part"}


def test_groups_open_and_close(opened: Page) -> None:
    opened.open(folded(between_namespaces_events()))
    opened.browser.press("g")
    assert opened.groups() == {"raw", "clean", "marts"}
    opened.browser.click(f"{opened.node('clean')}.querySelector('[data-fold]')")
    assert opened.names() == {"raw/orders", "clean", "clean/orders", "marts"}, "with its neighbours"
    opened.browser.click(opened.node("marts"))
    opened.browser.click("document.querySelector('#panel p button')")
    assert "marts/totals" in opened.names(), "the rest of the group of a job"
    opened.browser.click("document.querySelector('#panel p button')")
    assert "marts/totals" not in opened.names()


def test_keys_follow_links_between_groups_and_open_one(opened: Page) -> None:
    opened.open(folded(between_namespaces_events()))
    for key in ("g", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight"):
        opened.browser.press(key)
    assert opened.names(".node.chosen") == {"clean"}
    assert (opened.names(".node.up"), opened.names(".node.down")) == ({"raw"}, {"marts"})
    assert "Open group" in opened.panel
    assert opened.browser.evaluate("location.hash") == "#group=clean&namespace=clean"
    opened.browser.press("Enter")
    assert opened.names() == {"raw/orders", "clean", "clean/orders", "marts"}


def test_search_flies_to_a_node(opened: Page) -> None:
    opened.open(wide(40, 60))
    moving = {"name": "prefers-reduced-motion", "value": "no-preference"}
    opened.browser.call("Emulation.setEmulatedMedia", features=[moving])
    opened.search("step-40")
    box = f"{opened.node('step-40')}.querySelector('.box').getBoundingClientRect()"
    opened.browser.wait_for(f"{box}.left >= 0 && {box}.right <= innerWidth && {box}.top >= 0")
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    opened.browser.call("Emulation.setEmulatedMedia", features=[still])


def test_the_legend_highlights_what_an_entry_stands_for(opened: Page) -> None:
    opened.open(orders())
    titles = "[...document.querySelectorAll('#legend .part')].map(part => part.textContent)"
    assert opened.browser.evaluate(titles) == ["Kinds", "States", "Namespaces"]
    failed = "[...document.querySelectorAll('#legend button')].find(key => key.title === 'failed')"
    opened.browser.click(failed)
    assert opened.names(".node.match") == {"reports.weekly"}
    assert opened.browser.evaluate("document.getElementById('count').textContent") == "1 of 6 match"
    opened.browser.press("r")
    assert opened.names() == {"reports.weekly"}
    opened.browser.press("a")
    opened.browser.click(failed)
    assert opened.names(".node.match") == set()


def test_a_table_shows_the_same_content(opened: Page) -> None:
    opened.open(orders())
    opened.browser.press("l")
    rows = "[...document.querySelectorAll('#table tbody tr')].map(row => row.innerText)"
    assert "orders.daily\tjob\tetl\tCOMPLETE · 1 min 12 s" in "".join(opened.browser.evaluate(rows))
    assert "customer string, amount string, day string" in "".join(opened.browser.evaluate(rows))
    assert len(opened.browser.evaluate(rows)) == 6
    heights = "[...document.querySelectorAll('#table tbody tr')].map(row => row.clientHeight)"
    assert max(opened.browser.evaluate(heights)) < 80
    opened.browser.click("[...document.querySelectorAll('#table a')].find(a => a.innerText === 'raw/orders')")
    assert opened.selected() == {"raw/orders"}
    assert opened.browser.evaluate("document.getElementById('table').hidden")


def test_results_of_checks_and_tags_are_shown_on_nodes_and_columns(opened: Page) -> None:
    opened.open(folded(checked_events()), columns=True)
    node = opened.node("raw/orders")
    assert opened.browser.evaluate(f"{node}.textContent").count("1 of 2 checks failed") == 1
    assert opened.browser.evaluate(f"{node}.querySelector('.column .state.bad') !== null")
    assert "#pii" in opened.browser.evaluate(f"{node}.querySelector('.column').textContent")
    opened.browser.click(node)
    assert "not_null (email)\tfailed" in opened.panel
    assert "gold, pii (email)" in opened.panel


def test_related_nodes_and_columns_are_readable_around_the_selection(opened: Page) -> None:
    columns = tuple(f"c{n}" for n in range(20))
    chain = [
        run_event(f"j{n:02}", [dataset(f"d{n:02}")], [dataset(f"d{n + 1:02}", columns)]) for n in range(99)
    ]
    opened.open(folded(chain), "#dataset=d30&namespace=db")
    assert {f"d{n}" for n in range(26, 35)} < opened.names()
    size = "document.querySelector('.node text').getBoundingClientRect().height"
    assert opened.is_in_view(opened.node("d30"))
    for keys in ("r", "c", "c", "gg"):
        for key in keys:
            opened.browser.press(key)
        assert opened.browser.evaluate(size) >= 8
        if keys != "gg":
            assert opened.is_in_view(f"{opened.node('d30')}.querySelector('.name')"), keys


@pytest.mark.parametrize("options", [{}, {"focus": ["d30"]}, {"fragment": "#dataset=d30&namespace=db"}])
def test_a_graph_that_does_not_fit_starts_with_a_readable_part(opened: Page, options: dict[str, Any]) -> None:
    chain = [run_event(f"j{n:02}", [dataset(f"d{n:02}")], [dataset(f"d{n + 1:02}")]) for n in range(60)]
    opened.open(folded(chain), **options)
    size = "document.querySelector('.node text').getBoundingClientRect().height"
    assert opened.browser.evaluate(size) >= 8
    box = f"{opened.node('d30')}.getBoundingClientRect()"
    if options:
        assert opened.selected() == {"d30"}
        assert opened.browser.evaluate(f"{box}.left >= 0 && {box}.right <= innerWidth")
        assert opened.browser.evaluate(f"{box}.top >= 0 && {box}.bottom <= innerHeight")
    opened.browser.press("f")
    assert opened.browser.evaluate(size) < 8


def test_a_graph_that_does_not_fit_starts_at_the_edge_of_a_layer(opened: Page) -> None:
    """47 jobs: a chain of five and then 14 chains, around whose beginning most nodes are in view."""
    events = [
        run_event(
            f"j{layer}-{n}", [dataset(f"d{layer}-{n if layer > 5 else 0}")], [dataset(f"d{layer + 1}-{n}")]
        )
        for layer in range(8)
        for n in range(1 if layer < 5 else 14)
    ]
    opened.open(folded(events))
    boxes = "[...document.querySelectorAll('.node .box')].map(one => one.getBoundingClientRect())"
    assert opened.browser.evaluate(f"{boxes}.some(box => box.right < 0)")
    assert not opened.browser.evaluate(f"{boxes}.some(box => box.left < 0 && box.right > 0)")


def test_added_and_removed_parts_are_drawn_in_their_own_way(opened: Page) -> None:
    opened.file.write_text(change_page(changed()), encoding="utf-8")
    opened.browser.open(opened.file, "")
    opened.browser.wait_for("document.querySelector('.node')")
    assert opened.names(".node.removed") == {"reports/weekly"}
    assert opened.names(".node.added") == {"reports/monthly", "extra"}
    assert opened.columns("removed") == {"curated/daily.customer", "raw/orders.customer"}
    drawn = opened.browser.evaluate(
        "[...document.querySelectorAll('.links path')].map(path => path.className.baseVal)"
    )
    assert {"other removed", "other added", "other column removed", "other column added"} <= set(drawn)
