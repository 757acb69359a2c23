"""What editors and notebooks show of a class: its parameters, its description, and only what is of use."""

from __future__ import annotations

import ast
import inspect
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import openlineage_facets
from openlineage_facets import Job, Run, RunEvent
from openlineage_facets.base.model.pydantic_methods import UNUSABLE_METHODS
from openlineage_facets.facets import RunFacet, SchemaDatasetFacet, SQLJobFacet, parent_run
from tests.cases import each

GENERATED = sorted((Path(openlineage_facets.__file__).parent / "generated").glob("*.py"))


def parameters(cls: type) -> dict[str, Any]:
    return {one.name: one.default for one in inspect.signature(cls).parameters.values()}


def test_the_signature_has_required_fields_first() -> None:
    empty = inspect.Parameter.empty
    assert parameters(Job) == {"namespace": empty, "name": empty, "facets": None}
    assert list(parameters(RunEvent).items())[:2] == [("run", empty), ("job", empty)]
    assert {name for name, default in parameters(RunEvent).items() if default is None} == {
        "event_time",
        "producer",
        "schema_url",
        "event_type",
        "inputs",
        "outputs",
    }
    assert parameters(parent_run.Run) == {"run_id": empty, "facets": None}


def test_the_signature_is_the_same_before_and_after_the_class_is_built() -> None:
    before = inspect.signature(SchemaDatasetFacet)
    SchemaDatasetFacet.model_rebuild(force=True)
    assert inspect.signature(SchemaDatasetFacet) == before
    assert before.parameters["fields"].kind is inspect.Parameter.KEYWORD_ONLY


def test_every_parameter_is_accepted() -> None:
    arguments = {"query": "SELECT 1", "dialect": "spark", "producer": "https://example.com", "deleted": None}
    inspect.signature(SQLJobFacet).bind(**arguments)
    assert SQLJobFacet(**arguments).dialect == "spark"  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        inspect.signature(SQLJobFacet).bind(query="SELECT 1", language="spark")


def test_open_and_custom_classes_have_their_own_signature() -> None:
    class AcmeCostRunFacet(RunFacet):
        """A custom facet."""

        __facet_key__ = "acme_cost"
        usd: float
        at: datetime | None = None

    class Renamed(RunFacet):
        """A custom facet with a constructor."""

        def __init__(self, cost: float) -> None:
            super().__init__(usd=cost)

    assert list(parameters(AcmeCostRunFacet)) == ["usd", "producer", "schema_url", "at"]
    assert list(parameters(RunFacet))[-1] == "unknown_fields"
    assert list(parameters(Renamed)) == ["cost"]


@each("path", GENERATED, ids=lambda path: path.stem)
def test_constructors_that_editors_see_describe_the_class_and_its_parameters(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.ClassDef) and (ast.get_docstring(node) or "")):
            continue
        for init in ast.walk(node):
            if isinstance(init, ast.FunctionDef) and init.name == "__init__" and init.args.kwonlyargs:
                described = ast.get_docstring(init) or ""
                assert described.split("\n")[0] in (ast.get_docstring(node) or ""), node.name
                if path.stem not in ("containers", "builders"):
                    assert all(f"    {one.arg}: " in described for one in init.args.kwonlyargs), node.name


def test_completion_has_no_internal_or_unusable_methods() -> None:
    run = Run()
    names = {name for name in dir(run) if not name.startswith("_")}
    assert names == {
        *("run_id", "facets", "facets_or_empty", "facet"),
        *("from_json", "to_json", "to_json_text", "to_dict", "replace"),
        *("model_config", "model_copy", "model_dump", "model_dump_json", "model_extra", "model_fields"),
        *("model_fields_set", "model_json_schema", "model_validate", "model_validate_json"),
    }
    assert {name for name in dir(Run) if name in UNUSABLE_METHODS} == UNUSABLE_METHODS
    slots = {name for name in vars(type(run.facets_or_empty)) if not name.startswith("_")}
    assert {name for name in dir(run.facets_or_empty) if not name.startswith("_")} - slots == {
        *("get", "items", "keys", "values", "with_facets", "without")
    }
