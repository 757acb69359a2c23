"""The differences between two versions of schemas, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Step(IntEnum):
    """A step of SCHEMAVER, from the smallest to the largest."""

    NONE = 0
    ADDITION = 1
    REVISION = 2
    MODEL = 3


@dataclass(frozen=True)
class Change:
    """One difference.

    Args:
        kind: What happened, such as `added`, `removed` or `required`.
        text: Where and how, such as `fields[].ordinal_position integer, optional`.
        step: The version step it requires; MODEL for a breaking change.
        effect: What it means for Python code, "" if nothing must change.
        breaks_code: Whether Python code becomes invalid although all valid events stay valid.
    """

    kind: str
    text: str
    step: Step
    effect: str = ""
    breaks_code: bool = False

    @property
    def is_breaking(self) -> bool:
        """Whether valid events or Python code become invalid."""
        return self.step is Step.MODEL or self.breaks_code


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
    """

    name: str
    file: str
    old: str
    new: str
    state: str
    changes: tuple[Change, ...] = ()
    version_problem: str = ""

    @property
    def is_breaking(self) -> bool:
        """Whether valid events or Python code become invalid, or the version is that of other content."""
        return bool(self.version_problem) or any(change.is_breaking for change in self.changes)

    @property
    def title(self) -> str:
        """The name with its versions."""
        versions = " -> ".join(dict.fromkeys(one for one in (self.old, self.new) if one))
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
    def is_breaking(self) -> bool:
        """Whether any file has a breaking change."""
        return any(document.is_breaking for document in self.documents)
