"""Backends accept every facet that is composed here, if events are repaired for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from openlineage_facets.emitters import BackendRepairs
from openlineage_facets.validation import validate
from openlineage_facets.validation.backends.catalogue import known_profiles
from tests.builders.facet_methods import METHODS, Method
from tests.cases import each
from tests.composing.field_values import arguments
from tests.hypothesis_profiles import share

REFUSED_KINDS = {f"{name}/only-runs" for name in known_profiles()}
"""Facts about events of jobs and datasets, which nothing can repair."""

ANY_UUID = {"data-rentgen/run-id"}
"""The id of a parent is any UUID here, and must not be changed."""


@pytest.mark.check
@each("method", METHODS, ids=str)
def test_every_facet_is_accepted(method: Method) -> None:
    repairs = BackendRepairs("all")

    @settings(
        max_examples=share(0.05),
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(arguments(method.facet))
    def check(values: dict[str, Any]) -> None:
        event = json.loads(repairs(method.composed(**values).to_json()))
        found = [one for one in validate(event, rules=False, backends="all") if one.severity == "error"]
        assert {one.fact for one in found} <= REFUSED_KINDS | ANY_UUID, found

    check()
