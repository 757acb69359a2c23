"""The differences between two versions of schemas, as values, and the steps between versions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ..documents import version_of, version_text


class Step(IntEnum):
    """A step of SCHEMAVER, from the smallest to the largest."""

    NONE = 0
    ADDITION = 1
    REVISION = 2
    MODEL = 3


Broken = tuple[str, ...]
"""Who may see invalid events: old readers those of new writers, new readers those of old writers."""

READERS: Broken = ("old readers",)
WRITERS: Broken = ("old writers",)
BOTH = READERS + WRITERS

RELAXED: tuple[Step, Broken] = (Step.ADDITION, READERS)
TIGHTENED: tuple[Step, Broken] = (Step.MODEL, WRITERS)
OTHER: tuple[Step, Broken] = (Step.MODEL, BOTH)
"""The version step and who breaks if more, fewer or other values are allowed."""


@dataclass(frozen=True)
class Change:
    """One difference.

    Args:
        kind: What happened, such as `added`, `removed` or `required`.
        text: Where and how, such as `fields[].ordinal_position integer, optional`.
        step: The version step it requires; MODEL for a breaking change.
        breaks: Who may see invalid events.
        effect: What it means for Python code, "" if nothing must change.
        breaks_code: Whether Python code becomes invalid although all valid events stay valid.
        pointer: JSON Pointer to the place in the new file, or in the old one for a removed file.
    """

    kind: str
    text: str
    step: Step
    breaks: Broken = ()
    effect: str = ""
    breaks_code: bool = False
    pointer: str = ""

    @property
    def is_breaking(self) -> bool:
        """Whether valid events or Python code become invalid."""
        return self.step is Step.MODEL or self.breaks_code


def narrowing(is_tighter: bool) -> tuple[Step, Broken]:
    """Return the version step and who breaks if fewer values are allowed, or else more."""
    return TIGHTENED if is_tighter else RELAXED


def changing(old: object, new: object) -> tuple[Step, Broken]:
    """Return the version step and who breaks if a constraint has another value, None where it is absent."""
    return OTHER if old is not None and new is not None else narrowing(old is None)


def narrowed(text: str, is_tighter: bool) -> Change:
    """Return the change of a constraint that allows fewer or more values."""
    return Change("tightened" if is_tighter else "relaxed", text, *narrowing(is_tighter))


def at(path: str) -> str:
    """Return the path of a value, as texts of changes name it."""
    return path or "the object"


def values_text(values: tuple[Any, ...]) -> str:
    """Return constants as texts of changes name them."""
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


@dataclass(frozen=True)
class DocumentDiff:
    """The differences of one schema file.

    Args:
        name: The name of the file without its ending, which is that of the facet.
        file: The path of the file, of the old one if it was removed, relative to the working directory.
        old: The old version, "" if the file is new or its `$id` has none.
        new: The new version, "" if the file was removed or its `$id` has none.
        state: `new`, `removed` or `changed`.
        changes: The differences.
        version_problem: Why the version is wrong, "" if it is right.
        line: The line of the first breaking change, or else of the first one; None if it is unknown.
    """

    name: str
    file: str
    old: str
    new: str
    state: str
    changes: tuple[Change, ...] = ()
    version_problem: str = ""
    line: int | None = None

    @property
    def is_breaking(self) -> bool:
        """Whether valid events or Python code become invalid, or the version is that of other content."""
        return bool(self.version_problem) or any(change.is_breaking for change in self.changes)

    @property
    def is_unannounced(self) -> bool:
        """Whether valid events become invalid and the version does not say so, or says something wrong."""
        has_versions = bool(self.old and self.new)
        breaks = any(change.step is Step.MODEL for change in self.changes)
        return bool(self.version_problem) or (breaks and not has_versions)

    @property
    def has_effect(self) -> bool:
        """Whether more than the words of the file have changed."""
        return self.state != "changed" or any(change.kind != "schema" for change in self.changes)

    @property
    def breaks(self) -> Broken:
        """Who may see invalid events."""
        broken = {reader for change in self.changes for reader in change.breaks}
        return tuple(reader for reader in BOTH if reader in broken)

    @property
    def title(self) -> str:
        """The name with its versions."""
        versions = " -> ".join(dict.fromkeys(version for version in (self.old, self.new) if version))
        return f"{self.name} {versions}".rstrip()


@dataclass(frozen=True)
class Diff:
    """The differences of two folders, ordered by name.

    Args:
        documents: The files that differ.
        unchanged: How many files are the same.
    """

    documents: tuple[DocumentDiff, ...]
    unchanged: int

    @property
    def is_unannounced(self) -> bool:
        """Whether any file has a breaking change that its version does not announce."""
        return any(document.is_unannounced for document in self.documents)

    @property
    def has_effect(self) -> bool:
        """Whether more than the words of any file have changed."""
        return any(document.has_effect for document in self.documents)

    @property
    def is_breaking(self) -> bool:
        """Whether any file has a breaking change."""
        return any(document.is_breaking for document in self.documents)


def version_problem(old_id: str, new_id: str, required: Step) -> str:
    """Return why the `$id` of a changed schema is wrong, "" if it is right.

    Args:
        old_id: The `$id` of the old file.
        new_id: The `$id` of the new file.
        required: The step that the changes require: a MODEL step, an ADDITION step or none.
    """
    old, new = version_of(old_id), version_of(new_id)
    goes_back = old is not None and new is not None and new < old
    if required is Step.NONE:
        return f"the version goes back: expected {version_text(old)} or a later one" if goes_back else ""
    expected = ""
    if old is not None:
        model, revision, addition = old
        is_model = required is Step.MODEL
        next_version = (model + 1, 0, 0) if is_model else (model, revision, addition + 1)
        expected = f": expected {version_text(next_version)}"
    if old_id == new_id:
        return f"the structure changed, but the $id did not{expected}"
    if old is None or new is None:
        return ""
    if goes_back:
        return f"the version goes back{expected}"
    steps = (Step.MODEL, Step.REVISION, Step.ADDITION)
    actual = next(
        (step for step, before, after in zip(steps, old, new, strict=True) if before != after), None
    )
    if actual is None:
        return f"the structure changed, but the version did not{expected}"
    if actual < required:
        return f"changed by {_a(actual)} step, but the change requires {_a(required)} step{expected}"
    return ""


def _a(step: Step) -> str:
    return f"{'an' if step is Step.ADDITION else 'a'} {step.name}"
