"""Layers of graphs and coordinates in them."""

from __future__ import annotations

import itertools
import sys
from random import Random

import pytest

from openlineage_facets.graphs import has_layout_library, svg
from openlineage_facets.graphs.layout import layered
from openlineage_facets.graphs.placement import GAP, WIDTH, placed
from tests.graphs.sample_graphs import HOSTILE_NAMES, hostile, orders


@pytest.fixture(params=["fast-sugiyama", "plain"], autouse=True)
def layout(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test with the library and without it."""
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "fast_sugiyama", None)
    elif not has_layout_library():
        pytest.skip("fast-sugiyama is not installed")


def random_links(seed: int, nodes: int, links: int, acyclic: bool) -> list[tuple[int, int]]:
    random = Random(seed)
    pairs = [(random.randrange(nodes), random.randrange(nodes)) for _ in range(links)]
    return [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]] if acyclic else pairs


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("links", [30, 800])
def test_links_lead_to_later_layers(seed: int, links: int) -> None:
    pairs = random_links(seed, 60, links, acyclic=True)
    places = layered(60, pairs)
    assert all(places[source].layer < places[target].layer for source, target in pairs)


@pytest.mark.parametrize("seed", range(5))
def test_cycles_are_laid_out_with_most_links_forward(seed: int) -> None:
    pairs = random_links(seed, 40, 50, acyclic=False)
    places = layered(40, pairs)
    forward = sum(places[source].layer < places[target].layer for source, target in pairs)
    assert forward > len(pairs) / 2


def test_special_graphs() -> None:
    assert layered(0, []) == []
    assert [place.layer for place in layered(2, [])] == [0, 0]
    assert [place.layer for place in layered(3, [(0, 0), (0, 1), (1, 0), (1, 2)])] == [0, 1, 2]
    chain = [(number, number + 1) for number in range(3000)]
    assert [place.layer for place in layered(3001, chain)] == list(range(3001))


def test_a_source_is_next_to_its_first_target() -> None:
    places = layered(5, [(0, 1), (1, 2), (2, 3), (4, 3)])
    assert [place.layer for place in places] == [0, 1, 2, 3, 2]


def test_separate_parts_do_not_cross() -> None:
    places = layered(6, [(0, 3), (1, 4), (2, 5)])
    assert sorted(range(3), key=lambda node: places[node].order) == [
        node - 3 for node in sorted(range(3, 6), key=lambda node: places[node].order)
    ]


def test_links_between_two_layers_that_need_not_cross_do_not_cross() -> None:
    pairs = [(0, 12), (1, 11), (2, 10), (0, 11), (1, 10), (2, 9), (3, 9)]
    places = layered(13, pairs)
    ends = [(places[source].order, places[target].order) for source, target in pairs]
    for (source, target), (other_source, other_target) in itertools.combinations(ends, 2):
        assert (source - other_source) * (target - other_target) >= 0


def test_the_layout_is_always_the_same() -> None:
    pairs = random_links(1, 60, 200, acyclic=False)
    assert placed([0] * 60, pairs) == placed([0] * 60, pairs)


@pytest.mark.parametrize("seed", range(5))
def test_boxes_do_not_overlap(seed: int) -> None:
    rows = [Random(seed).choice([0, 0, 5, 30]) for _ in range(50)]
    boxes = placed(rows, random_links(seed, 50, 90, acyclic=True))
    for column in {box.x for box in boxes}:
        inside = sorted((box.y, box.height) for box in boxes if box.x == column)
        for (y, height), (below, _) in itertools.pairwise(inside):
            assert y + height + GAP <= below + 0.01


def test_a_chain_is_a_straight_line() -> None:
    boxes = placed([0, 0, 0], [(0, 1), (1, 2)])
    assert len({box.y for box in boxes}) == 1
    assert boxes[0].x + WIDTH < boxes[1].x


def test_svg_shows_names_and_columns() -> None:
    text = svg(orders(), columns=True)
    for name in ("raw/customers", "curated/daily", "orders.daily", "email", "total"):
        assert f">{name}</text>" in text
    assert "day</text>" not in text, "a column without lineage"
    assert text.count('class="column"') == 3
    assert "customer</text>" not in svg(orders())


def test_names_in_svg_are_text() -> None:
    from xml.etree import ElementTree

    root = ElementTree.fromstring(svg(hostile(), columns=True))
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert kinds == {"svg", "style", "g", "title", "rect", "text", "path", "circle"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith("on") or "href" in name]
    titles = {element.text for element in root.iter("{http://www.w3.org/2000/svg}title")}
    assert f"db/{HOSTILE_NAMES[0]}" in titles
