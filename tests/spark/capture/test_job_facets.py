"""The sql facet of a job contains the statements of a run in order, up to a limit."""

from __future__ import annotations

import threading

import pytest

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import SQLJobFacet
from openlineage_facets.spark.capture import job_facets
from openlineage_facets.spark.capture.job_facets import JobFacets


class Statements:
    """Adds statements to the facets of a job, with a limit of 3000 characters."""

    def __init__(self) -> None:
        self._builder = RunEventBuilder("etl", "orders.daily")
        self._facets = JobFacets(self._builder, threading.RLock())

    def add(self, *queries: str) -> list[bool]:
        return [self._facets.add_query(query) for query in queries]

    @property
    def text(self) -> str:
        facet = self._builder.start().job.facet(SQLJobFacet)
        assert facet is not None
        return facet.query


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    monkeypatch.setattr(job_facets, "_MAX_LENGTH", 3_000)
    return Statements()


def test_statements_are_kept_in_order_and_once(statements: Statements) -> None:
    assert statements.add("SELECT 2", "SELECT 1", "SELECT 2") == [True, True, True]
    assert statements.text == "SELECT 2;\nSELECT 1"


def test_the_first_statement_that_is_too_long_is_cut_and_none_follows(statements: Statements) -> None:
    long = f"SELECT '{'x' * 50_000}'"
    assert statements.add("SELECT 1", long, "SELECT 2", "SELECT 1", long) == [True, False, False, True, False]
    text = statements.text
    assert 2_990 < len(text) <= 3_000
    assert text.startswith("SELECT 1;\nSELECT 'xxx")
    assert text.endswith("xxx /* ... 47,052 more characters */")


def test_also_the_only_statement_is_cut(statements: Statements) -> None:
    assert statements.add("x" * 3_001) == [False]
    assert 2_990 < len(statements.text) <= 3_000


def test_a_statement_of_which_little_would_remain_is_left_out(statements: Statements) -> None:
    assert statements.add("x" * 2_500, "y" * 600, "SELECT 1") == [True, False, False]
    assert statements.text == "x" * 2_500


def test_a_secret_is_redacted_before_its_statement_is_cut(statements: Statements) -> None:
    secret = "OPTIONS (password 'hunter2')"
    statements.add("x" * (3_000 - len(secret)) + " " + secret)
    assert "hunter2" not in statements.text
