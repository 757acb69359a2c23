"""Write generated files, or check that they are up to date: what the scripts that generate files share."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def write_or_check(files: Iterable[tuple[Path, str]], script: str) -> int:
    """Write files; with --check in the command, only name those that differ.

    Args:
        files: The path and the text of each file.
        script: The name of the script that writes them.

    Returns:
        The exit code: 1 if a checked file differs, else 0.
    """
    stale = [
        (path, text) for path, text in files if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        for path, _ in stale:
            print(f"{path.relative_to(ROOT).as_posix()}: run tools/{script}", file=sys.stderr)
        return 1 if stale else 0
    for path, text in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0
