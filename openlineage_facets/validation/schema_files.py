"""Finds JSON Schemas in folders, whatever their layout: by the `$id` each of them gives itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from openlineage_facets.base.errors import json_pointer, shown
from openlineage_facets.validation.code import Code

__all__ = ["NO_SUCH_DEFINITION", "SchemaSetError", "own_schemas", "read_schemas", "references", "same_schema"]

NO_SUCH_DEFINITION = Code(
    "OL211",
    "A schema URL names a definition that its schema does not have",
    "warning",
    "The document that a `_schemaURL` names is among the schemas given by `--schemas`, but has no definition "
    "of the name in the fragment. So nothing says what the facet holds, and it is not checked. Most often "
    "the definition was renamed, or the URL is that of another version.",
    "https://openlineage.io/docs/spec/facets/#custom-facet-naming",
)
"""Found where the schema is given, and nowhere else."""

_SCHEMA_WORDS = (
    *("$schema", "$id", "$ref", "$defs", "definitions"),
    *("allOf", "anyOf", "oneOf", "not", "properties", "required"),
)
"""What tells a JSON Schema from other JSON files in the same folders, such as examples."""

_ANNOTATIONS = frozenset(("$comment", "description", "example", "examples", "title"))
"""What a schema may say without forbidding anything."""


class SchemaSetError(ValueError):
    """Folders of JSON Schemas that can't be used.

    Args:
        problems: What is wrong, one line for each file and place.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def read_schemas(folders: Iterable[Path | str]) -> tuple[dict[str, dict[str, Any]], dict[str, Path]]:
    """Read every JSON Schema below `folders`.

    JSON files that are no schemas are passed over.

    Args:
        folders: Folders, or single files.

    Returns:
        The schemas by `$id`, and the files they stand in.

    Raises:
        SchemaSetError: A folder is missing or holds no schema, a file is no JSON, a schema has no absolute
            `$id`, or two that differ have the same.
    """
    schemas: dict[str, dict[str, Any]] = {}
    files: dict[str, Path] = {}
    problems: list[str] = []
    for folder in map(Path, folders):
        if not folder.exists():
            problems.append(f"{folder}: expected a folder of JSON Schemas, found nothing of this name")
            continue
        has_schema, told = False, len(problems)
        for path in sorted(folder.rglob("*.json")) if folder.is_dir() else [folder]:
            try:
                schema = json.loads(path.read_bytes())
            except OSError as error:
                problems.append(f"{path}: expected a file to read, found {error.strerror or error}")
                continue
            except (ValueError, RecursionError) as error:
                problems.append(f"{path}: expected JSON, found text that is none ({error})")
                continue
            if not isinstance(schema, dict) or not any(word in schema for word in _SCHEMA_WORDS):
                continue
            has_schema = True
            url = schema.get("$id")
            if not isinstance(url, str) or "://" not in url:
                found = "none" if url is None else shown(url)
                problems.append(
                    f"{path}: expected an absolute '$id', found {found}; add the URL of the schema"
                )
                continue
            url = url.rstrip("#")
            if url in schemas and not same_schema(schemas[url], schema):
                problems.append(f"{path}: expected a '$id' of its own, found that of {files[url]}, {url}")
                continue
            schemas.setdefault(url, schema)
            files.setdefault(url, path)
        if not has_schema and len(problems) == told:
            problems.append(f"{folder}: expected JSON Schemas, found none; a schema has an '$id'")
    if problems:
        raise SchemaSetError(problems)
    return schemas, files


def own_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas that this package was generated from, none where they are not at hand."""
    package = Path(__file__).parent.parent
    for folder in (package / "spec", package.parent / "spec"):
        if (folder / "OpenLineage.json").is_file():
            return read_schemas([folder])[0]
    return {}


def references(schema: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield each reference of a schema, with the JSON Pointer to it."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield json_pointer((*steps, key)), value
            elif key not in ("enum", "const", "default", "examples", "example"):
                yield from references(value, (*steps, key))
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from references(value, (*steps, index))


def same_schema(one: Any, other: Any) -> bool:
    """Tell whether two schemas allow the same, whatever words they describe it in."""
    return bool(_without_annotations(one) == _without_annotations(other))


def _without_annotations(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: _without_annotations(value)
            for key, value in schema.items()
            # A property may be called "description", too; it has a schema, which is no text.
            if key not in _ANNOTATIONS or isinstance(value, dict)
        }
    return [_without_annotations(item) for item in schema] if isinstance(schema, list) else schema
