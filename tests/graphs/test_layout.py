"""Layers of graphs and coordinates in them."""

from __future__ import annotations

import itertools
import re
import sys
from random import Random

import pytest

from openlineage_facets.graphs import has_layout_library, svg
from openlineage_facets.graphs.layout import Layout, layered
from openlineage_facets.graphs.placement import Box, placed
from openlineage_facets.graphs.style import POINT_GAP, WIDTH
from openlineage_facets.graphs.ways import grid_of
from tests.cases import each
from tests.graphs.drawn_paths import Drawing, Rectangle, drawing_of_svg, links_of_paths
from tests.graphs.sample_graphs import (
    HOSTILE_NAMES,
    dataset,
    folded,
    hostile,
    long_link_events,
    orders,
    random_graph,
    run_event,
)


@pytest.fixture(params=["fast-sugiyama", "plain"], autouse=True)
def layout(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test with the library and without it."""
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "fast_sugiyama", None)
    elif not has_layout_library():
        pytest.skip("fast-sugiyama is not installed")


def random_links(seed: int, nodes: int, links: int, acyclic: bool) -> list[tuple[int, int]]:
    random = Random(seed)
    pairs = {(random.randrange(nodes), random.randrange(nodes)) for _ in range(links)}
    return sorted({(min(pair), max(pair)) if acyclic else pair for pair in pairs if pair[0] != pair[1]})


def layers_of(layout: Layout) -> dict[int, int]:
    """Return the number of the layer of each node and point."""
    return {item: layer for layer, items in enumerate(layout.layers) for item in items}


def boxes_of(rows: list[int], links: list[tuple[int, int]]) -> dict[int, Box]:
    grid = grid_of(len(rows), layered(len(rows), links))
    return placed(grid, rows, grid.links)


@each("seed", range(5))
@each("links", [30, 800])
def test_links_lead_to_later_layers(seed: int, links: int) -> None:
    pairs = random_links(seed, 60, links, acyclic=True)
    layers = layers_of(layered(60, pairs))
    assert all(layers[source] < layers[target] for source, target in pairs)


@each("seed", range(5))
def test_cycles_are_laid_out_with_most_links_forward(seed: int) -> None:
    pairs = random_links(seed, 40, 50, acyclic=False)
    layers = layers_of(layered(40, pairs))
    forward = sum(layers[source] < layers[target] for source, target in pairs)
    assert forward > len(pairs) / 2


@each("seed", range(5))
@each("links", [50, 800])
def test_links_pass_a_point_in_each_layer_between_their_ends(seed: int, links: int) -> None:
    pairs = random_links(seed, 40, links, acyclic=False)
    layout = layered(40, pairs)
    layers = layers_of(layout)
    ends_of_point: dict[int, set[int]] = {}
    for source, target in pairs:
        route = layout.routes[source, target]
        if layers[source] < layers[target]:
            passed = range(layers[source] + 1, layers[target])
        else:
            assert (route[0], route[-1]) == (source, target), "the link turns and passes below its ends"
            passed, route = range(layers[source] - 1, layers[target], -1), route[1:-1]
        assert [layers[point] for point in route] == list(passed)
        for point in route:
            ends_of_point[point] = ends_of_point.get(point, {source, target}) & {source, target}
    assert all(ends_of_point.values()), "only links with a common end share a point"


@each("is_sink", [True, False])
def test_links_from_or_to_a_node_that_all_jobs_use_share_points(is_sink: bool) -> None:
    chain = [(number, number + 1) for number in range(100)]
    common = [(number, 101) if is_sink else (101, number) for number in range(1, 100)]
    layout = layered(102, [*chain, *common])
    assert sum(map(len, layout.layers)) < 102 + 102


def test_special_graphs() -> None:
    assert layered(0, []) == Layout([[]], {})
    assert layered(2, []) == Layout([[0, 1]], {})
    assert layered(3, [(0, 1), (1, 0), (1, 2)]).layers == [[0], [1], [2]]
    chain = [(number, number + 1) for number in range(3000)]
    assert layered(3001, chain).layers == [[number] for number in range(3001)]


def test_a_source_is_next_to_its_first_target() -> None:
    layers = layers_of(layered(5, [(0, 1), (1, 2), (2, 3), (4, 3)]))
    assert [layers[node] for node in range(5)] == [0, 1, 2, 3, 2]


def test_separate_parts_do_not_cross() -> None:
    first, second = layered(6, [(0, 3), (1, 4), (2, 5)]).layers
    assert [node + 3 for node in first] == second


def test_links_between_two_layers_that_need_not_cross_do_not_cross() -> None:
    pairs = [(0, 12), (1, 11), (2, 10), (0, 11), (1, 10), (2, 9), (3, 9)]
    layout = layered(13, pairs)
    places = {node: place for layer in layout.layers for place, node in enumerate(layer)}
    for (source, target), (other, other_target) in itertools.combinations(pairs, 2):
        assert (places[source] - places[other]) * (places[target] - places[other_target]) >= 0


def test_lineage_of_columns_passes_below_the_job_that_writes_them() -> None:
    source, job, target = range(3)
    assert layered(3, [(source, job), (job, target)]).route([source, job, target]) == [job]
    assert layered(3, [(source, target)]).route([source, target]) == []
    assert layered(1, []).route([source]) == [source]


def test_lineage_of_columns_does_not_turn_twice_at_the_same_job() -> None:
    links = [(0, 1), (1, 2), (2, 3), (3, 0)]
    layout = layered(4, links)
    turning, *points, back = layout.routes[3, 0]
    assert (turning, back, len(points)) == (3, 0, 2)
    assert layout.route([2, 3, 0]) == [*points, 0]
    assert layout.route([3, 0, 1]) == [3, *points]


def test_the_layout_is_always_the_same() -> None:
    pairs = random_links(1, 60, 200, acyclic=False)
    assert boxes_of([0] * 60, pairs) == boxes_of([0] * 60, pairs)


@each("seed", range(5))
def test_nodes_and_links_do_not_overlap(seed: int) -> None:
    rows = [Random(seed).choice([0, 0, 5, 30]) for _ in range(50)]
    boxes = boxes_of(rows, random_links(seed, 50, 90, acyclic=False))
    for layer in {box.layer for box in boxes.values()}:
        inside = sorted((box for box in boxes.values() if box.layer == layer), key=lambda box: box.y)
        for box, below in itertools.pairwise(inside):
            assert box.bottom + POINT_GAP <= below.y


def test_a_chain_is_a_straight_line() -> None:
    boxes = boxes_of([0, 0, 0], [(0, 1), (1, 2)])
    assert len({box.y for box in boxes.values()}) == 1
    assert boxes[0].x + WIDTH < boxes[1].x


def test_a_long_link_is_straight_where_it_passes_layers() -> None:
    boxes = boxes_of([0] * 6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)])
    assert len({box.y for box in boxes.values() if not box.height}) == 1


def test_the_place_of_a_node_does_not_depend_on_parts_of_the_graph_that_are_beside_it() -> None:
    chain, fork = [(0, 1), (1, 2), (2, 3)], [(4, 5), (4, 6), (4, 7)]
    boxes = boxes_of([0] * 8, chain + fork)
    assert len({boxes[number].y for number in range(4)}) == 1
    assert len({boxes[number].y for number in (5, 6, 7)}) == 3


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(8), marks=pytest.mark.check, id="check"),
        pytest.param(range(100, 300), marks=pytest.mark.thorough, id="thorough"),
    ],
)
def test_no_link_passes_behind_a_node(seeds: range) -> None:
    links = 0
    for seed in seeds:
        lineage = random_graph(seed)
        for columns in (False, True):
            drawing = drawing_of_svg(svg(lineage, columns=columns))
            links += len(drawing.links)
            assert drawing.faults() == [], seed
    assert links > 60 * len(seeds)


def test_links_behind_nodes_are_found() -> None:
    nodes = [Rectangle(name, x, y, 250, 46) for name, x, y in (("a", 0, 0), ("b", 346, 10), ("c", 692, 0))]
    straight = links_of_paths(["M250.0 23.0C400.0 23.0 500.0 23.0 692.0 23.0"])
    (fault,) = Drawing(nodes, straight).faults()
    assert fault.startswith("a to c passes b at ")
    assert Drawing(nodes[::2], straight).faults() == []


def test_a_link_of_several_layers_passes_between_nodes() -> None:
    drawing = drawing_of_svg(svg(folded(long_link_events())))
    assert len(drawing.links) == 13
    assert drawing.faults() == []


def test_a_dataset_that_a_job_reads_and_writes_is_drawn_with_a_link_back() -> None:
    both = dataset("both", ("a", "b"), {"a": [("both", "b")]})
    drawing = drawing_of_svg(svg(folded([run_event("job", [both], [both])]), columns=True))
    assert len(drawing.links) == 3
    assert drawing.faults() == []
    bottom = max(node.y + node.height for node in drawing.nodes)
    assert sum(max(point.y for point in link) > bottom for link in drawing.links) == 2


def test_svg_shows_names_and_columns() -> None:
    text = svg(orders(), columns=True)
    for name in ("raw/customers", "curated/daily", "orders.daily", "email", "total"):
        assert f">{name}</text>" in text
    assert "day</text>" not in text, "a column without lineage"
    (links,) = re.findall(r'<path class="column" d="(.*)"/>', text)
    assert links.count("M") == 3
    assert "customer</text>" not in svg(orders())


def test_names_in_svg_are_text() -> None:
    from xml.etree import ElementTree

    root = ElementTree.fromstring(svg(hostile(), columns=True))
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert kinds == {"svg", "style", "g", "title", "desc", "rect", "text", "path", "circle"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or "href" in name]
    titles = {element.text for element in root.iter("{http://www.w3.org/2000/svg}title")}
    assert f"db/{HOSTILE_NAMES[0]}" in titles
