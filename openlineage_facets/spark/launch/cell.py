"""One cell of a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType


@dataclass(frozen=True)
class Cell:
    """Code of one cell.

    Args:
        source: Its text, without prefixes of the file format.
        origin: The cell in error messages.
        file: File name of its code: that of the notebook, or a name for the cell in a `.ipynb` file.
        first_line: Number of its first line in this file.
    """

    source: str
    origin: str
    file: str
    first_line: int = 1

    def compiled(self, flags: int = 0) -> CodeType:
        """Return the code of the cell, with its line numbers in the file.

        Raises:
            SyntaxError: It is not Python.
        """
        text = "\n" * (self.first_line - 1) + self.source
        code: CodeType = compile(text, self.file, "exec", flags, dont_inherit=True)
        return code
