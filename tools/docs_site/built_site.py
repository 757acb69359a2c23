"""Checks of the site after it has been built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["problems_of"]

_LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
_LOADING = {"stylesheet", "preload", "icon", "preconnect"}
_CSS_URL = re.compile(r"(?:@import\s+|url\(\s*)[\"']?((?:https?:)?//[^\"')\s]+)")


class _Page(HTMLParser):
    """The links, identifiers and loaded files of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and _LOADING & set(values.get("rel", "").split()):
            self.loaded.append(values.get("href", ""))
        self.loaded += [values[name] for kind, name in _LOADED if kind == tag and name in values]


def problems_of(site: Path) -> Iterator[str]:
    """Yield each problem of a built site: files loaded from elsewhere, and links to nothing.

    Args:
        site: The folder of the site.
    """
    pages = {}
    for path in sorted(site.rglob("*.html")):
        pages[path.resolve()] = page = _Page()
        page.feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        yield from (f"{where}: loads {url}" for url in page.loaded if urlsplit(url).netloc)
        if path.name != "404.html":  # It is shown under any path, so that its links depend on the server.
            yield from (
                f"{where}: {problem}" for link in page.links for problem in _broken(link, path, pages)
            )
    for path in sorted(site.rglob("*.css")):
        for url in _CSS_URL.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)}: loads {url}"


def _broken(link: str, path: Path, pages: dict[Path, _Page]) -> Iterator[str]:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        yield f"link to {link}, which does not exist"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        yield f"link to {link}, which has no such section"
