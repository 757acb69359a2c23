"""The schema files of the project and their nested schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cases import each
from tests.conftest import ROOT

SPEC = ROOT / "spec"

NAMED_PARTS = ("properties", "$defs")
"""Keywords whose members are named schemas."""

PARTS = ("items", "additionalProperties", "not")
LISTED_PARTS = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True)
class SchemaFile:
    """A schema file."""

    path: Path
    schema: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path.relative_to(SPEC).as_posix()

    def parts(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield every schema of the file, the file itself first, each with its JSON Pointer."""
        yield from _parts("", self.schema)

    def described_parts(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the schemas that need a description: file, definitions, properties, inline objects."""
        for pointer, schema in self.parts():
            is_named = pointer.rpartition("/")[0].endswith(NAMED_PARTS)
            is_inline_object = "properties" in schema and pointer.rpartition("/")[2] in PARTS
            if is_named or is_inline_object or not pointer:
                yield pointer, schema


def _parts(pointer: str, schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(schema, dict):
        return
    yield pointer, schema
    for keyword in NAMED_PARTS:
        for name, part in schema.get(keyword, {}).items():
            yield from _parts(f"{pointer}/{keyword}/{name.replace('~', '~0').replace('/', '~1')}", part)
    for keyword in PARTS:
        yield from _parts(f"{pointer}/{keyword}", schema.get(keyword))
    for keyword in LISTED_PARTS:
        for number, part in enumerate(schema.get(keyword, ())):
            yield from _parts(f"{pointer}/{keyword}/{number}", part)


FILES = [
    SchemaFile(path, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(SPEC.rglob("*.json"))
]

each_file = each("file", FILES, ids=lambda file: file.name)
