"""The newest official client in the development environment is not ahead of `spec/`.

A failure means that upstream has published something: see "Upgrading" in `spec/README.md`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from openlineage_facets.generated import __all__ as exported
from tests.cases import each
from tests.oracle.schemas import DOCUMENTS, resolve

generated = pytest.importorskip("openlineage.client.generated")
attr = pytest.importorskip("attr")


def classes() -> Iterator[type[Any]]:
    """Yield the classes of the client that name a schema."""
    for module in pkgutil.iter_modules(generated.__path__):
        content = import_module(f"{generated.__name__}.{module.name}")
        for one in vars(content).values():
            if isinstance(one, type) and one.__module__ == content.__name__ and hasattr(one, "_get_schema"):
                yield one


CLASSES = sorted(classes(), key=lambda cls: (cls.__module__, cls.__name__))


def properties(document: str, schema: dict[str, Any]) -> set[str]:
    """Return the properties of a definition in a document, inherited ones included."""
    found = set(schema.get("properties", ()))
    for part in schema.get("allOf", ()):
        found |= properties(document, part)
    if "$ref" in schema:
        base = resolve(document, schema["$ref"])
        found |= properties(base.document, base.schema)
    return found


def test_the_client_has_classes() -> None:
    assert CLASSES
    assert {"RunFacet", "SQLJobFacet"} <= {cls.__name__ for cls in CLASSES} & set(exported)


@each("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_class_of_the_client_has_the_id_and_fields_of_our_schema(cls: Any) -> None:
    url = cls._get_schema()
    document, _, name = url.partition("#/$defs/")
    assert document in DOCUMENTS, "the client has another version"
    ours = properties(document, DOCUMENTS[document]["$defs"][name])
    theirs = {field.name for field in attr.fields(cls)}
    missing = theirs - ours
    assert not missing, f"fields of the client that {url} does not have: {sorted(missing)}"
