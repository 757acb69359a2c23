"""Read the lines that a job appends to a file."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic_core import from_json


class AppendedFile:
    """A file to which lines of JSON are appended.

    Args:
        path: Its path; it need not exist yet.

    Attributes:
        unfinished: What followed the last complete line when the file was read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unfinished = b""
        self._offset = 0

    def new_lines(self) -> list[bytes]:
        """Return the complete lines since the last call; JSON is complete also without a line break.

        A file that has become shorter was replaced, and is read again from its start.
        """
        try:
            with self.path.open("rb") as file:
                if file.seek(0, os.SEEK_END) < self._offset:
                    self._offset = 0
                file.seek(self._offset)
                written = file.read()
        except FileNotFoundError:
            self.unfinished = b""
            return []
        complete = written[: written.rfind(b"\n") + 1]
        if _is_json(written[len(complete) :]):
            complete = written
        self.unfinished = written[len(complete) :].strip()
        self._offset += len(complete)
        # `splitlines` also splits at `\r`, which is a space in JSON.
        return [line for line in complete.split(b"\n") if line.strip()]


def _is_json(text: bytes) -> bool:
    try:
        from_json(text)
    except ValueError:
        return False
    return True
