"""Check that the tree can be released: the version, the changelog, and the citation."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from openlineage_facets.version import __version__ as version
from tools.generated_files import ROOT

_HEADING = re.compile(r"^## \[(.+?)\](?: - (\S+))?$", re.MULTILINE)


def main() -> int:
    """Print each problem; exit with 1 if there is any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tag", help="the tag of the release, such as v0.1.0")
    options = parser.parse_args()
    found = list(problems(ROOT, options.tag))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


def problems(root: Path, tag: str | None) -> Iterator[str]:
    """Yield what stands in the way of a release.

    Args:
        root: The checkout.
        tag: The tag of the release, if it has one.
    """
    if tag not in (None, f"v{version}"):
        yield f"openlineage_facets/version.py: expected the version of the tag {tag}, found {version}"
    if f"version: {version}\n" not in (root / "CITATION.cff").read_text(encoding="utf-8"):
        yield f"CITATION.cff: expected `version: {version}`"
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = list(_HEADING.finditer(changelog))
    released = [(heading[1], heading[2]) for heading in headings if heading[1] != "Unreleased"]
    if not released or released[0][0] != version:
        yield f"CHANGELOG.md: expected a section `## [{version}] - {date.today()}` below `## [Unreleased]`"
        return
    try:
        date.fromisoformat(str(released[0][1]))
    except ValueError:
        found = released[0][1]
        yield f"CHANGELOG.md: expected a date such as {date.today()} behind [{version}], found {found}"
    if headings[0][1] == "Unreleased" and changelog[headings[0].end() : headings[1].start()].strip():
        yield f"CHANGELOG.md: expected nothing below [Unreleased]: move it to [{version}]"


if __name__ == "__main__":
    raise SystemExit(main())
