"""Compare two folders of schemas, file by file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..documents import Document, Key, Spec, base_facets, version_of, version_text
from ..errors import SchemaError, SchemaErrors, steps_of
from ..identifiers import class_name, slot_names
from ..keywords import ANNOTATIONS, with_subschemas_changed
from ..name import name
from ..normalize import Normalized, Schema, normalized_definitions
from .change import Change, Diff, DocumentDiff, Step, version_problem
from .schemas import Comparison
from .side import Side


def compare(old: SchemaVersion, new: SchemaVersion) -> Diff:
    """Return the differences between two folders of schemas.

    Proposals are compared only if both have some. Documents that were only loaded because others extend them
    are not compared.
    """
    versions = _Versions(old, new)
    before, after = _compared(old.spec), _compared(new.spec)
    if not any(document.is_proposal for document in before.values()) or not any(
        document.is_proposal for document in after.values()
    ):
        before, after = (
            {file: document for file, document in side.items() if not document.is_proposal}
            for side in (before, after)
        )
    renamed = {document.schema_id: file for file, document in before.items() if file not in after}
    after = {
        file if file in before else renamed.get(document.schema_id, file): document
        for file, document in after.items()
    }
    found: list[DocumentDiff] = []
    for file in sorted(before.keys() | after.keys()):
        difference = versions.difference(before.get(file), after.get(file))
        if difference is not None:
            found.append(difference)
    return Diff(tuple(found), len(before.keys() | after.keys()) - len(found))


def _compared(spec: Spec) -> dict[str, Document]:
    return {document.path.name: document for document in spec.documents if not document.is_base}


class SchemaVersion:
    """One of the two folders, normalized and named.

    Args:
        spec: Its schemas.

    Raises:
        SchemaErrors: Schemas are invalid.
    """

    def __init__(self, spec: Spec) -> None:
        definitions: dict[Key, Schema] = {}
        errors: list[SchemaError] = []
        for document in spec.documents:
            try:
                definitions |= normalized_definitions(spec, document)
            except SchemaError as error:
                errors.append(error)
        if errors:
            raise SchemaErrors(errors)
        self.normalized = Normalized(spec, definitions)
        self.side = Side(self.normalized, name(self.normalized))
        self.spec = spec

    def file(self, document: Document) -> str:
        """Return the path of a document, relative to the working directory if it is below it."""
        path = self.spec.file_of(document)
        here = Path.cwd()
        absolute = Path(os.path.abspath(path))
        return (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()

    def uses(self, key: str, entities: Iterable[str]) -> str:
        """Return the Python expressions for the facet with a key.

        Only facets of the specification are attributes of containers.
        """
        is_custom = self.spec.core.is_base
        attribute = slot_names([key])[key]
        parts = [_PARTS[entity] for entity in entities if entity in _PARTS] or [("facets", "build")]
        containers = [f"{facets}[{key!r}]" if is_custom else f"{facets}.{attribute}" for facets, _ in parts]
        return " and ".join([*containers, *(f"{build}.{attribute}()" for _, build in parts)])

    def classes(self, document: Document) -> list[str]:
        """Return the classes of the facets of a document, or else of its other definitions."""
        facets = [
            class_name(definition) for definition in document.definitions if definition.endswith("Facet")
        ]
        others = (
            self.side.class_of(self.normalized.definitions[document.schema_id, definition])
            for definition in document.definitions
        )
        return facets or [other for other in others if other]

    def used_by_others(self, document: Document) -> set[str]:
        """Return the definitions of a document that other definitions of it refer to."""
        found: set[str] = set()
        for definition_name in document.definitions:
            own = (document.schema_id, definition_name)
            reached = self.side.reached(self.normalized.definitions[own]) - {own}
            found |= {definition for schema_id, definition in reached if schema_id == document.schema_id}
        return found


@dataclass(frozen=True)
class _Versions:
    old: SchemaVersion
    new: SchemaVersion

    def difference(self, old: Document | None, new: Document | None) -> DocumentDiff | None:
        """Return the differences of one file, None if there are none."""
        if new is None:
            return None if old is None else _only(old, self.old, "removed")
        if old is None:
            return _only(new, self.new, "new")
        changes = [*self._keys(old, new), *self._definitions(old, new), *_unenforced(old, new)]
        if not changes and old.url == new.url and _structure(old.schema) != _structure(new.schema):
            text = "written in other words, with the same effect"
            changes.append(Change("schema", text, Step.NONE))
        if not changes and old.url == new.url:
            return None
        required = max((change.step for change in changes), default=Step.NONE)
        if not changes:
            changes.append(Change("version", "no other difference", Step.NONE))
        return DocumentDiff(
            new.path.stem,
            self.new.file(new),
            version_text(version_of(old.url)),
            version_text(version_of(new.url)),
            "changed",
            tuple(changes),
            version_problem(old.url, new.url, required),
            self._line(new, changes),
        )

    def _line(self, document: Document, changes: Iterable[Change]) -> int | None:
        """Return the line of the first breaking change in a new file, or else of the first one."""
        ordered = sorted(changes, key=lambda change: not change.is_breaking)
        pointer = next((change.pointer for change in ordered if change.pointer), "")
        try:
            text = self.new.spec.file_of(document).read_text(encoding="utf-8-sig")
        except OSError:
            return None
        return line_of(text, document.pointer_in_file(pointer))

    def _keys(self, old: Document, new: Document) -> Iterator[Change]:
        before, after = _keys_of(old, self.old), _keys_of(new, self.new)
        removed = [key for key in before if key not in after]
        added = [key for key in after if key not in before]
        while removed and added:
            one, other = removed.pop(0), added.pop(0)
            uses, new_uses = self.old.uses(one, before[one]), self.new.uses(other, after[other])
            effect = "" if uses == new_uses else f"{uses} become {new_uses}"
            yield Change("key", f"{one} -> {other}", Step.MODEL, effect)
        for key in removed:
            effect = f"{self.old.uses(key, before[key])} are removed"
            yield Change("key", f"{key} of {' and '.join(before[key])} removed", Step.MODEL, effect)
        for key in added:
            yield Change("key", f"{key} of {' and '.join(after[key])} added", Step.ADDITION)
        for key in before:
            if key in after and before[key] != after[key]:
                text = f"{key} of {' and '.join(before[key])} -> {' and '.join(after[key])}"
                is_wider = set(before[key]) <= set(after[key])
                yield Change("entity", text, Step.ADDITION if is_wider else Step.MODEL)

    def _definitions(self, old: Document, new: Document) -> Iterator[Change]:
        """Yield the differences of the definitions, those that others refer to where they are used."""
        comparison = Comparison(self.old.side, self.new.side)
        before, after = self.old.normalized.definitions, self.new.normalized.definitions
        used = self.old.used_by_others(old) | self.new.used_by_others(new)
        roots = list(dict.fromkeys([*old.definitions, *new.definitions]))
        roots.sort(key=lambda root: (root in used, root != new.path.stem))
        for root in roots:
            in_old, in_new = root in old.definitions, root in new.definitions
            prefix = "" if root == new.path.stem else root
            if in_old and in_new:
                one, other = before[old.schema_id, root], after[new.schema_id, root]
                yield from comparison.changes(one, other, prefix, class_name(root))
            elif in_old and root not in used:
                yield Change("removed", f"definition {root}", Step.MODEL, f"{class_name(root)} is removed")
            elif in_new and root not in used:
                yield Change("added", f"definition {root}", Step.ADDITION)


def _only(document: Document, version: SchemaVersion, state: str) -> DocumentDiff:
    """Return the difference of a file that only one version has: `new` or `removed`."""
    keys = _keys_of(document, version)
    text = ", ".join(f"key {key} of {' and '.join(entities)}" for key, entities in keys.items()) or "no facet"
    number = version_text(version_of(document.url))
    old, new, change = "", number, Change(state, text, Step.NONE)
    if state == "removed":
        names = version.classes(document)
        effect = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} removed" if names else ""
        old, new, change = number, "", Change(state, text, Step.MODEL, effect)
    return DocumentDiff(document.path.stem, version.file(document), old, new, state, (change,))


_PARTS = {
    "Run": ("run.facets", "build.run"),
    "Job": ("job.facets", "build.job"),
    "Dataset": ("dataset.facets", "build.dataset"),
    "InputDataset": ("input.input_facets", "build.input(...)"),
    "OutputDataset": ("output.output_facets", "build.output(...)"),
}
"""The container and the builder of the facets of each entity."""


def _unenforced(old: Document, new: Document) -> Iterator[Change]:
    """Yield the differences of keywords that classes do not enforce."""
    for pointer in dict.fromkeys([*old.unenforced, *new.unenforced]):
        before, after = old.unenforced.get(pointer), new.unenforced.get(pointer)
        if before != after:
            text = f"{_place(pointer)} {_json(before)} -> {_json(after)}, which classes do not enforce"
            yield Change("keyword", text, Step.ADDITION if after is None else Step.MODEL)


def _place(pointer: str) -> str:
    """Return where a keyword is, such as `fields[] multipleOf`."""
    path = ""
    steps = iter(steps_of(pointer)[:-1])
    for step in steps:
        if step in ("properties", "patternProperties", "dependentSchemas"):
            name = next(steps, "")
            path = f"{path}.{name}" if path else name
        elif step in ("$defs", "definitions"):
            next(steps, "")
        elif step == "items":
            path = f"{path}[]"
        elif step == "additionalProperties":
            path = f"{path}.*" if path else "*"
    return f"{path or 'the object'} {pointer.rpartition('/')[2]}"


def _json(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)


def _keys_of(document: Document, version: SchemaVersion) -> dict[str, tuple[str, ...]]:
    """Return the entities of each facet key that a file defines."""
    if document.is_core:
        return {}
    return {
        key: tuple(_entities(document, schema, version))
        for key, schema in document.schema.get("properties", {}).items()
    }


def _entities(document: Document, schema: Any, version: SchemaVersion) -> list[str]:
    """Return the entities whose base facets the facets under a key extend."""
    bases = base_facets(document, schema, version.spec, "/properties")
    return [base.removesuffix("Facet") for base in bases]


def _structure(schema: Any) -> str:
    """Return a schema without its annotations, as text to compare."""
    return json.dumps(_bare(schema), sort_keys=True)


def _bare(schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    kept = {keyword: value for keyword, value in schema.items() if keyword not in ANNOTATIONS}
    return with_subschemas_changed(kept, lambda _, inner: _bare(inner))


_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def line_of(text: str, pointer: str) -> int:
    """Return the line of the value at a JSON Pointer, or of the innermost value around it that exists.

    Args:
        text: Valid JSON.
        pointer: The pointer.
    """
    start = position = _BLANK.match(text, 0).end()  # type: ignore[union-attr]
    for step in steps_of(pointer):
        member = _member(text, position, step)
        if member is None:
            break
        start, position = member
    return text.count("\n", 0, start) + 1


def _member(text: str, position: int, step: str) -> tuple[int, int] | None:
    """Return where a member of the value at a position starts, with its name, and where its value does."""
    is_object = text[position] == "{"
    if not is_object and text[position] != "[":
        return None
    number = 0
    position = _after_blank(text, position + 1)
    while text[position] not in "}]":
        start, name = position, str(number)
        if is_object:
            name, position = _DECODER.raw_decode(text, position)
            position = _after_blank(text, _after_blank(text, position) + 1)
        if name == step:
            return start, position
        _, position = _DECODER.raw_decode(text, position)
        position = _after_blank(text, position)
        if text[position] == ",":
            position = _after_blank(text, position + 1)
        number += 1
    return None


def _after_blank(text: str, position: int) -> int:
    return _BLANK.match(text, position).end()  # type: ignore[union-attr]
