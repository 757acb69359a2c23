"""What arrives at systems is compared with what was sent, and the page keeps earlier results."""

from __future__ import annotations

from itertools import permutations

from tests.interop.__main__ import PAGE, page
from tests.interop.exchanges import Exchange, Reply
from tests.interop.python_client import _arrived

EVENT = {"job": {"name": "daily"}}


def test_the_rows_of_the_systems_that_were_tried_are_replaced() -> None:
    old = PAGE.read_text(encoding="utf-8")
    tried = [
        Exchange("openlineage-python, http, its client", "2.0.0", [EVENT], [Reply(EVENT)]),
        Exchange("airflow", "", missing="not tried: no Airflow"),
    ]
    new = page(old, tried)
    added = [line for line in new.splitlines() if line not in old.splitlines()]
    removed = [line for line in old.splitlines() if line not in new.splitlines()]
    assert added == [
        "| openlineage-python, http, its client | 2.0.0 | 1 | 1 | 1 | 0 | 0 |",
        "| airflow |  | not tried |  |  |  |  |",
        "| airflow |  | not tried: no Airflow |",
    ]
    assert removed
    assert all(line.startswith(("| openlineage-python", "| Airflow")) for line in removed)
    assert page(new, tried) == new


def test_without_systems_the_page_stays_as_it_is() -> None:
    old = PAGE.read_text(encoding="utf-8")
    assert page(old, []) == old


def test_changed_events_are_recognized_in_any_order() -> None:
    tags = {"tags": {"tags": [{"key": "openlineage_client_version"}]}}
    own: list[dict[str, object]] = [{}, {"parent": {"job": "nightly"}}, {"nominalTime": {"start": "02:00"}}]
    sent = [{"run": {"facets": facets}, "job": {"name": "daily"}} if facets else EVENT for facets in own]
    received = [{"run": {"facets": {**facets, **tags}}, "job": {"name": "daily"}} for facets in own]
    for order in permutations(received):
        replies = list(_arrived(sent, [Reply()] * 3, order))
        assert [one.event for one in replies] == received
    assert [one.event for one in _arrived(sent, [Reply()] * 3, received[:2])] == [*received[:2], None]
