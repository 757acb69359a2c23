"""Adjacency lists and shortest paths."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets.review.paths import grouped, last_steps

_NODES = st.sampled_from("abcde")


@given(st.sets(st.tuples(_NODES, _NODES)), st.lists(_NODES, unique=True))
def test_what_follows_is_reached_on_a_shortest_path_and_the_nearest_first(
    edges: set[tuple[str, str]], starts: list[str]
) -> None:
    after = grouped(sorted(edges))
    steps = last_steps(starts, lambda node: [(target, node) for target in after.get(node, ())])

    def length(node: str) -> int:
        before = steps[node]
        return 0 if before is None else 1 + length(before)

    reached, distances = {*starts}, dict.fromkeys(starts, 0)
    for distance in range(1, 6):
        reached |= {target for source, target in edges if source in reached}
        distances = dict.fromkeys(reached - distances.keys(), distance) | distances
    assert {node: length(node) for node in steps} == distances
    assert [*map(length, steps)] == sorted(distances.values())
