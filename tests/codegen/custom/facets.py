"""Schemas of custom facets for tests."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from codegen.custom_facets import CustomFacets, read_custom_facets, render_custom_facets
from codegen.write import write
from tests.codegen.importing import importable, unused_name
from tests.conftest import ROOT

PUBLISHED = ROOT / "spec"
CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
USD = {"usd": {"type": "number", "description": "The cost in US dollars."}}


_FOLDERS: list[TemporaryDirectory[str]] = []
"""Folders that are removed when Python exits."""


@cache
def part_of_published() -> Path:
    """Return a folder with the core and the published facets that tests refer to, which is read faster."""
    _FOLDERS.append(TemporaryDirectory())
    folder = Path(_FOLDERS[-1].name)
    (folder / "facets").mkdir()
    for name in ("OpenLineage", *(f"facets/{name}" for name in _REFERRED)):
        shutil.copy(PUBLISHED / f"{name}.json", folder / f"{name}.json")
    return folder


_REFERRED = ("NominalTimeRunFacet", "ParentRunFacet", "SQLJobFacet", "TagsRunFacet")


def facet_file(
    name: str = "AcmeCostRunFacet",
    key: str | None = "acme_cost",
    *,
    base: str = f"{CORE}#/$defs/RunFacet",
    version: str = "1-0-0",
    **keywords: Any,
) -> dict[str, Any]:
    """Return the schema file of one facet, whose own object has `keywords`."""
    own = {"type": "object", **(keywords or {"properties": USD, "required": ["usd"]})}
    keys = {} if key is None else {"properties": {key: {"$ref": f"#/$defs/{name}"}}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://acme.example.com/schemas/{version}/{name}.json",
        "$defs": {name: {"description": f"The {name}.", "allOf": [{"$ref": base}, own], "type": "object"}},
        **keys,
    }


def write_schemas(folder: Path, schemas: Mapping[str, Any]) -> Path:
    """Write schemas by file name; text is written as it is."""
    for name, schema in schemas.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(schema if isinstance(schema, str) else json.dumps(schema), encoding="utf-8")
    return folder


def read(folder: Path, schemas: Mapping[str, Any], **options: Any) -> CustomFacets:
    """Read schemas as `openlineage-facets generate` does."""
    return read_custom_facets(write_schemas(folder, schemas), part_of_published(), **options)


def build(folder: Path, package: str, schemas: Mapping[str, Any], **options: Any) -> Path:
    """Generate a package below `folder`."""
    custom = read(folder / f"{package}_schemas", schemas, **options)
    assert custom.errors == ()
    write(render_custom_facets(custom, package), folder / package)
    return folder / package


@contextmanager
def imported(folder: Path, schemas: Mapping[str, Any], **options: Any) -> Iterator[Any]:
    """Generate a package below `folder` under an unused name, and import it."""
    name = unused_name()
    build(folder, name, schemas, **options)
    with importable(folder):
        yield import_module(name)
