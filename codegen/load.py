"""Read a folder of JSON Schemas: every document by its `$id`, every reference resolvable, nothing fetched."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from codegen.errors import SchemaError, pointer_of

CORE_FILE = "OpenLineage.json"
"""The document that defines events, entities and base facets."""

PROPOSALS = "proposals"
"""The folder of schemas that may share a facet key with a released facet."""


@dataclass(frozen=True)
class Document:
    """One schema file.

    Args:
        path: Where it was read, relative to the spec folder.
        schema_id: Its `$id`.
        schema: Its parsed content.
    """

    path: Path
    schema_id: str
    schema: Mapping[str, Any]

    @property
    def is_core(self) -> bool:
        """Whether this is the core document."""
        return self.path.name == CORE_FILE

    @property
    def is_proposal(self) -> bool:
        """Whether the schema is proposed, not released."""
        return PROPOSALS in self.path.parts[:-1]

    @property
    def definitions(self) -> Mapping[str, Any]:
        """The schemas under `$defs`."""
        definitions: Mapping[str, Any] = self.schema.get("$defs", {})
        return definitions


@dataclass(frozen=True)
class Spec:
    """Every document of a spec folder, in the order of their paths."""

    folder: Path
    documents: tuple[Document, ...]

    @property
    def core(self) -> Document:
        """The core document."""
        return next(document for document in self.documents if document.is_core)

    def find(self, document: Document, reference: str) -> tuple[Document, str] | None:
        """Return the document and the name under `$defs` that a `$ref` points at, or None if it is none."""
        try:
            return self.resolve(document, reference, "")
        except SchemaError:
            return None

    def resolve(self, document: Document, reference: str, pointer: str) -> tuple[Document, str]:
        """Return the document and the name under `$defs` that a `$ref` in `document` points at.

        Raises:
            SchemaError: It points at nothing, or at something other than a definition.
        """
        target, _, fragment = reference.partition("#")
        try:
            target = urljoin(document.schema_id, target) if target else document.schema_id
        except ValueError as error:
            raise SchemaError(document.path, pointer, f"$ref {reference!r} is no URL: {error}") from None
        found = next((other for other in self.documents if other.schema_id == target), None)
        if found is None:
            file = target.rpartition("/")[2]
            near = [other.schema_id for other in self.documents if other.path.name == file]
            hint = f"; this folder has {near[0]}" if near else ""
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} names a schema that is not in the folder{hint}"
            )
        steps = [step.replace("~1", "/").replace("~0", "~") for step in unquote(fragment).split("/")]
        if len(steps) != 3 or steps[:2] != ["", "$defs"]:
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} must point at a definition, as in '#/$defs/Name'"
            )
        if steps[2] not in found.definitions:
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} names no definition of {found.path.as_posix()}"
            )
        return found, steps[2]


def load(folder: Path) -> Spec:
    """Read every schema below `folder`.

    Raises:
        SchemaError: A file is no schema, two share an `$id`, or the core document is missing.
    """
    if not folder.is_dir():
        raise SchemaError(folder, "", "no such folder; name the folder that holds the schemas")
    documents = tuple(_documents(folder))
    if not any(document.is_core for document in documents):
        raise SchemaError(folder, "", f"holds no {CORE_FILE}; facets need the base facets it defines")
    ids: dict[str, Document] = {}
    for document in documents:
        other = ids.setdefault(document.schema_id, document)
        if other is not document:
            raise SchemaError(
                document.path, "/$id", f"{document.schema_id!r} is taken by {other.path.as_posix()}"
            )
    return Spec(folder, documents)


_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[^\s#<>\"\\^`{|}\[\]]+")
"""The `$id` of a schema: a URI with a scheme, without a fragment."""


def _documents(folder: Path) -> Iterator[Document]:
    for path in sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).as_posix()):
        name = path.relative_to(folder)
        schema = _schema(path, name)
        schema_id = schema.get("$id")
        if not isinstance(schema_id, str) or not _ABSOLUTE.fullmatch(schema_id):
            raise SchemaError(name, "/$id", f"expected the absolute URL of this schema, found {schema_id!r}")
        if not isinstance(schema.get("$defs", {}), dict):
            raise SchemaError(name, "/$defs", "expected an object of definitions")
        yield Document(name, schema_id, schema)


def _schema(path: Path, name: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        schema = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
        json.dumps(schema, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise SchemaError(
            name, "", "holds a lone surrogate, which is half a character; mend the escape"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(name, "", f"cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise SchemaError(
            name, "", f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise _too_deep(name) from None
    except ValueError as error:
        raise SchemaError(name, "", f"not JSON: {error}") from None
    if _depth(schema) > _DEPTH:
        raise _too_deep(name)
    if not isinstance(schema, dict):
        raise SchemaError(name, "", f"expected a JSON Schema object, found {type(schema).__name__}")
    return schema


_DEPTH = 100
"""Levels of nesting up to which Python surely reads the code that a schema becomes."""


def _depth(value: Any) -> int:
    """Return how deep `value` nests, level by level, since a recursive count could itself go too deep."""
    depth = 0
    level = [value]
    while level:
        depth += 1
        children = (
            one.values() if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list))
        )
        level = [child for group in children for child in group]
    return depth


def _too_deep(name: Path) -> SchemaError:
    return SchemaError(name, "", f"nested more than {_DEPTH} levels deep; move the inner schemas to $defs")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} stands twice in one object")
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is beyond what a number holds")
    return number


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


__all__ = ["CORE_FILE", "PROPOSALS", "Document", "Spec", "load", "pointer_of"]
