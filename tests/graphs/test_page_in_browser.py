"""Pages in a headless Chromium: clicks, keys, search, hostile names, and a large graph."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

import pytest

from openlineage_facets.base.display.printable import printable
from openlineage_facets.review.change_page import change_page
from openlineage_facets.state import Lineage
from tests.events import facet
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

BUTTON = "document.querySelector('#panel p button')"


def chain(jobs: int, columns: tuple[str, ...] = ()) -> Lineage:
    """Return the graph of jobs that each read the dataset of the one before."""
    return folded(
        [
            run_event(f"j{n:02}", [dataset(f"d{n:02}")], [dataset(f"d{n + 1:02}", columns)])
            for n in range(jobs)
        ]
    )


def test_clicking_a_dataset_marks_what_is_upstream_and_downstream(opened: Page) -> None:
    opened.open(orders())
    width = "document.querySelector('.node .box').getBoundingClientRect().width"
    before = opened.browser.evaluate(width)
    opened.browser.click(opened.node("curated/daily"))
    assert opened.selected() == {"curated/daily"}
    assert opened.names(".node.up") == {"raw/orders", "raw/customers", "orders.daily"}
    assert opened.names(".node.down") == {"reports.weekly", "reports/weekly"}
    assert opened.is_in_view(opened.node("curated/daily"))
    assert opened.browser.evaluate(width) == before, "the zoom has changed"
    opened.browser.click(opened.node("raw/orders"))
    assert opened.names(".node.up") == set()
    assert "raw/customers" not in opened.names(".node.down")
    opened.browser.press("Escape")
    assert (opened.selected(), opened.panel) == (set(), "")
    assert opened.browser.evaluate(width) == before


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


def test_the_panel_shows_state_statistics_and_failures(opened: Page) -> None:
    events = orders_events()
    message = "disk full\nno space left"
    events[-1]["run"]["facets"]["errorMessage"] |= {"message": message, "stackTrace": "at x\n" * 5000}
    again = {**dataset("curated/daily"), "outputFacets": {"outputStatistics": {"rowCount": 77}}}
    opened.open(folded([*events, run_event("load_eu", [], [again], "FAIL")]))
    opened.browser.click(opened.node("curated/daily"))
    assert "written by orders.daily\t1,234,567 rows · 45.7 MB" in opened.panel
    assert "written by load_eu\tFAIL · 77 rows" in opened.panel
    opened.browser.click(opened.node("orders.daily"))
    assert "COMPLETE" in opened.panel
    assert "1 min 12 s" in opened.panel
    opened.browser.click(opened.node("reports.weekly"))
    for text in ("FAIL", message, "errorMessage"):
        assert text in opened.panel
    label = f"{opened.node('reports.weekly')}.getAttribute('aria-label')"
    assert opened.browser.evaluate(label).startswith("job reports.weekly, FAIL")


def test_the_panel_shows_the_runs_of_a_job(opened: Page) -> None:
    opened.open(folded(several_runs_events(12)), "#job=job")
    assert opened.browser.evaluate("document.querySelectorAll('#panel .run').length") == 10
    runs = opened.panel.split("Runs\n")[1].splitlines()
    assert runs[0].split("\t") == ["COMPLETE", "11-12 08:00", "12 min 0 s", "1,200 rows"]
    assert runs[9].split("\t") == ["FAIL", "11-03 08:00", "3 min 0 s", "300 rows"]


def test_the_runs_of_a_job_show_the_rows_of_each_output(opened: Page) -> None:
    events = several_runs_events(2)
    for event in events:
        copy = json.loads(json.dumps(event["outputs"][0]).replace('"orders"', '"copies"').replace("00}", "}"))
        event["outputs"].append(copy)
    opened.open(folded(events), "#job=job")
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
    opened.browser.press("c")
    assert opened.names("g.column") == set()


def test_dependencies_of_a_whole_dataset_are_marked_from_both_ends(opened: Page) -> None:
    def marked_links(kind: str) -> int:
        path = f"document.querySelector('.links path.column.{kind}').getAttribute('d')"
        return int(opened.browser.evaluate(f"{path}.split('M').length - 1"))

    address = "#dataset={}&column={}"
    opened.open(filtered(), address.format("raw/orders", "status"), columns=True)
    every_column = {"shop/open.id", "shop/open.amount"}
    assert opened.columns("down") == every_column | {"shop/report.total"}
    assert opened.names(".node.down") == {"filter", "shop/open", "report", "shop/report"}
    assert "Used by\nshop/open · all columns\tFILTER" in opened.panel
    assert marked_links("down") == 2
    opened.open(filtered(), address.format("shop/open", "amount"), columns=True)
    assert opened.columns("up") == {"raw/orders.status"}
    assert opened.names(".node.up") == {"filter", "raw/orders"}
    assert "All columns depend on\nraw/orders · status\tFILTER" in opened.panel
    assert marked_links("up") == 1
    opened.open(filtered(), address.format("shop/report", "total"), columns=True)
    assert opened.columns("up") == {"shop/open.amount", "raw/orders.status"}
    opened.open(filtered(), address.format("shop/report", "day"), columns=True)
    assert opened.columns("up") == set()
    opened.open(filtered(), "#dataset=shop/open")
    assert "All columns depend on\nraw/orders · status\tFILTER" in opened.panel


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


def test_columns_are_expanded_and_collapsed(opened: Page) -> None:
    opened.open(orders())
    assert opened.names("g.column") == set()
    fold = f"{opened.node('raw/customers')}.querySelector('[data-fold]')"
    opened.browser.click(fold)
    assert opened.names("g.column") == {"id: string", "email: string"}
    opened.browser.click(fold)
    assert opened.names("g.column") == set()
    opened.browser.press("c")
    assert opened.browser.evaluate("document.querySelectorAll('g.column').length") == 8


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


def test_addresses_select_a_node_or_column(opened: Page) -> None:
    opened.open(orders())
    opened.browser.click(opened.node("curated/daily"))
    address = opened.browser.evaluate("location.hash")
    assert address == "#dataset=curated%2Fdaily&namespace=db"
    opened.open(orders(), address)
    assert opened.selected() == {"curated/daily"}
    opened.open(orders(), "#dataset=raw/customers&column=email")
    assert opened.columns("down") == {"curated/daily.customer"}


def test_an_address_that_is_not_in_the_graph_is_named(opened: Page) -> None:
    opened.open(orders(), "#dataset=nothing", focus=["raw/orders"])
    assert opened.text("#count") == "6 shown; not in this graph: nothing"
    opened.open(orders(), "#dataset=raw/orders&column=gone")
    assert opened.text("#count") == "6 shown; not in this graph: gone"
    count = "document.getElementById('count').textContent"
    for address, shown, selected in (
        ("#dataset=raw/customers", "6 shown", {"raw/customers"}),
        ("#job=nothing", "6 shown; not in this graph: nothing", set()),
        ("#job=orders.daily", "6 shown", {"orders.daily"}),
    ):
        opened.browser.evaluate(f"location.hash = '{address}'")
        opened.browser.wait_for(f"{count} === '{shown}'")
        assert opened.selected() == selected
    opened.browser.evaluate("location.hash = ''")
    opened.browser.wait_for("!document.querySelector('.node.chosen')")
    assert opened.text("#count") == "6 shown"


def test_only_what_is_related(opened: Page) -> None:
    opened.open(orders(), focus=["raw/customers"])
    opened.browser.press("r")
    assert "raw/orders" not in opened.names()
    opened.browser.click("document.querySelector('.more')")
    assert "raw/orders" in opened.names()
    opened.browser.press("a")
    assert len(opened.names()) == 6


def test_light_dark_and_print(opened: Page) -> None:
    opened.open(orders())
    theme = "document.documentElement.dataset.theme"
    first = opened.browser.evaluate(theme)
    opened.browser.press("t")
    assert {first, opened.browser.evaluate(theme)} == {"light", "dark"}
    assert opened.pages_when_printed == 1
    assert not opened.browser.evaluate("document.getElementById('canvas').hasAttribute('viewBox')")


def test_hostile_names_are_text(opened: Page) -> None:
    title = "</title><script>window.hacked = 1</script>"
    opened.open(hostile(), columns=True, title=title)
    count = opened.browser.evaluate("document.querySelectorAll('.node').length")
    assert count == 3 * len(HOSTILE_NAMES)
    for place in (".group", "g.column"):
        opened.browser.evaluate(
            f"for (let number = 0; number < {count}; number++) for (const kind of ['down', 'up'])"
            f" (document.querySelectorAll('.node')[number].querySelector('{place}') ?? document.body)"
            ".dispatchEvent(new PointerEvent(`pointer${kind}`, {bubbles: true, isPrimary: true, buttons: 1}))"
        )
        assert opened.selected()
    for name in HOSTILE_NAMES:
        opened.search(name[:12].replace("\n", " "))
    opened.browser.evaluate("document.querySelectorAll('#panel a').forEach(link => link.click())")
    assert opened.browser.evaluate("window.hacked === undefined")
    assert opened.browser.evaluate("document.querySelectorAll('img, iframe, [onerror], [href]').length") == 0
    assert opened.browser.evaluate("document.querySelectorAll('script').length") == 2
    assert opened.browser.evaluate("[document.title, location.protocol]") == [title, "file:"]


def test_the_policy_blocks_other_scripts(opened: Page) -> None:
    opened.open(orders())
    opened.browser.evaluate(
        "addEventListener('securitypolicyviolation', event => { window.blocked = event.violatedDirective });"
        "{ const added = document.createElement('script'); added.textContent = 'window.hacked = 1';"
        " document.body.append(added); }"
    )
    opened.browser.wait_for("window.blocked")
    state = "[window.hacked === undefined, window.blocked]"
    assert opened.browser.evaluate(state) == [True, "script-src-elem"]
    opened.browser.events.clear()


def large() -> Lineage:
    """Return a graph of 311 jobs and datasets, which starts with its groups."""
    return wide(5, 60)


def test_a_large_graph_starts_with_its_focus(opened: Page) -> None:
    opened.open(large(), focus=["job-2"])
    assert 10 < len(opened.names()) <= 60
    assert opened.selected() == {"job-2"}
    before = opened.names()
    opened.browser.press("x")
    assert before < opened.names()
    opened.browser.press("a")
    assert opened.groups() == {"db", "db/part"}
    opened.search("part-4-59")
    assert opened.selected() == {"part-4-59"}
    assert "job-4" in opened.names(".node.down")
    for _ in range(2):
        opened.browser.press("g")
    assert len(opened.names()) == 311


def test_a_large_graph_starts_with_its_groups(opened: Page) -> None:
    opened.open(large())
    assert opened.groups() == {"db", "db/part"}
    assert opened.is_in_view("...document.querySelectorAll('.node .box')")
    assert opened.browser.evaluate("document.getElementById('map').hasAttribute('hidden')")
    assert opened.text("#count") == "311 shown in 2 groups"
    opened.browser.press("g")
    assert opened.groups() == set()
    assert opened.height_of_text >= 8
    x = "document.querySelector('.frame').getAttribute('x')"
    before = opened.browser.evaluate(x)
    opened.browser.click("document.getElementById('map')")
    assert before != opened.browser.evaluate(x)
    opened.browser.press("a")
    assert opened.groups() == {"db", "db/part"}


def test_a_graph_that_can_be_read_starts_with_all_of_it(opened: Page) -> None:
    """14 jobs in three layers, with 42 nodes in all."""
    events = [
        run_event(f"j{n}", [dataset(f"in{n}")], [dataset(f"out{n}"), dataset(f"out{(n + 1) % 14}")])
        for n in range(14)
    ]
    opened.open(folded(events))
    assert len(opened.names()) == 42
    assert opened.is_in_view("...document.querySelectorAll('.node .box')")
    assert opened.height_of_text >= 8
    assert opened.browser.evaluate("document.getElementById('map').hasAttribute('hidden')")


def test_groups_open_and_close(opened: Page) -> None:
    opened.open(folded(between_namespaces_events()))
    opened.browser.press("g")
    assert opened.groups() == {"raw", "clean", "marts"}
    opened.browser.click(f"{opened.node('clean')}.querySelector('[data-fold]')")
    assert opened.names() == {"raw/orders", "clean", "clean/orders", "marts"}, "with its neighbours"
    opened.browser.click(opened.node("marts"))
    opened.browser.click(BUTTON)
    assert "marts/totals" in opened.names(), "the rest of the group of a job"
    opened.browser.click(BUTTON)
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
    opened.open(large())
    for motion in ("no-preference", "reduce"):
        media = [{"name": "prefers-reduced-motion", "value": motion}]
        opened.browser.call("Emulation.setEmulatedMedia", features=media)
        if motion != "reduce":
            opened.search("step-5")
            box = f"{opened.node('step-5')}.querySelector('.box').getBoundingClientRect()"
            opened.browser.wait_for(f"{box}.left >= 0 && {box}.right <= innerWidth && {box}.top >= 0")


def test_the_legend_highlights_what_an_entry_stands_for(opened: Page) -> None:
    opened.open(orders(), "#job=orders.daily")
    titles = "[...document.querySelectorAll('#legend .part')].map(part => part.textContent)"
    assert opened.browser.evaluate(titles) == ["Kinds", "States", "Namespaces"]
    failed = opened.key_of_legend("failed")
    opened.browser.click(failed)
    assert opened.names(".node.match") == {"reports.weekly"}
    assert opened.text("#count") == "1 of 6 match"
    opened.browser.press("r")
    assert opened.names() == {"reports.weekly"}, "also with a selection"
    assert (opened.selected(), opened.panel) == (set(), "")
    opened.browser.press("a")
    opened.browser.click(failed)
    assert opened.names(".node.match") == set()


def test_a_table_shows_the_same_content(opened: Page) -> None:
    opened.open(orders())
    opened.browser.press("l")
    rows = opened.browser.evaluate("[...document.querySelectorAll('#table tbody tr')].map(r => r.innerText)")
    assert "orders.daily\tjob\tetl\tCOMPLETE · 1 min 12 s" in "".join(rows)
    assert "customer string, amount string, day string" in "".join(rows)
    assert len(rows) == 6
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
    opened.open(chain(60, tuple(f"c{n}" for n in range(12))), "#dataset=d30&namespace=db")
    assert {f"d{n}" for n in range(26, 35)} < opened.names()
    assert opened.is_in_view(opened.node("d30"))
    for keys in ("r", "c", "c", "gg"):
        for key in keys:
            opened.browser.press(key)
        assert opened.height_of_text >= 8
        if keys != "gg":
            assert opened.is_in_view(f"{opened.node('d30')}.querySelector('.name')"), keys


@pytest.mark.parametrize("options", [{}, {"focus": ["d30"]}, {"fragment": "#dataset=d30&namespace=db"}])
def test_a_graph_that_does_not_fit_starts_with_a_readable_part(opened: Page, options: dict[str, Any]) -> None:
    opened.open(chain(60), **options)
    assert opened.height_of_text >= 8
    if options:
        assert opened.selected() == {"d30"}
        assert opened.is_in_view(f"{opened.node('d30')}.querySelector('.box')")
    opened.browser.press("f")
    assert opened.height_of_text < 8


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
    opened.show(change_page(changed()))
    assert opened.names(".node.removed") == {"reports/weekly"}
    assert opened.names(".node.added") == {"reports/monthly", "extra"}
    assert opened.columns("removed") == {"curated/daily.customer", "raw/orders.customer"}
    drawn = opened.browser.evaluate(
        "[...document.querySelectorAll('.links path')].map(path => path.className.baseVal)"
    )
    assert {"other removed", "other added", "other column removed", "other column added"} <= set(drawn)


def test_the_panel_shows_every_digit_of_a_number(opened: Page) -> None:
    source = dataset("orders")
    source["facets"]["iceberg"] = facet(snapshotId=8744736658442914487, huge=10**400, x=1.0)
    opened.open(folded([run_event("load", [], [source])]), "#dataset=orders")
    shown = json.loads(opened.text("#panel pre"))
    assert shown == {"snapshotId": 8744736658442914487, "huge": 10**400, "x": 1.0}


def test_a_tag_that_ends_like_that_of_a_column_is_one_of_the_dataset(opened: Page) -> None:
    source = dataset("orders", ("EU",))
    tags = [{"key": "owner", "value": "Team (EU)"}, {"key": "pii", "value": "true", "field": "EU"}]
    source["facets"]["tags"] = facet(tags=tags)
    opened.open(folded([run_event("load", [], [source])]), "#dataset=orders&column=EU")
    assert "Tags\n\npii (EU)" in opened.panel
    assert "Team" not in opened.panel


def test_a_selection_that_is_no_longer_shown_is_cleared(opened: Page) -> None:
    opened.open(large())
    for key in ("a", "g"):
        opened.search("part-4-59")
        assert opened.panel
        opened.browser.press(key)
        assert (opened.panel, opened.selected()) == ("", set())
        opened.browser.press("x")
        assert opened.text("#count") == "311 shown in 2 groups"


def test_some_of_the_groups_are_never_mixed_with_what_is_in_them(opened: Page) -> None:
    events = [
        run_event(
            f"{source}-{n}",
            [{**dataset(f"in{n}"), "namespace": source}],
            [{**dataset(f"out{n}"), "namespace": target}],
        )
        for source, target in (("raw", "clean"), ("other", "end"))
        for n in range(40)
    ]
    opened.open(folded(events))
    assert opened.groups() == {"raw", "clean", "other", "end"}
    for name in ("raw", "other"):
        opened.browser.press("a")
        opened.browser.click(opened.node(name))
        opened.browser.press("r")
        assert len(opened.groups()) == 2
        assert "in 2 groups" in opened.text("#count")
        opened.search(f"{name}/in7")
        assert opened.groups() == set()


_PLACE = "document.querySelector('#canvas > g').getAttribute('transform')"


def test_only_the_main_button_drags_and_selects(opened: Page) -> None:
    opened.open(orders())

    def mouse(kind: str, x: float, y: float, button: str, buttons: int) -> None:
        opened.browser.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=1
        )

    before = opened.browser.evaluate(_PLACE)
    box = f"{opened.node('raw/orders')}.getBoundingClientRect()"
    x, y = opened.browser.evaluate(f"[{box}.x + 30, {box}.y + 20]")
    mouse("mousePressed", x, y, "right", 2)
    mouse("mouseReleased", x, y, "right", 0)
    assert opened.selected() == set()
    mouse("mousePressed", x, y, "right", 2)
    mouse("mouseMoved", x + 60, y + 30, "none", 0)
    assert opened.browser.evaluate(_PLACE) == before
    mouse("mousePressed", x, y, "left", 1)
    mouse("mouseMoved", x + 60, y + 30, "none", 0)  # A menu has swallowed the end of the drag.
    assert opened.browser.evaluate(_PLACE) == before
    opened.browser.evaluate("document.getElementById('search').value = 'orders'")
    opened.browser.press("/")
    opened.browser.evaluate(
        "document.querySelector('#results li').dispatchEvent(new MouseEvent('mousedown', {button: 2}))"
    )
    assert opened.selected() == set()


def test_a_finger_drags_the_graph(opened: Page) -> None:
    opened.open(orders())
    x, y = map(float, re.findall(r"[-\d.]+", opened.browser.evaluate(_PLACE))[:2])
    opened.browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    for kind, points in (
        ("touchStart", [0]),
        *(("touchMove", [distance]) for distance in range(10, 101, 10)),
        ("touchEnd", []),
    ):
        touches = [{"x": 700 - distance, "y": 700 + distance} for distance in points]
        opened.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=touches)
    opened.browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
    moved = re.findall(r"[-\d.]+", opened.browser.evaluate(_PLACE))[:2]
    assert [float(part) for part in moved] == pytest.approx([x - 100, y + 100])


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(1400, 60), (200, 800)])
def test_a_page_without_room_starts_when_it_has_some(opened: Page, width: int, height: int) -> None:
    size = {"deviceScaleFactor": 1, "mobile": False}
    opened.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, **size)
    opened.open(chain(60), focus=["d30"])
    opened.browser.press("g")
    opened.browser.press("g")
    opened.browser.call("Emulation.clearDeviceMetricsOverride")
    opened.browser.wait_for("innerWidth > 1000 && innerHeight > 500")
    if height < 100:
        opened.browser.wait_for("document.querySelector('.node text').getBoundingClientRect().height >= 8")


def test_names_are_shown_as_python_prints_them_and_are_found(opened: Page) -> None:
    names = ["s\xadoft", "a\x00\t\n\x9fb", "\u061c\u180e\ufff9", "\U000e0041 \U0001f600 \xa0\u3000 ok"]
    lineage = folded([run_event("load", [], [dataset(name) for name in (*names, "cafe\u0301")])])
    for name in names:
        opened.open(lineage, f"#dataset={quote(name)}")
        assert opened.text("#panel h2") == printable(name)
        opened.browser.press("Escape")
        opened.search(printable(name).split()[0])
        assert opened.selected() == {printable(name)}
    opened.search("CAF\xc9")
    assert opened.selected() == {"cafe\u0301"}, "in another Unicode form"


def test_a_search_says_which_result_is_active(opened: Page) -> None:
    opened.open(orders())
    state = (
        "(() => { const at = (name) => search.getAttribute(`aria-${name}`);"
        " const search = document.getElementById('search');"
        " const selected = document.querySelector('#results [aria-selected=true]')?.id ?? '';"
        " return [at('activedescendant'), selected, at('expanded')]; })()"
    )
    opened.browser.press("/")
    opened.browser.write("r")
    for _ in range(2):
        opened.browser.press("ArrowDown")
    assert opened.browser.evaluate(state) == ["result-2", "result-2", "true"]
    opened.browser.write("a")
    assert opened.browser.evaluate(state) == ["result-0", "result-0", "true"]
    opened.browser.write("nothing")
    opened.browser.press("ArrowDown")
    assert opened.browser.evaluate(state) == ["", "", "true"]
    opened.browser.evaluate("document.getElementById('search').value = ''")
    opened.browser.write("raw/orders")
    opened.browser.evaluate(
        "document.getElementById('search').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true}))"
    )
    assert opened.selected() == set()
    opened.browser.press("Enter")
    assert opened.selected() == {"raw/orders"}
    assert opened.browser.evaluate(state)[2] == "false"


def test_the_focus_of_the_keyboard_is_never_lost(opened: Page) -> None:
    opened.open(orders(), "#dataset=curated/daily")
    focused = "document.activeElement.id"
    for element, key in (("#panel a", "Enter"), ("#panel .close", "Enter"), ("#table a", "Enter")):
        if "table" in element:
            opened.browser.press("l")
        opened.browser.evaluate(f"document.querySelector('{element}').focus()")
        opened.browser.press(key)
        assert opened.browser.evaluate(focused) == "canvas", element
    opened.browser.press("l")
    opened.browser.press("l")
    assert opened.browser.evaluate(focused) == "canvas"


@pytest.mark.thorough
def test_a_graph_with_a_long_legend_is_printed_on_one_page_and_an_open_table_on_several(opened: Page) -> None:
    spaces = [f"s3://a-very-long-name-of-a-namespace-{n}" for n in range(60)]
    events = [
        run_event(f"j{n}", [{**dataset("t"), "namespace": space}], []) for n, space in enumerate(spaces)
    ]
    opened.open(folded(events))
    assert opened.pages_when_printed == 1
    opened.browser.press("l")
    assert opened.pages_when_printed > 1
    assert not opened.browser.evaluate("document.getElementById('table').hidden")


@pytest.mark.thorough
def test_the_start_of_a_large_graph_is_found_without_comparing_all_nodes(opened: Page) -> None:
    opened.open(wide(40, 60))
    assert opened.text("#count") == "2,481 shown in 2 groups"
    opened.browser.evaluate(
        "{ const abs = Math.abs; window.calls = 0; Math.abs = (x) => { window.calls++; return abs(x); }; }"
    )
    opened.browser.press("g")
    assert len(opened.names()) > 2400
    assert opened.browser.evaluate("window.calls") < 1_000_000
