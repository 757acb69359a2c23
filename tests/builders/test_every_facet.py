"""Every facet has a builder method, which composes valid facets."""

from __future__ import annotations

import inspect
import json
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from openlineage_facets import parse_event
from openlineage_facets.generated.registry import FACETS
from tests.builders.facet_methods import METHODS, Method
from tests.builders.sample_builders import PRODUCER
from tests.cases import each
from tests.composing.field_values import arguments
from tests.hypothesis_profiles import share
from tests.oracle.expected_results import oracle_result
from tests.oracle.schemas import PROPOSALS, RELEASED, resolve

FILLED_IN = {"producer", "schema_url", "deleted"}

few = settings(
    max_examples=share(0.1),
    # Shrinking whole events takes too long.
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

EVERY_METHOD = each("method", METHODS, ids=str)


TAGS = {
    "released": {facet.url for place, facet in RELEASED.items() if place.key == "tags"},
    "proposal": {facet.url for facet in PROPOSALS.values()},
}


def test_every_facet_has_a_method() -> None:
    with_a_method = {method.entry.schema_url for method in METHODS}
    of_tags = TAGS["released"] | TAGS["proposal"]
    assert with_a_method | of_tags == {facet.url for facet in (*RELEASED.values(), *PROPOSALS.values())}
    assert {entry.schema_url for entry in FACETS} == with_a_method | of_tags


@EVERY_METHOD
def test_composed_facet_is_valid(method: Method) -> None:
    @few
    @given(arguments(method.facet))
    def check(values: dict[str, Any]) -> None:
        event = method.composed(**values)
        wire = json.loads(event.to_json())
        verdict = oracle_result(wire)
        assert verdict.failed == ""
        assert verdict.kind == type(event).__name__
        assert resolve("", method.entry.schema_url) in {definition for _, definition in verdict.validated}
        assert parse_event(event.to_json()) == event
        assert method.facet_in(wire) == method.facet(**values, producer=PRODUCER).to_dict()

    check()


@EVERY_METHOD
def test_nested_objects_can_be_dicts(method: Method) -> None:
    @few
    @given(arguments(method.facet))
    def check(values: dict[str, Any]) -> None:
        wire = method.facet(**values, producer=PRODUCER).to_dict()
        aliases = {name: field.alias or name for name, field in method.facet.model_fields.items()}
        rows = {name: wire[aliases[name]] for name, value in values.items() if value is not None}
        assert method.composed(**rows) == method.composed(**values)

    check()


@EVERY_METHOD
def test_parameters_are_keyword_only_facet_fields(method: Method) -> None:
    own = {name: one for name, one in method.facet.model_fields.items() if name not in FILLED_IN}
    parameters = method.parameters
    assert parameters.keys() == own.keys()
    assert {one.kind for one in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    required = {name for name, one in parameters.items() if one.default is inspect.Parameter.empty}
    assert required == {name for name, one in own.items() if one.is_required()}


@EVERY_METHOD
def test_parameters_are_typed_and_documented(method: Method) -> None:
    documentation = inspect.getdoc(getattr(method.builder, method.name)) or ""
    for name, parameter in method.parameters.items():
        assert parameter.annotation not in (inspect.Parameter.empty, "Any", "object")
        assert f"    {name}: " in documentation.partition("Args:\n")[2]


@EVERY_METHOD
def test_none_equals_omitted(method: Method) -> None:
    optional = {name for name, one in method.parameters.items() if one.default is None}

    @few
    @given(arguments(method.facet, 1))
    def check(values: dict[str, Any]) -> None:
        required = {name: value for name, value in values.items() if name not in optional}
        assert method.composed(**required, **dict.fromkeys(optional)) == method.composed(**required)

    check()
