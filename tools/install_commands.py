"""Write into the documentation how the package is installed: from a checkout, or from an index.

`IS_ON_INDEX` in `openlineage_facets/version.py` decides; error messages use it, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from openlineage_facets.version import IS_ON_INDEX
from tools.generated_files import ROOT, write_or_check

_COMMAND = re.compile(r'pip install "(?:\.|openlineage-facets)\[([\w,]+)\]"')

_TEXTS = (
    ("   # in a checkout; the package is not on an index yet", "   # Python 3.10 or later"),
    (
        "install it from this checkout, since it is not on a\npackage index yet. The core",
        "install it from the\npackage index. The core",
    ),
    ("`%pip install` with the path of a wheel", "`%pip install openlineage-facets`"),
)
"""Texts for a package in a checkout, and for one on an index."""


def pages() -> Iterator[tuple[Path, str]]:
    """Yield each page, and its text with the commands to use."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        yield path, with_commands(path.read_text(encoding="utf-8"), is_on_index=IS_ON_INDEX)


def with_commands(text: str, *, is_on_index: bool) -> str:
    """Return a page with the commands for a package on an index, or in a checkout."""
    source = "openlineage-facets" if is_on_index else "."
    text = _COMMAND.sub(lambda found: f'pip install "{source}[{found[1]}]"', text)
    for pair in _TEXTS:
        old, new = pair if is_on_index else pair[::-1]
        text = text.replace(old, new)
    return text


if __name__ == "__main__":
    raise SystemExit(write_or_check(pages(), "install_commands.py"))
