"""The corpus of secrets and harmless texts, read from the files in `corpus/`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

CORPUS = Path(__file__).parent / "corpus"


class Form(NamedTuple):
    """One line of the corpus."""

    place: str
    """The file and the line."""
    text: str
    """The text as it occurs in practice."""
    redacted: str
    """The text as it has to be redacted."""
    secrets: tuple[str, ...]
    """The secrets in it, if they are long enough to be found in another text."""

    def left_in(self, text: str) -> list[str]:
        """Return the secrets that another text contains."""
        return [secret for secret in self.secrets if secret in text]


def forms(kind: str) -> list[Form]:
    """Return the forms of a kind, `secrets` or `harmless`."""
    found = []
    for path in sorted((CORPUS / kind).glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("# "):
                line = line.replace("¦", "").replace("⏎", "\n")
                secrets = tuple(secret for secret in re.findall("(?s)«(.*?)»", line) if len(secret) > 2)
                text = re.sub("[«»]", "", line)
                found.append(Form(f"{path.stem}:{number}", text, re.sub("(?s)«.*?»", "***", line), secrets))
    return found


def assert_none(failures: Iterable[tuple[object, ...]]) -> None:
    """Fail with all failures, one below the other."""
    lines = ["\n    ".join(map(str, failure)) for failure in failures]
    assert not lines, f"{len(lines)} failures:\n" + "\n".join(lines)
