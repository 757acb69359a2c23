"""A schema that cannot become faithful code is rejected in one line: location, cause, fix.

A folder below `rejected/` is a spec without its core document; `expected.txt` is the complete error,
with `<spec>` for the folder of schemas.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.errors import SchemaError
from codegen.generate import generate
from tests.cases import each
from tests.codegen.building import CORE_FILE, Schemas, document, write_spec

CASES = sorted((Path(__file__).parent / "rejected").iterdir())


def rejection(spec: Path) -> str:
    with pytest.raises(SchemaError) as rejected:
        generate(spec, "package")
    return str(rejected.value)


@each("case", CASES, ids=lambda case: case.name)
def test_a_schema_is_rejected_with_location_and_fix(case: Path, tmp_path: Path) -> None:
    schemas = {path.relative_to(case).as_posix(): path.read_bytes() for path in case.rglob("*.json")}
    expected = (case / "expected.txt").read_text(encoding="utf-8")
    error = rejection(write_spec(tmp_path, schemas)).replace(str(tmp_path), "<spec>")
    assert f"{error}\n" == expected
    assert len(error.splitlines()) == 1


@each("schemas", [{}, {"Thing.json": document("Thing", {})}])
def test_a_folder_without_the_core_document_is_rejected(schemas: Schemas, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, {CORE_FILE: None, **schemas})
    assert rejection(spec) == f"{spec}: missing OpenLineage.json; add it: facets extend its base facets"


def test_a_folder_named_like_a_schema_is_rejected(tmp_path: Path) -> None:
    write_spec(tmp_path, {})
    (tmp_path / "Thing.json").mkdir()
    assert rejection(tmp_path).startswith("Thing.json: expected a regular file, found a folder")


def test_a_file_nested_too_deep_is_rejected(tmp_path: Path) -> None:
    deep = '{"$id": "https://example.com/Deep.json", "$defs": ' + '{"a":' * 100_000 + "1" + "}" * 100_001
    assert (
        rejection(write_spec(tmp_path, {"Deep.json": deep}))
        == "Deep.json: nested more than 100 levels deep; move inner schemas to $defs"
    )


@pytest.mark.parametrize("text", ["two\nlines", "\r", "\u2028", "\N{ESCAPE}[2J"], ids=ascii)
def test_an_error_is_one_printable_line_for_any_text_in_names(text: str, tmp_path: Path) -> None:
    bad = document("Bad", {f"Bad{text}": {"type": "object", f"key{text}word": [text]}})
    error = rejection(write_spec(tmp_path, {"Bad.json": bad}))
    assert error.startswith("Bad.json#/$defs/Bad")
    assert error.isprintable()
