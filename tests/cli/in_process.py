"""Run the command line in this process, and read its output."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from openlineage_facets.cli.app import run


@dataclass(frozen=True)
class Result:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        return json.loads(self.out)

    @property
    def locations(self) -> list[tuple[int | None, str]]:
        """Line and code of each finding of a JSON report."""
        return [(one["line"], one["code"]) for one in self.report["findings"]]


def run_in_process(*arguments: object, stdin: bytes = b"", encoding: str = "utf-8") -> Result:
    """Run the command as a process would, without a terminal. Its output has an encoding."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = run([str(argument) for argument in arguments])
    for stream in (out, err):
        stream.flush()
    return Result(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]
