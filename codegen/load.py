"""Read a folder of JSON Schemas: each document by its `$id`, each valid JSON Schema, nothing fetched."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from codegen.errors import SchemaError
from codegen.metaschema import metaschema_error, truncated_repr

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
        """Whether the schema is a proposal, not released."""
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

    @cached_property
    def core(self) -> Document:
        """The core document."""
        return next(document for document in self.documents if document.is_core)

    @cached_property
    def by_id(self) -> Mapping[str, Document]:
        """The documents by `$id`."""
        return {document.schema_id: document for document in self.documents}

    def resolve(self, document: Document, reference: str, pointer: str) -> tuple[Document, str]:
        """Return the document and the name under `$defs` that a `$ref` in `document` refers to.

        Raises:
            SchemaError: It refers to nothing, or to something other than a definition.
        """
        target, _, fragment = reference.partition("#")
        try:
            target = urljoin(document.schema_id, target) if target else document.schema_id
        except ValueError as error:
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} is not a valid URL: {error}"
            ) from None
        found = self.by_id.get(target)
        if found is None:
            file = target.rpartition("/")[2]
            near = [other.schema_id for other in self.documents if other.path.name == file]
            fix = f"did you mean {near[0]}?" if near else "add the file, or refer to another"
            raise SchemaError(
                document.path, pointer, f"$ref {reference!r} refers to a schema outside the folder; {fix}"
            )
        steps = [step.replace("~1", "/").replace("~0", "~") for step in unquote(fragment).split("/")]
        if len(steps) != 3 or steps[:2] != ["", "$defs"]:
            raise SchemaError(
                document.path,
                pointer,
                f"$ref {reference!r} does not refer to a definition; expected '#/$defs/Name'",
            )
        if steps[2] not in found.definitions:
            raise SchemaError(
                document.path,
                pointer,
                f"$ref {reference!r} refers to a missing definition; add it to {found.path.as_posix()}",
            )
        return found, steps[2]


def load(folder: Path) -> Spec:
    """Read every schema below `folder`.

    Raises:
        SchemaError: A file is not a valid schema, two share an `$id`, or the core document is missing.
    """
    if not folder.is_dir():
        raise SchemaError(folder, "", "no such folder; pass the folder that holds the schemas")
    documents = tuple(_documents(folder))
    if not any(document.is_core for document in documents):
        raise SchemaError(folder, "", f"missing {CORE_FILE}; add it: facets extend its base facets")
    ids: dict[str, Document] = {}
    for document in documents:
        other = ids.setdefault(document.schema_id, document)
        if other is not document:
            raise SchemaError(
                document.path,
                "/$id",
                f"{document.schema_id!r} is also the $id of {other.path.as_posix()}; change one of them",
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
            raise SchemaError(
                name, "/$id", f"expected the absolute URL of this schema, found {truncated_repr(schema_id)}"
            )
        invalid = metaschema_error(schema)
        if invalid is not None:
            raise SchemaError(name, *invalid)
        yield Document(name, schema_id, schema)


def _schema(path: Path, name: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        schema = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
        json.dumps(schema, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise SchemaError(name, "", "not valid JSON: unpaired surrogate; complete the escape") from None
    except UnicodeDecodeError as error:
        raise SchemaError(name, "", f"not valid UTF-8: {error}; save the file as UTF-8") from None
    except OSError as error:
        raise SchemaError(name, "", f"cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise SchemaError(
            name, "", f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}"
        ) from None
    except RecursionError:
        raise _too_deep(name) from None
    except ValueError as error:
        raise SchemaError(name, "", f"not valid JSON: {error}") from None
    if _depth(schema) > _DEPTH:
        raise _too_deep(name)
    if not isinstance(schema, dict):
        raise SchemaError(name, "", f"expected a JSON Schema object, found {truncated_repr(schema)}")
    return schema


_DEPTH = 100
"""Levels of nesting up to which Python can parse the generated code."""


def _depth(value: Any) -> int:
    """Return the depth of `value`, counted level by level: recursion could itself go too deep."""
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
    return SchemaError(name, "", f"nested more than {_DEPTH} levels deep; move inner schemas to $defs")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"duplicate name {truncated_repr(name)} in one object; remove one")
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"number out of range: {truncated_repr(digits)}")
    return number


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"integer of more than {_DIGITS} digits")
    return int(digits)


_DIGITS = 1000
"""Digits of an integer up to which every Python reads and writes it."""


def _constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")
