"""`python tools/docs_site`: build the documentation site in the folder `site`.

Warnings are errors: of Zensical, of the docstrings, and of `built_site.py`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from built_site import problems_of
from reference_pages import reference_pages
from sample_lineage import sample_page
from source_pages import repository_pages, with_live_page

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "site-source"
SITE = ROOT / "site"
BUILT = BUILD / "site"
FILES = ("wide.css", "logo.svg")
"""Files of `tools/docs_site` that pages load."""

LIVE_PAGE = "sample-lineage.html"

_LISTED = re.compile(r'"([\w/.-]+\.md)"')
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def main() -> int:
    """Build the site and return the exit code."""
    begin = time.monotonic()
    pages = {**repository_pages(ROOT), **reference_pages(), LIVE_PAGE: sample_page().encode()}
    pages["index.md"] = with_live_page(pages["index.md"].decode(), LIVE_PAGE).encode()
    settings = (ROOT / "tools" / "docs_site" / "zensical.toml").read_text(encoding="utf-8")
    listed = set(_LISTED.findall(settings))
    problems = [f"navigation: {page} does not exist" for page in sorted(listed - pages.keys())]
    own = [page for page in sorted(pages) if page.endswith(".md") and "/" not in page]
    other = ", ".join(f'"{page}"' for page in own if page not in listed)
    settings = settings.replace("# OTHER", f'{{ "More" = [{other}] }},' if other else "")
    shutil.rmtree(BUILD, ignore_errors=True)
    for name, content in pages.items():
        path = BUILD / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in FILES:
        shutil.copy(ROOT / "tools" / "docs_site" / name, BUILD / "docs")
    (BUILD / "zensical.toml").write_text(settings.replace("ROOT", ROOT.as_posix()), encoding="utf-8")
    zensical = Path(sys.executable).with_name("zensical")
    built = subprocess.run(
        [zensical, "build", "--strict"], cwd=BUILD, capture_output=True, text=True, check=False
    )
    output = _ESCAPES.sub("", built.stdout + built.stderr)
    if built.returncode or "griffe: " in output or "Warning:" in output:
        problems.append(output)
    else:
        problems += problems_of(BUILT)
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 1
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.move(BUILT, SITE)
    print(f"{SITE / 'index.html'}: {len(pages)} pages and files in {time.monotonic() - begin:.0f} s")
    print(f"Its search needs a server: {sys.executable} -m http.server --directory {SITE}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
