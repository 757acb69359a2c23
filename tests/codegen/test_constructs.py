"""Each construct of JSON Schema is enforced by the generated classes exactly as `jsonschema` enforces it.

A folder below `cases/` defines its classes in `spec/Case.json`. `valid/NAME.json` and `invalid/NAME.json`
hold documents for the definition NAME, each under the name of what it shows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError, create_model

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
    """The definitions of one case in the package of all cases, and what `jsonschema` says about them."""

    def __init__(self, name: str, package: Package, oracle: Oracle) -> None:
        self._file, self._package, self._oracle = f"{name}.json", package, oracle
        self._schema_id = json.loads((CASES / name / "spec" / SPEC_FILE).read_text(encoding="utf-8"))["$id"]

    def jsonschema_accepts(self, definition: str, document: Any) -> bool:
        return self._oracle.is_valid(document, self._schema_id, definition)

    def read(self, definition: str, document: Any) -> Any:
        """Read a document with the generated code, and return what writing it gives."""
        adapter = self._package.adapter(self._file, definition)
        value = adapter.validate_json(json.dumps(document))
        return json.loads(adapter.dump_json(value, by_alias=True, exclude_unset=True))

    def checks(self, definition: str, document: Any) -> bool:
        """Check a document without creating objects; for a type that is no class, in a class with it."""
        kind = self._package.definition(self._file, definition)
        if isinstance(kind, type) and issubclass(kind, Model):
            return accepts(kind, document)
        holder = create_model("Holder", __base__=Model, value=(kind, ...))
        return accepts(holder, {"value": document})


@pytest.fixture(scope="session")
def cases(generated: Generate) -> dict[str, Case]:
    """Return each case by its name, all in one package."""
    package = generated(
        {
            f"{path.parts[-3] if path.name == SPEC_FILE else path.stem}.json": path.read_bytes()
            for path in sorted(CASES.glob("*/spec/*.json"))
        }
    )
    oracle = Oracle(package.spec)
    return {folder.name: Case(folder.name, package, oracle) for folder in CASES.iterdir()}


def documents(verdict: str) -> list[Any]:
    return [
        pytest.param(path.parts[-3], path.stem, document, id=f"{path.parts[-3]}-{path.stem}-{shows}")
        for path in sorted(CASES.glob(f"*/{verdict}/*.json"))
        for shows, document in json.loads(path.read_text(encoding="utf-8")).items()
    ]


@each(("name", "definition", "document"), documents("valid"))
def test_a_valid_document_is_read_and_written_unchanged(
    cases: dict[str, Case], name: str, definition: str, document: Any
) -> None:
    case = cases[name]
    assert case.jsonschema_accepts(definition, document)
    assert same_json(case.read(definition, document), document)
    assert case.checks(definition, document)


@each(("name", "definition", "document"), documents("invalid"))
def test_an_invalid_document_is_rejected(
    cases: dict[str, Case], name: str, definition: str, document: Any
) -> None:
    case = cases[name]
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
