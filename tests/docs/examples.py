"""The code that a document shows, and what it says the code prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.conftest import ROOT

_FENCE = re.compile(r"^```(?P<info>[^`\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE, _OUTPUT, _OTHER = "python", ("text", "json"), ("sh", "toml", "yaml")


class Block(NamedTuple):
    """A fenced block; behind the language may stand the file that it quotes."""

    language: str
    quoted: str
    text: str
    line: int


@dataclass
class Example:
    """Code, and the output shown below it.

    A block of `text` is printed as it stands; one of `json` is the JSON value that is printed.
    """

    code: Block
    output: Block | None = None


def blocks(document: str) -> list[Block]:
    """Return every fenced block of a document, in order."""
    text = (ROOT / document).read_text(encoding="utf-8")
    found = []
    for fence in _FENCE.finditer(text):
        language, _, quoted = fence["info"].partition(" ")
        line = text.count("\n", 0, fence.start()) + 2
        assert language in (_CODE, *_OUTPUT, *_OTHER), f"{document}:{line}: nobody runs {language!r}"
        found.append(Block(language, quoted, fence["text"], line))
    return found


def examples(document: str) -> list[Example]:
    """Return the code that a document shows as its own, each with the output shown below it."""
    found: list[Example] = []
    for block in blocks(document):
        if block.language == _CODE and not block.quoted:
            found.append(Example(block))
        elif block.language in _OUTPUT:
            assert found, f"{document}:{block.line}: the output of no code"
            assert found[-1].output is None, f"{document}:{block.line}: a second output of one example"
            found[-1].output = block
    return found


def quotations(document: str) -> Iterator[Block]:
    """Yield the blocks that a document quotes from a file."""
    return (block for block in blocks(document) if block.quoted)
