"""Compare the generated package with the one on disk."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path


def differences(files: Mapping[str, str], output: Path) -> Iterator[str]:
    """Yield the lines of a unified diff from the files in `output` to `files`, and what is only in one."""
    found = {path.name: path for path in output.iterdir()} if output.is_dir() else {}
    found.pop("__pycache__", None)
    present = {name: path for name, path in found.items() if path.is_file()}
    for name in sorted(found.keys() ^ files.keys()):
        yield f"only in {output if name in found else 'generated'}: {name}\n"
    for name in sorted({*files, *present}):
        old = present[name].read_text(encoding="utf-8", errors="replace") if name in present else ""
        new = files.get(name, "")
        yield from difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            f"{output}/{name}",
            f"generated/{name}",
        )
