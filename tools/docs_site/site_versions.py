"""`python tools/docs_site/site_versions.py SITES`: add the built site to a folder with all versions.

The folder has a site for each minor version, such as `0.1`, the list of versions that pages offer, and a
start page that leads to the newest one.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

from openlineage_facets.version import __version__

__all__ = ["add_version"]

ROOT = Path(__file__).parents[2]

_FOLDER = re.compile(r"\d+\.\d+")


def add_version(site: Path, version: str, sites: Path) -> None:
    """Copy a site into the folder of its version, and list all versions, the newest first.

    Args:
        site: The built site.
        version: Its version, such as `0.1`.
        sites: The folder with the site of each version.
    """
    shutil.rmtree(sites / version, ignore_errors=True)
    shutil.copytree(site, sites / version)
    names = [path.name for path in sites.iterdir() if _FOLDER.fullmatch(path.name)]
    names.sort(key=lambda name: tuple(map(int, name.split("."))), reverse=True)
    versions = [{"version": name, "title": name, "aliases": []} for name in names]
    (sites / "versions.json").write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")
    start = f'<!DOCTYPE html>\n<meta http-equiv="refresh" content="0; url={names[0]}/index.html">\n'
    (sites / "index.html").write_text(start, encoding="utf-8")
    # GitHub Pages would leave out files whose names start with an underscore.
    (sites / ".nojekyll").touch()


def main() -> int:
    """Add the folder `site`, and return the exit code."""
    if len(sys.argv) != 2 or not sys.argv[1]:
        print("expected a folder: make docs-version SITES=../sites", file=sys.stderr)
        return 2
    add_version(ROOT / "site", __version__.rpartition(".")[0], Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
