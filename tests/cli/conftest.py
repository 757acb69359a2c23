"""Runs the command as people do, and reads what it answers."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.cli.app import run


@dataclass(frozen=True)
class Answer:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        return json.loads(self.out)

    @property
    def places(self) -> list[tuple[int | None, str]]:
        """Line and code of every finding of a JSON report."""
        return [(one["line"], one["code"]) for one in self.report["findings"]]


Command = Callable[..., Answer]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Return what runs the command, in an empty folder and without a terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def answer(*arguments: object, stdin: bytes = b"") -> Answer:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = run([str(argument) for argument in arguments])
        for stream in (out, err):
            stream.flush()
        return Answer(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]

    return answer


@pytest.fixture
def check(command: Command) -> Command:
    """Return what validates, and answers with a JSON report."""
    return lambda *arguments, **more: command("validate", "--format", "json", *arguments, **more)
