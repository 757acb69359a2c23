"""The blocks of a document: code, commands, files, and the output shown below them.

A block that cannot run follows a comment which readers do not see:

    <!-- not run: needs a cluster -->

A block with a title, as in `python title="job.py"`, is a file that later blocks use. One with a path, as in
`python examples/job.py`, is quoted from that file.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.conftest import ROOT

PAGES = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *PAGES)

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n\n)?"
    r"```(?P<info>[^`\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_INDENTED_FENCE = re.compile(r"^ +```", re.MULTILINE)
_MARK = re.compile(r"^<!-- not run", re.MULTILINE)
_TITLE = re.compile(r'title="([\w./-]+)"')

_CODE, _OUTPUT, _OTHER = ("python", "sh"), ("text", "json"), ("toml", "yaml")


class Block(NamedTuple):
    """A fenced block.

    Attributes:
        quoted: The file that the block is quoted from, or "".
        title: The file that the block is, or "".
        reason: Why the block is not run, or "".
        line: The number of its first line in the document.
    """

    language: str
    quoted: str
    title: str
    reason: str
    text: str
    line: int

    @property
    def is_run(self) -> bool:
        """Return whether the block is code that runs."""
        return self.language in _CODE and not (self.title or self.reason)


@dataclass
class Example:
    """A block that runs or is a file, and the output shown below it.

    `text` is compared literally, `json` as a JSON value.
    """

    code: Block
    output: Block | None = None


def blocks(document: str) -> list[Block]:
    """Return every fenced block of a document, in order."""
    text = (ROOT / document).read_text(encoding="utf-8")
    assert not _INDENTED_FENCE.search(text), f"{document}: an indented block, which no test runs"
    found = []
    for fence in _FENCE.finditer(text):
        language, _, rest = fence["info"].partition(" ")
        line = text.count("\n", 0, fence.start("info")) + 2
        assert language in (*_CODE, *_OUTPUT, *_OTHER), f"{document}:{line}: unknown language {language!r}"
        title = _TITLE.fullmatch(rest)
        quoted, file = ("", title[1]) if title else (rest, "")
        found.append(Block(language, quoted, file, fence["reason"] or "", fence["text"], line))
    marks = len(_MARK.findall(text))
    assert marks == sum(bool(block.reason) for block in found), f"{document}: a mark that belongs to no block"
    return found


def examples(document: str) -> list[Example]:
    """Return the blocks that run and the files, each with the output shown below it."""
    found: list[Example] = []
    is_run = False
    for block in blocks(document):
        if block.is_run or block.title:
            found.append(Example(block))
            is_run = True
        elif block.language in _CODE:
            is_run = False
        elif block.language in _OUTPUT and is_run:
            assert found[-1].output is None, f"{document}:{block.line}: a second output for one example"
            found[-1].output = block
    return found


def quotations(document: str) -> Iterator[Block]:
    """Yield the blocks that a document quotes from a file."""
    return (block for block in blocks(document) if block.quoted)


def code_of(document: str, mark_of_mistakes: str) -> str:
    """Return the Python code of a document, each line with the number that it has in the document.

    Args:
        document: The path of the document.
        mark_of_mistakes: What the statements of a session end with that print a traceback.
    """
    lines: list[str] = []
    for block in blocks(document):
        if block.language == "python" and block.is_run:
            lines += [""] * (block.line - 1 - len(lines))
            lines += (
                _session_code(block.text, mark_of_mistakes) if _is_session(block) else block.text.splitlines()
            )
    return "\n".join(lines) + "\n"


def _is_session(block: Block) -> bool:
    return block.text.startswith(">>> ")


def _session_code(text: str, mark_of_mistakes: str) -> list[str]:
    lines = [""] * text.count("\n")
    for example in doctest.DocTestParser().get_examples(text):
        source = example.source.splitlines()
        lines[example.lineno : example.lineno + len(source)] = source
        if example.exc_msg:
            lines[example.lineno] += f"  {mark_of_mistakes}"
    return lines
