"""The one way a schema is refused: file, JSON Pointer, what stands there and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class SchemaError(ValueError):
    """A schema that cannot be turned into code.

    Args:
        path: The schema file, or the folder where no single file is to blame.
        pointer: JSON Pointer into the file, "" for the whole of it.
        message: What is wrong, and how to mend it.
    """

    def __init__(self, path: Path | str, pointer: str, message: str) -> None:
        self.path = str(path)
        self.pointer = pointer
        self.message = message
        line = f"{path}{'#' + pointer if pointer else ''}: {message}"
        super().__init__("".join(char if char.isprintable() else ascii(char)[1:-1] for char in line))


def pointer_of(steps: Iterable[str | int]) -> str:
    """Spell `steps` as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
