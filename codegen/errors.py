"""The errors of the generator, and JSON Pointers for their locations."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class SchemaError(ValueError):
    """A schema that cannot be turned into code.

    The message is one line: location, cause, fix.

    Args:
        path: The schema file, or the folder if no single file is the cause.
        pointer: JSON Pointer into the file; "" for the whole file.
        message: Cause and fix.
    """

    def __init__(self, path: Path | str, pointer: str, message: str) -> None:
        self.path = str(path)
        self.pointer = pointer
        self.message = message
        super().__init__(located(path, pointer, message))


class SchemaErrors(ValueError):
    """Several schemas that are invalid.

    Args:
        errors: The errors.
    """

    def __init__(self, errors: Iterable[SchemaError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


class GeneratorError(RuntimeError):
    """A fault of the generator itself: no schema should cause it.

    Args:
        message: What failed, such as a generated file that is not valid Python.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(f"fault in the generator, please report it: {message}"))


def located(path: Path | str, pointer: str, message: str) -> str:
    """Return a message in one line, with its place in front."""
    return one_line(f"{path}{'#' + pointer if pointer else ''}: {message}")


def pointer_of(steps: Iterable[str | int]) -> str:
    """Return `steps` as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def steps_of(pointer: str) -> list[str]:
    """Return the steps of a JSON Pointer (RFC 6901)."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def truncated_repr(value: object) -> str:
    """Return `value` for a message, cut if it is long."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def one_line(text: str) -> str:
    """Return `text` with everything escaped that is not printable."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
