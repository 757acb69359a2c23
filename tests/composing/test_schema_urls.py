"""The schema URL of a class names its definition and the version of its schema."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from openlineage_facets import facets
from openlineage_facets.generated.registry import FACETS, FacetEntry
from tests.cases import each
from tests.oracle.schemas import DOCUMENTS, Definition

URLS = {
    name: Definition(document, name).url for document, schema in DOCUMENTS.items() for name in schema["$defs"]
}


def _loaded(module: str, name: str) -> Any:
    return getattr(import_module(f"openlineage_facets.generated.{module}"), name)


@each("entry", FACETS, ids=[f"{entry.container}-{entry.name}" for entry in FACETS])
def test_a_facet_names_its_file_and_definition(entry: FacetEntry) -> None:
    cls = _loaded(entry.module, entry.name)
    assert cls.__schema_url__ == entry.schema_url == URLS[entry.name]
    assert cls.__facet_key__ == entry.key


def test_every_exported_class_with_a_schema_url_has_that_of_its_definition() -> None:
    named = {
        name: cls.__schema_url__
        for name in facets.__all__
        if hasattr(cls := getattr(facets, name), "__schema_url__")
    }
    assert named == {name: URLS[name] for name in named}
    assert named.keys() >= {"RunEvent", "JobEvent", "DatasetEvent", "RunFacet", "TagFacet"}
    assert len(named) > 50
