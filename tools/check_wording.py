"""Report private vocabulary in code and documents: `python tools/check_wording.py`.

Checks the Python files of the package, the generator, the tools, the examples and the benchmarks, the
Markdown pages except the changelog, and the schemas. Prints one line per use, with the term to use instead,
and exits with 1 if there is any. Text that is generated is checked in its source.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

SUGGESTIONS = {
    r"(?<!\.)tell|tells|told|telling": "emit, report, capture or distinguish",
    r"judge|judges|judged|judging|judgement": "validate",
    r"sift|sifts|sifted": "split or quarantine",
    r"mend|mends|mended|mending": "fix",
    r"spelling|spellings": "wire format",
    r"blotted out": "redacted",
    r"beside": "next to or compared with",
    r"in the place of": "instead of",
    r"stands? under": "is stored under",
    r"as it stands": "unchanged",
    r"goes on": "continues",
    r"who says so": "producer",
    r"shall": "must or will",
    r"rubbish": "invalid input",
    r"slips? of the pen": "typo",
    r"that (?:is|are) (?-i:none)": "invalid, or not an X",
    r"is no json": "not valid JSON",
    r"(?:a|an)\b[\w\s]{1,30}\bof (?:one's|its|their|your) own": "custom, separate or user-defined",
}
"""Regular expressions of terms, and what to write instead."""

ALLOWED = {
    "tools/check_wording.py",  # contains the list
    "benchmarks/RESULTS.md",  # generated: fix its source
}
"""Files that are not checked."""

FOLDERS = ("openlineage_facets", "codegen", "tools", "examples", "benchmarks", "docs", "spec")
GENERATED = "openlineage_facets/generated/"
"""Not checked either: its text comes from `spec/` and `codegen/`."""

_GROUPS = (rf"(?P<t{number}>\b(?:{term})\b)" for number, term in enumerate(SUGGESTIONS))
_TERMS = re.compile("|".join(_GROUPS), re.IGNORECASE)


class Use(NamedTuple):
    """A term to replace, at one place."""

    line: int
    term: str
    suggestion: str


def main() -> int:
    """Print every use; return 1 if there is any."""
    found = 0
    for path in checked_files(ROOT):
        name = path.relative_to(ROOT).as_posix()
        for use in uses(path.read_text(encoding="utf-8")):
            print(f"{name}:{use.line}: found {use.term!r}; use {use.suggestion}")
            found += 1
    if found:
        print(f"{found} terms to replace: see the glossary in CONTRIBUTING.md", file=sys.stderr)
    return int(found > 0)


def checked_files(root: Path) -> Iterator[Path]:
    """Yield the files to check below `root`."""
    pages: Iterable[Path] = (root / "README.md", root / "CONTRIBUTING.md")
    nested = (path for folder in FOLDERS for path in sorted((root / folder).rglob("*")))
    for path in (*pages, *nested):
        name = path.relative_to(root).as_posix()
        if name in ALLOWED or name.startswith(GENERATED):
            continue
        if path.suffix in (".py", ".md", ".json") and path.is_file():
            yield path


def uses(text: str) -> Iterator[Use]:
    """Yield the terms to replace in `text`."""
    suggestions = list(SUGGESTIONS.values())
    for number, line in enumerate(text.splitlines(), 1):
        for match in _TERMS.finditer(line):
            assert match.lastgroup is not None
            yield Use(number, match[0], suggestions[int(match.lastgroup[1:])])


if __name__ == "__main__":
    sys.exit(main())
