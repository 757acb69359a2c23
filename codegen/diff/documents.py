"""Compare two folders of schemas, file by file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..documents import Document, Spec, base_facets, version_of, version_text, without_version
from ..errors import steps_of
from ..identifiers import class_name, slot_names
from ..keywords import without_annotations
from .change import OTHER, READERS, RELAXED, Change, Diff, DocumentDiff, Step, version_problem
from .schemas import Comparison
from .version import SchemaVersion


def compare(old: SchemaVersion, new: SchemaVersion) -> Diff:
    """Return the differences between two folders of schemas.

    Proposals are compared only if both have some. Documents that were only loaded because others extend them
    are not compared.
    """
    new = _named_alike(old, new)
    before, after = _compared(old.spec), _compared(new.spec)
    if not all(any(file.is_proposal for file in side.values()) for side in (before, after)):
        before, after = (
            {file: document for file, document in side.items() if not document.is_proposal}
            for side in (before, after)
        )
    renamed = {
        without_version(document.schema_id): file for file, document in before.items() if file not in after
    }
    after = {
        file if file in before else renamed.get(without_version(document.schema_id), file): document
        for file, document in after.items()
    }
    files = sorted(before.keys() | after.keys())
    versions = _Versions(old, new)
    differences = (versions.difference(before.get(file), after.get(file)) for file in files)
    documents = tuple(difference for difference in differences if difference is not None)
    return Diff(documents, len(files) - len(documents))


def _named_alike(old: SchemaVersion, new: SchemaVersion) -> SchemaVersion:
    """Return the new version; if each is one file, under the name of the old one."""
    before, after = _compared(old.spec), _compared(new.spec)
    is_file = old.spec.folder.is_file() and new.spec.folder.is_file() and len(before) == len(after) == 1
    if not is_file or before.keys() == after.keys():
        return new
    (document,), (other,) = before.values(), after.values()
    renamed = replace(other, path=document.path)
    documents = tuple(renamed if one is other else one for one in new.spec.documents)
    return SchemaVersion(replace(new.spec, documents=documents))


def _compared(spec: Spec) -> dict[str, Document]:
    return {document.path.name: document for document in spec.documents if not document.is_base}


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
        changes = [*self._keys(old, new), *self._definitions(old, new)]
        required = max((change.step for change in changes), default=Step.NONE)
        if not changes:
            if old.url != new.url:
                changes = [Change("version", "no other difference", Step.NONE)]
            elif _structure(old.schema) != _structure(new.schema):
                changes = [Change("schema", "written in other words, with the same effect", Step.NONE)]
            else:
                return None
        return DocumentDiff(
            new.path.stem,
            _file(new, self.new.spec),
            version_text(version_of(old.url)),
            version_text(version_of(new.url)),
            "changed",
            tuple(changes),
            version_problem(old.url, new.url, required),
            _line(new, self.new.spec, changes),
        )

    def _keys(self, old: Document, new: Document) -> Iterator[Change]:
        before, after = _keys_of(old, self.old.spec), _keys_of(new, self.new.spec)
        removed = [key for key in before if key not in after]
        added = [key for key in after if key not in before]
        while removed and added:
            key, renamed = removed.pop(0), added.pop(0)
            uses = _uses(key, before[key], self.old.spec)
            new_uses = _uses(renamed, after[renamed], self.new.spec)
            effect = "" if uses == new_uses else f"{uses} become {new_uses}"
            yield Change("key", f"{key} -> {renamed}", *OTHER, effect)
        for key in removed:
            effect = f"{_uses(key, before[key], self.old.spec)} are removed"
            yield Change("key", f"{key} of {' and '.join(before[key])} removed", *OTHER, effect)
        for key in added:
            yield Change("key", f"{key} of {' and '.join(after[key])} added", Step.ADDITION)
        for key in before:
            if key in after and before[key] != after[key]:
                text = f"{key} of {' and '.join(before[key])} -> {' and '.join(after[key])}"
                is_wider = set(before[key]) <= set(after[key])
                yield Change("entity", text, *(RELAXED if is_wider else OTHER))

    def _definitions(self, old: Document, new: Document) -> Iterator[Change]:
        """Yield the differences of the definitions, those that others refer to where they are used."""
        comparison = Comparison(self.old, self.new)
        shared = old.definitions.keys() & new.definitions.keys()
        used = self.old.used_by_others(old, shared) | self.new.used_by_others(new, shared)
        roots = list(dict.fromkeys([*old.definitions, *new.definitions]))
        for root in sorted(roots, key=lambda root: (root in used, root != new.path.stem)):
            before = self.old.definitions.get((old.schema_id, root))
            after = self.new.definitions.get((new.schema_id, root))
            if before and after:
                prefix = "" if root == new.path.stem else root
                yield from comparison.changes(before, after, prefix, class_name(root))
            elif before and root not in used:
                effect = f"{class_name(root)} is removed"
                yield Change("removed", f"definition {root}", Step.MODEL, READERS, effect)
            elif after and root not in used:
                yield Change("added", f"definition {root}", Step.ADDITION)
        yield from comparison.changes(self.old.events(old), self.new.events(new), "event", "")


def _file(document: Document, spec: Spec) -> str:
    """Return the path of a document, relative to the working directory if it is below it."""
    path, here = spec.file_of(document), Path.cwd()
    absolute = Path(os.path.abspath(path))
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()


def _line(document: Document, spec: Spec, changes: Iterable[Change]) -> int | None:
    """Return the line of the first breaking change in a new file, or else of the first one."""
    ordered = sorted(changes, key=lambda change: not change.is_breaking)
    pointer = next((change.pointer for change in ordered if change.pointer), "")
    try:
        text = spec.file_of(document).read_text(encoding="utf-8-sig")
    except OSError:
        return None
    return line_of(text, document.pointer_in_file(pointer))


def _only(document: Document, version: SchemaVersion, state: str) -> DocumentDiff:
    """Return the difference of a file that only one version has: `new` or `removed`."""
    keys = _keys_of(document, version.spec)
    text = ", ".join(f"key {key} of {' and '.join(entities)}" for key, entities in keys.items()) or "no facet"
    number = version_text(version_of(document.url))
    old, new, change = "", number, Change(state, text, Step.NONE)
    if state == "removed":
        names = version.classes(document)
        effect = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} removed" if names else ""
        old, new, change = number, "", Change(state, text, Step.MODEL, READERS, effect)
    return DocumentDiff(document.path.stem, _file(document, version.spec), old, new, state, (change,))


_PARTS = {
    "Run": ("run.facets", "build.run"),
    "Job": ("job.facets", "build.job"),
    "Dataset": ("dataset.facets", "build.dataset"),
    "InputDataset": ("input.input_facets", "build.input(...)"),
    "OutputDataset": ("output.output_facets", "build.output(...)"),
}
"""The container and the builder of the facets of each entity."""


def _uses(key: str, entities: Iterable[str], spec: Spec) -> str:
    """Return the Python expressions for the facet with a key.

    Only facets of the specification are attributes of containers.
    """
    attribute = slot_names([key])[key]
    parts = [_PARTS[entity] for entity in entities if entity in _PARTS] or [("facets", "build")]
    item = f"[{key!r}]" if spec.core.is_base else f".{attribute}"
    containers = [f"{facets}{item}" for facets, _ in parts]
    return " and ".join([*containers, *(f"{build}.{attribute}()" for _, build in parts)])


def _keys_of(document: Document, spec: Spec) -> dict[str, tuple[str, ...]]:
    """Return the entities of each facet key that a file defines."""
    keys = {} if document.is_core else document.schema.get("properties", {})
    return {
        key: tuple(base.removesuffix("Facet") for base in base_facets(document, schema, spec, "/properties"))
        for key, schema in keys.items()
    }


def _structure(schema: Any) -> str:
    """Return a schema without its annotations, as text to compare."""
    return json.dumps(without_annotations(schema), sort_keys=True)


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
