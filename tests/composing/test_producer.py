"""The producer: the argument, otherwise the enclosing context, the environment, or this package."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from openlineage_facets import EventError, __version__, producer
from openlineage_facets.base.producer import DEFAULT_PRODUCER
from openlineage_facets.facets import SQLJobFacet
from tests.cases import each
from tests.composing.orders import PRODUCER, run_event, sql

TEAM = "https://example.com/team-a/v1"
OTHER_TEAM = "https://example.com/team-b/v2"


def test_the_default_producer_is_this_package_in_its_version() -> None:
    own = f"https://github.com/openlineage-facets/openlineage-facets/tree/v{__version__}/openlineage_facets"
    assert (run_event().producer, sql().producer) == (own, own)


def test_the_argument_comes_before_the_context_and_that_before_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", PRODUCER)
    assert (run_event().producer, sql().producer) == (PRODUCER, PRODUCER)
    with producer(TEAM):
        assert (run_event().producer, sql().producer) == (TEAM, TEAM)
        assert run_event(producer=OTHER_TEAM).producer == OTHER_TEAM
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", "")
    assert run_event().producer == DEFAULT_PRODUCER


def test_the_innermost_context_applies_until_it_ends() -> None:
    with producer(TEAM) as outer:
        with producer(OTHER_TEAM):
            assert run_event().producer == OTHER_TEAM
        with pytest.raises(RuntimeError), producer(OTHER_TEAM):
            raise RuntimeError
        assert run_event().producer == outer == TEAM
    assert run_event().producer == DEFAULT_PRODUCER


def test_threads_do_not_share_a_context() -> None:
    everyone_is_inside = Barrier(2)

    def composed(team: str) -> str:
        with producer(team):
            everyone_is_inside.wait(timeout=10)
            found = run_event().producer
            everyone_is_inside.wait(timeout=10)
        return found

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(composed, [TEAM, OTHER_TEAM])) == [TEAM, OTHER_TEAM]
    assert run_event().producer not in (TEAM, OTHER_TEAM)


def test_tasks_do_not_share_a_context() -> None:
    async def composed(team: str) -> str:
        with producer(team):
            await asyncio.sleep(0)
            found = run_event().producer
            await asyncio.sleep(0)
        return found

    async def both() -> list[str]:
        return await asyncio.gather(composed(TEAM), composed(OTHER_TEAM))

    assert asyncio.run(both()) == [TEAM, OTHER_TEAM]


NOT_ABSOLUTE = ["etl/v7", "//example.com/etl", "etl", "", " ", "https://example.com/a b", ":x"]


@each("uri", [*NOT_ABSOLUTE, "C:\\jobs\\etl.py", 7])
def test_an_argument_that_is_not_an_absolute_uri_is_rejected(uri: object) -> None:
    with pytest.raises(EventError) as rejected:
        run_event(producer=uri)
    assert [finding.pointer for finding in rejected.value.findings] == ["/producer"]


@each("uri", NOT_ABSOLUTE)
def test_a_schema_url_that_is_not_an_absolute_uri_is_rejected(uri: str) -> None:
    with pytest.raises(EventError) as rejected:
        SQLJobFacet(query="select 1", schema_url=uri)
    assert [finding.pointer for finding in rejected.value.findings] == ["/_schemaURL"]


@each("uri", [*NOT_ABSOLUTE, None])
def test_a_context_that_is_not_an_absolute_uri_is_rejected(uri: str) -> None:
    with pytest.raises(ValueError, match="absolute URI"), producer(uri):
        raise AssertionError("the block must not run")


def test_the_error_for_a_variable_that_is_not_an_absolute_uri_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", "etl/v7")
    with pytest.raises(EventError, match="OPENLINEAGE_PRODUCER"):
        run_event()


@each("uri", ["urn:example:etl", "pkg:pypi/etl@1.0", "https://example.com/ä", "file:///x"])
def test_any_scheme_is_accepted(uri: str) -> None:
    assert run_event(producer=uri).to_dict()["producer"] == uri


def test_a_removed_producer_is_not_blamed_on_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENLINEAGE_PRODUCER", raising=False)
    for name in ("producer", "schema_url"):
        with pytest.raises(EventError, match="found null$"):
            sql().replace(**{name: None})
