"""The pages of the repository, with links that work within the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

__all__ = ["repository_pages", "with_live_page"]

_FENCE = re.compile(r"^```[^\n]*\n.*?^```$", re.MULTILINE | re.DOTALL)
_LANGUAGE = re.compile(r"\A(```\w+) (?!title=)[^\n]+")
_NOT_RUN = re.compile(r"^<!-- not run: [^\n]+ -->\n\n", re.MULTILINE)
_INSTALL = re.compile(r"\A```sh\npip install [^\n]+\n```\Z")
_PICTURE = re.compile(r"^!\[[^\n]*\]\(lineage\.svg\)$", re.MULTILINE)
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
        _block(part) if part.startswith("```") else _LINK.sub(link, _NOT_RUN.sub("", part))
        for part in _parts(text)
    )


def with_live_page(text: str, address: str) -> str:
    """Return the text of a page with the page of a graph in place of the picture of one."""
    frame = f'<iframe class="lineage" src="{address}" title="Lineage of a shop"></iframe>'
    live = f"{frame}\n\nClick a column, or [open the page]({address})."
    assert _PICTURE.search(text), "the picture to replace is missing"
    return _PICTURE.sub(live, text)


def _block(fence: str) -> str:
    """Return a fenced block: the command that installs the package in tabs, for pip and uv."""
    # The file that contains an example is for its test. Zensical expects only the language.
    block = _LANGUAGE.sub(r"\1", fence)
    if not _INSTALL.match(block):
        return block
    commands = {"pip": block, "uv": block.replace("\npip ", "\nuv pip ")}
    return "\n\n".join(f'=== "{name}"\n\n{indent(one, "    ")}' for name, one in commands.items())


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
