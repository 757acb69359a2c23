"""Fixtures of the composing tests."""

from __future__ import annotations

import pytest

from openlineage_facets.base.producer import PRODUCER_VARIABLE


@pytest.fixture(autouse=True)
def _no_producer_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PRODUCER_VARIABLE, raising=False)
