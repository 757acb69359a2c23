"""Turn a few schemas into an importable package, together with the core document that every spec needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

from pydantic import VERSION, TypeAdapter

from codegen.generate import generate
from codegen.identifiers import class_name, module_name
from codegen.write import write
from openlineage_facets.base.model.model import Model
from tests.conftest import ROOT

CORE_ID = "https://example.com/OpenLineage.json"
"""The `$id` of the core document in test specs, so that a new release of it changes no test."""

CORE_FILE = "OpenLineage.json"

Schemas = Mapping[str, Any]
"""Schemas by file name; text and bytes are written as they are."""


@cache
def core_text() -> str:
    """Return the project's core document under the `$id` that test specs refer to."""
    core = json.loads((ROOT / "spec" / CORE_FILE).read_text(encoding="utf-8"))
    return json.dumps({**core, "$id": CORE_ID})


def write_spec(folder: Path, schemas: Schemas) -> Path:
    """Write a spec folder: the core document, unless `schemas` has its own, and `schemas`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in {CORE_FILE: core_text(), **schemas}.items():
        if schema is None:
            continue
        content = schema if isinstance(schema, (str, bytes)) else json.dumps(schema)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def document(name: str, definitions: Mapping[str, Any], **keywords: Any) -> dict[str, Any]:
    """Return a schema file that defines `definitions`."""
    return {"$id": f"https://example.com/{name}.json", "$defs": dict(definitions), **keywords}


def facet(*, base: str = "RunFacet", **keywords: Any) -> dict[str, Any]:
    """Return the schema of a facet: its base and an object with `keywords`."""
    own = [{"type": "object", **keywords}] if keywords else []
    return {"type": "object", "allOf": [{"$ref": f"{CORE_ID}#/$defs/{base}"}, *own]}


@dataclass(frozen=True)
class Package:
    """A generated package, on the import path.

    Args:
        name: Its import path.
        folder: Where its files are.
    """

    name: str
    folder: Path

    @property
    def spec(self) -> Path:
        """The folder of its schemas, if `build` wrote them."""
        return self.folder.with_name(f"{self.name}_spec")

    def module(self, file: str) -> Any:
        """Return the module of a schema file."""
        return import_module(f"{self.name}.{module_name(Path(file).stem)}")

    def adapter(self, file: str, name: str) -> TypeAdapter[Any]:
        """Return what reads and writes values of a definition of a schema file.

        Before 2.14, pydantic cannot write a value of a class it has not built yet. `to_json` builds it,
        a TypeAdapter does not.
        """
        if tuple(map(int, VERSION.split(".")[:2])) < (2, 14):
            for cls in list(vars(self.module(file)).values()):
                if isinstance(cls, type) and issubclass(cls, Model):
                    cls.model_rebuild()
        return TypeAdapter(self.definition(file, name))

    def definition(self, file: str, name: str) -> Any:
        """Return what a definition of a schema file became."""
        return getattr(self.module(file), class_name(name))

    def models(self) -> list[type[Model]]:
        """Return the classes of all modules."""
        files = (path.stem for path in self.folder.glob("*.py") if path.stem != "__init__")
        return [
            cls
            for module in [
                import_module(self.name),
                *(import_module(f"{self.name}.{file}") for file in files),
            ]
            for cls in list(vars(module).values())
            if isinstance(cls, type) and issubclass(cls, Model) and cls.__module__ == module.__name__
        ]

    def exported(self) -> Any:
        """Return the package itself, which exports every facet class."""
        return import_module(self.name)


def build(folder: Path, name: str, schemas: Schemas) -> Package:
    """Generate the package `name` below `folder` from schemas. Importing it is the caller's path to set."""
    package = Package(name, folder / name)
    write(generate(write_spec(package.spec, schemas), name), package.folder)
    invalidate_caches()  # Python may have listed the folder just before.
    return package


def contents(folder: Path) -> dict[str, str]:
    """Return the content of the files in a folder by their names."""
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file()}
