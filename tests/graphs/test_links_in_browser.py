"""Links of pages in a headless Chromium: where they pass, and that a picture shows the same."""

from __future__ import annotations

import pytest

from openlineage_facets.graphs import svg
from tests.graphs.drawn_paths import Drawing, drawing_of_svg
from tests.graphs.page_in_browser import Page
from tests.graphs.sample_graphs import random_graph

VIEWS = {
    "first": [],
    "columns shown": ["c"],
    "columns closed, after a search": ["c", "dataset 3"],
    "columns shown, after a search": ["c", "dataset 1"],
    "related": ["c", "r"],
    "hidden neighbours": ["x"],
    "a column, and those that it is computed from": ["a", "column 1"],
    "related to a column": ["r"],
    "groups": ["a", "g"],
    "related to a group": ["Escape", "ArrowRight", "r"],
    "an open group": ["Enter"],
    "a search from the groups": ["g", "job 2"],
    "nothing selected": ["Escape"],
}
"""What to enter, one after the other."""


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(2), marks=pytest.mark.check, id="check"),
        pytest.param(range(100, 300), marks=pytest.mark.thorough, id="thorough"),
    ],
)
def test_no_link_passes_behind_a_node_in_any_view(opened: Page, seeds: range) -> None:
    links = 0
    for seed in seeds:
        opened.open(random_graph(seed))
        drawings = dict(zip(VIEWS, opened.drawings(*VIEWS.values()), strict=True))
        links += sum(len(drawing.links) for drawing in drawings.values())
        faults = {view: drawing.faults() for view, drawing in drawings.items() if drawing.faults()}
        assert faults == {}, seed
        assert all(drawing.nodes for drawing in drawings.values()), seed
    assert links > 100 * len(seeds)


def test_pages_and_pictures_place_nodes_and_links_alike(opened: Page) -> None:
    for seed in range(5):
        lineage = random_graph(seed)
        for columns in (False, True):
            opened.open(lineage, columns=columns)
            (drawing,) = opened.drawings([])
            assert _sorted(drawing) == _sorted(drawing_of_svg(svg(lineage, columns=columns))), seed


def _sorted(drawing: Drawing) -> Drawing:
    return Drawing(sorted(drawing.nodes, key=lambda node: node.name), sorted(drawing.links))
