"""Read JSON Schemas from folders and index them by `$id`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.schema_folder import read_schema_folder, with_id

_Steps: TypeAlias = tuple[str | int, ...]

_ANNOTATIONS = frozenset(("$comment", "description", "example", "examples", "title"))
"""Keywords that do not affect validation."""

VALUE_KEYWORDS = frozenset(("enum", "const", "default", "examples", "example"))
"""Keywords that hold values, which may look like schemas."""

NAMED_SCHEMA_KEYWORDS = frozenset(
    ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")
)
"""Keywords that hold schemas by name. A name may be that of a keyword."""


class SchemaSetError(ValueError):
    """Invalid JSON Schemas, or folders that cannot be read.

    Args:
        problems: The problems, each one line with file and location.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def read_schemas(
    folders: Iterable[Path | str], *, id_base: str | None = None
) -> tuple[dict[str, dict[str, Any]], dict[str, Path]]:
    """Read all JSON Schemas below `folders`.

    JSON files that are not schemas are ignored.

    Args:
        folders: Folders, or single files.
        id_base: URL that the path of a schema without `$id` is appended to.

    Returns:
        The schemas by `$id`, and their files.

    Raises:
        SchemaSetError: A folder does not exist or contains no schema, a file is not valid JSON, a schema has
            no absolute `$id`, or two different schemas have the same.
    """
    schemas: dict[str, dict[str, Any]] = {}
    files: dict[str, Path] = {}
    problems: list[str] = []
    for folder in map(Path, folders):
        if not folder.exists():
            problems.append(f"{folder}: no such file or folder")
            continue
        found = read_schema_folder(folder)
        is_folder = folder.is_dir()
        unusable = [
            f"{folder / file.path if is_folder else folder}: {file.problem}" for file in found.invalid
        ]
        for name, content in found.files:
            path = folder / name if is_folder else folder
            schema = with_id(content, name, id_base)
            url = schema.get("$id", schema.get("id"))  # Named `id` in draft 4.
            if not isinstance(url, str) or "://" not in url:
                problem = (
                    "missing '$id'; add the URL of the schema, or pass the folder's as --id-base (id_base)"
                    if url is None
                    else f"expected an absolute '$id', found {describe(url)}; add the URL of the schema"
                )
                unusable.append(f"{path}: {problem}")
                continue
            url = url.rstrip("#")
            if url in schemas and not same_schema(schemas[url], schema):
                unusable.append(f"{path}: expected a unique '$id', found that of {files[url]}, {url}")
                continue
            schemas.setdefault(url, schema)
            files.setdefault(url, path)
        problems += sorted(unusable)
        if not found.files and not found.invalid:
            problems.append(f"{folder}: no JSON Schemas found; a schema has an '$id'")
    if problems:
        raise SchemaSetError(problems)
    return schemas, files


@cache
def own_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas that this package was generated from, empty if they are not installed; cached."""
    folder = own_schema_folder()
    return {} if folder is None else read_schemas([folder])[0]


def own_schema_folder() -> Path | None:
    """Return the folder of the schemas that this package was generated from, None if not installed."""
    package = Path(__file__).parent.parent.parent
    for folder in (package / "spec", package.parent / "spec"):
        if (folder / "OpenLineage.json").is_file():
            return folder
    return None


def references(schema: Any) -> Iterator[tuple[str, str]]:
    """Yield each reference of a schema, with the JSON Pointer to it."""
    for steps, part in schemas_in(schema):
        if isinstance(part.get("$ref"), str):
            yield json_pointer((*steps, "$ref")), part["$ref"]


def schemas_in(schema: Any, steps: _Steps = ()) -> Iterator[tuple[_Steps, dict[str, Any]]]:
    """Yield a schema and each schema inside it, with the steps to it."""
    if isinstance(schema, dict):
        yield steps, schema
        for key, part in schema.items():
            if key in NAMED_SCHEMA_KEYWORDS and isinstance(part, dict):
                for name, inner in part.items():
                    yield from schemas_in(inner, (*steps, key, name))
            elif key not in VALUE_KEYWORDS:
                yield from schemas_in(part, (*steps, key))
    elif isinstance(schema, list):
        for index, part in enumerate(schema):
            yield from schemas_in(part, (*steps, index))


def same_schema(one: Any, other: Any) -> bool:
    """Return whether two schemas are equal except for descriptions and other annotations."""
    return bool(_without_annotations(one) == _without_annotations(other))


def _without_annotations(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: _without_annotations(value)
            for key, value in schema.items()
            # A property may be named "description" as well; its value is a schema.
            if key not in _ANNOTATIONS or isinstance(value, dict)
        }
    return [_without_annotations(item) for item in schema] if isinstance(schema, list) else schema
