"""Generated files are written, or compared without writing."""

from __future__ import annotations

import sys

from tools import generated_files
from tools.generated_files import write_or_check


def test_stale_files_are_named_by_check_and_written_without_it(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setattr(generated_files, "ROOT", tmp_path)
    current, stale, missing = (tmp_path / name for name in ("current.md", "stale.md", "new/missing.md"))
    current.write_text("ü\n", encoding="utf-8")
    stale.write_text("earlier\n")
    files = [(current, "ü\n"), (stale, "later\n"), (missing, "new\n")]

    def exit_code(*options: str) -> int:
        monkeypatch.setattr(sys, "argv", ["pages.py", *options])
        return write_or_check(files, "pages.py")

    assert exit_code("--check") == 1
    assert capsys.readouterr().err == "stale.md: run tools/pages.py\nnew/missing.md: run tools/pages.py\n"
    assert stale.read_text() == "earlier\n"
    assert not missing.exists()
    before = current.stat().st_mtime_ns
    assert exit_code() == 0
    assert (stale.read_text(), missing.read_text()) == ("later\n", "new\n")
    assert current.stat().st_mtime_ns == before
    assert exit_code("--check") == 0
