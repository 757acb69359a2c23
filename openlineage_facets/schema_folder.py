"""Read the JSON Schemas of a folder in any layout, for validation and for the generator.

Nothing is fetched and nothing is executed. JSON files that are not schemas, such as examples, are listed
apart.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from openlineage_facets.event_files.file_opening import file_type

_SCHEMA_KEYWORDS = (
    *("$schema", "$id", "$ref", "$defs", "definitions"),
    *("allOf", "anyOf", "oneOf", "not", "properties", "required"),
)
"""A JSON object with one of these is a JSON Schema."""

_DEPTH = 100
"""Levels of nesting up to which Python can parse the code generated from a schema."""

_DIGITS = 1000
"""Digits of an integer up to which every Python reads and writes it."""


class SchemaFile(NamedTuple):
    """One schema: its file, relative to the folder that was read, and its content."""

    path: Path
    schema: dict[str, Any]


class InvalidFile(NamedTuple):
    """A file that cannot be used: the file, relative to the folder, and why."""

    path: Path
    problem: str


class SchemaFolder(NamedTuple):
    """What a folder contains.

    Attributes:
        files: The schemas, ordered by path.
        ignored: JSON files that are not schemas.
        invalid: Files that are not valid JSON.
    """

    files: tuple[SchemaFile, ...]
    ignored: tuple[Path, ...]
    invalid: tuple[InvalidFile, ...]


def read_schema_folder(folder: Path) -> SchemaFolder:
    """Read all JSON files below a folder, or a single file.

    Args:
        folder: An existing folder or file.
    """
    files: list[SchemaFile] = []
    ignored: list[Path] = []
    invalid: list[InvalidFile] = []
    for path, name in _json_files(folder):
        try:
            schema = _read(path)
        except _Invalid as error:
            invalid.append(InvalidFile(name, str(error)))
            continue
        if isinstance(schema, dict) and any(keyword in schema for keyword in _SCHEMA_KEYWORDS):
            files.append(SchemaFile(name, schema))
        else:
            ignored.append(name)
    return SchemaFolder(tuple(files), tuple(ignored), tuple(invalid))


def with_id(schema: dict[str, Any], path: Path, id_base: str | None) -> dict[str, Any]:
    """Return a schema with an `$id`: its own, or its path below a URL.

    Args:
        schema: The schema.
        path: Its path, relative to the folder.
        id_base: The URL of the folder, None to leave the schema as it is.
    """
    if id_base is None or "$id" in schema or "id" in schema:
        return schema
    return {"$id": f"{id_base.rstrip('/')}/{path.as_posix()}", **schema}


def _json_files(folder: Path) -> Iterator[tuple[Path, Path]]:
    if not folder.is_dir():
        yield folder, Path(folder.name)
        return
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).as_posix()):
        yield path, path.relative_to(folder)


class _Invalid(ValueError):
    """The content of a file is not that of a schema."""


def _read(path: Path) -> Any:
    try:
        if path.exists() and (found := file_type(path.stat().st_mode)):  # Opening a FIFO would block.
            raise _Invalid(f"expected a regular file, found {found}")
        schema = json.loads(
            path.read_text(encoding="utf-8-sig"),  # Some editors write a byte order mark.
            object_pairs_hook=_unique,
            parse_constant=_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
        json.dumps(schema, ensure_ascii=False).encode()
    except _Invalid:
        raise
    except UnicodeEncodeError:
        raise _Invalid("not valid JSON: unpaired surrogate; complete the escape") from None
    except UnicodeDecodeError as error:
        raise _Invalid(f"not valid UTF-8: {error}; save the file as UTF-8") from None
    except OSError as error:
        raise _Invalid(f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    except json.JSONDecodeError as error:
        raise _Invalid(f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise _Invalid(f"not valid JSON: {error}") from None
    if _depth(schema) > _DEPTH:
        raise _too_deep()
    return schema


def _depth(value: Any) -> int:
    """Return the depth of `value`, counted level by level: recursion could itself go too deep."""
    depth = 0
    level = [value]
    while level:
        depth += 1
        children = (
            node.values() if isinstance(node, dict) else node
            for node in level
            if isinstance(node, (dict, list))
        )
        level = [child for group in children for child in group]
    return depth


def _too_deep() -> _Invalid:
    return _Invalid(f"nested more than {_DEPTH} levels deep; move inner schemas to $defs")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"duplicate name {name!r} in one object; remove one")
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"number out of range: {digits[:100]!r}")
    return number


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"integer of more than {_DIGITS} digits")
    return int(digits)


def _constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")
