"""The corpus of secrets and harmless texts, read from the files in `corpus/`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

CORPUS = Path(__file__).parent / "corpus"


class Form(NamedTuple):
    """One line of the corpus."""

    text: str
    """The text as it occurs in the wild."""
    redacted: str
    """The text as it has to be redacted."""
    secrets: tuple[str, ...]
    """The secrets in it."""


def forms(kind: str) -> dict[str, Form]:
    """Return the forms of a kind, `secrets` or `harmless`, by file and line."""
    found = {}
    for path in sorted((CORPUS / kind).glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("# "):
                line = line.replace("¦", "").replace("⏎", "\n")
                text = line.replace("«", "").replace("»", "")
                form = Form(text, _redacted(line), tuple(_all_secrets(line)))
                found[f"{path.stem}:{number}"] = form
    return found


def _redacted(line: str) -> str:
    return re.sub("«.*?»", "***", line, flags=re.DOTALL)


def _all_secrets(line: str) -> list[str]:
    return re.findall("«(.*?)»", line, flags=re.DOTALL)
