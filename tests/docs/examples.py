"""The examples of a document: code and the output shown below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tests.conftest import ROOT

_FENCE = re.compile(r"^```(?P<info>[^`\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE, _OUTPUT, _OTHER = "python", ("text", "json"), ("sh", "toml", "yaml")


class Block(NamedTuple):
    """A fenced block, with the language and the quoted file of its first line."""

    language: str
    quoted: str
    text: str
    line: int


@dataclass
class Example:
    """Code, and the output shown below it.

    `text` is compared literally, `json` as a JSON value.
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
        assert language in (_CODE, *_OUTPUT, *_OTHER), f"{document}:{line}: unknown language {language!r}"
        found.append(Block(language, quoted, fence["text"], line))
    return found


def examples(document: str) -> list[Example]:
    """Return the code blocks that are not quoted from a file, each with the output shown below it."""
    found: list[Example] = []
    for block in blocks(document):
        if block.language == _CODE and not block.quoted:
            found.append(Example(block))
        elif block.language in _OUTPUT:
            assert found, f"{document}:{block.line}: output without code"
            assert found[-1].output is None, f"{document}:{block.line}: a second output for one example"
            found[-1].output = block
    return found


def quotations(document: str) -> Iterator[Block]:
    """Yield the blocks that a document quotes from a file."""
    return (block for block in blocks(document) if block.quoted)
