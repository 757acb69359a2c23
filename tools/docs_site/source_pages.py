"""The pages of the repository, with links that work within the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["repository_pages"]

_FENCE = re.compile(r"^```[^\n]*\n.*?^```$", re.MULTILINE | re.DOTALL)
_LANGUAGE = re.compile(r"\A(```\w+) [^\n]+")
_LINK = re.compile(r"\]\((?!\w+:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


def repository_pages(root: Path) -> dict[str, bytes]:
    """Return the content of each page and file of the site by its path.

    The README is the start page, and `docs/` is at the top. Everything that they link to is included, so
    that the site needs no link to a repository: Markdown files as pages, other files unchanged, and folders
    as a page with their files.

    Args:
        root: The folder of the repository.

    Raises:
        FileNotFoundError: A page links to a file that does not exist.
    """
    site: dict[str, bytes] = {}
    waiting = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    while waiting:
        source = waiting.pop()
        target = _site_path(source.relative_to(root), is_folder=source.is_dir())
        if target in site:
            continue
        if source.suffix != ".md" and not source.is_dir():
            site[target] = source.read_bytes()
            continue
        text = _listing(source) if source.is_dir() else source.read_text(encoding="utf-8")
        linked: list[Path] = []
        site[target] = _with_site_links(text, source, target, root, linked).encode()
        waiting += linked
    return site


def _site_path(path: Path, *, is_folder: bool) -> str:
    if path.as_posix() == "README.md":
        return "index.md"
    if path.parts[0] == "docs":
        return path.relative_to("docs").as_posix()
    return f"repository/{path.as_posix()}{'/index.md' if is_folder else ''}"


def _listing(folder: Path) -> str:
    parts = [f"# {folder.name}\n"]
    for path in sorted(folder.glob("*.py")):
        parts.append(f"## {path.name}\n\n```python\n{path.read_text(encoding='utf-8')}```\n")
    return "\n".join(parts)


def _with_site_links(text: str, source: Path, target: str, root: Path, linked: list[Path]) -> str:
    folder = source if source.is_dir() else source.parent

    def link(match: re.Match[str]) -> str:
        path = (folder / match["path"]).resolve()
        if not path.exists():
            raise FileNotFoundError(f"{source}: link to {match['path']}, which does not exist")
        linked.append(path)
        to = _site_path(path.relative_to(root), is_folder=path.is_dir())
        return f"]({_relative(to, target)}{match['anchor'] or ''})"

    return "".join(
        # The file that contains an example is for its test. Zensical expects only the language.
        _LANGUAGE.sub(r"\1", part) if part.startswith("```") else _LINK.sub(link, part)
        for part in _parts(text)
    )


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a text, each either a fenced block or the text between two of them."""
    start = 0
    for fence in _FENCE.finditer(text):
        yield text[start : fence.start()]
        yield fence[0]
        start = fence.end()
    yield text[start:]


def _relative(path: str, page: str) -> str:
    return "../" * page.count("/") + path
