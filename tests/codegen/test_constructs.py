"""Each construct of JSON Schema is enforced by the generated classes exactly as `jsonschema` enforces it.

A folder below `cases/` is a separate spec. `valid/NAME.json` and `invalid/NAME.json` hold documents for
the definition NAME, each under the name of what it shows.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError, create_model

from codegen.errors import SchemaError
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.json_schemas import accepts
from tests.cases import each
from tests.codegen.building import CORE_FILE, Package
from tests.codegen.conftest import Generate
from tests.codegen.oracle import Oracle
from tests.oracle.same_json import same_json

CASES = Path(__file__).parent / "cases"
SPEC_FILE = "Case.json"
"""The file of a case that defines what its documents are instances of."""


class Case:
    """A spec, the package generated from it, and the oracle for it."""

    def __init__(self, folder: Path, package: Package) -> None:
        schema = json.loads((folder / "spec" / SPEC_FILE).read_text(encoding="utf-8"))
        self._schema_id = schema["$id"]
        self._package = package
        self._oracle = Oracle(package.folder.parent / f"{package.name}_spec")

    def jsonschema_accepts(self, definition: str, document: Any) -> bool:
        return self._oracle.is_valid(document, self._schema_id, definition)

    def read(self, definition: str, document: Any) -> Any:
        """Read a document with the generated code, and return what writing it gives."""
        adapter = self._package.adapter(SPEC_FILE, definition)
        value = adapter.validate_json(json.dumps(document))
        return json.loads(adapter.dump_json(value, by_alias=True, exclude_unset=True))

    def checks(self, definition: str, document: Any) -> bool:
        """Check a document without creating objects; for a type that is no class, in a class with it."""
        kind = self._package.definition(SPEC_FILE, definition)
        if isinstance(kind, type) and issubclass(kind, Model):
            return accepts(kind, document)
        holder = create_model("Holder", __base__=Model, value=(kind, ...))
        return accepts(holder, {"value": document})


@pytest.fixture(scope="session")
def case_of(generated: Generate) -> Any:
    """Return a function that generates the package of a case, once."""

    @cache
    def built(name: str) -> Case | SchemaError:
        folder = CASES / name
        schemas = {path.name: path.read_bytes() for path in sorted((folder / "spec").glob("*.json"))}
        try:
            return Case(folder, generated(schemas))
        except SchemaError as error:
            return error

    def case(name: str) -> Case:
        found = built(name)
        if isinstance(found, SchemaError):
            raise found
        return found

    return case


def documents(verdict: str) -> list[Any]:
    return [
        pytest.param(path.parts[-3], path.stem, document, id=f"{path.parts[-3]}-{path.stem}-{shows}")
        for path in sorted(CASES.glob(f"*/{verdict}/*.json"))
        for shows, document in json.loads(path.read_text(encoding="utf-8")).items()
    ]


@each(("name", "definition", "document"), documents("valid"))
def test_a_valid_document_is_read_and_written_unchanged(
    case_of: Any, name: str, definition: str, document: Any
) -> None:
    case = case_of(name)
    assert case.jsonschema_accepts(definition, document)
    assert same_json(case.read(definition, document), document)
    assert case.checks(definition, document)


@each(("name", "definition", "document"), documents("invalid"))
def test_an_invalid_document_is_rejected(case_of: Any, name: str, definition: str, document: Any) -> None:
    case = case_of(name)
    assert not case.jsonschema_accepts(definition, document)
    with pytest.raises(ValidationError):
        case.read(definition, document)
    assert not case.checks(definition, document)


@each("folder", sorted(CASES.iterdir()), ids=lambda folder: folder.name)
def test_each_case_has_a_spec_and_documents_of_both_kinds(folder: Path) -> None:
    assert (folder / "spec" / SPEC_FILE).is_file()
    assert not (folder / "spec" / CORE_FILE).exists(), "the core document is the project's own"
    assert any((folder / "valid").iterdir())
    assert any((folder / "invalid").iterdir())
