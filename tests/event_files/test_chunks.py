"""The lines of a byte range are those of the whole file, also if one is as long as allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from openlineage_facets.event_files import chunks
from openlineage_facets.event_files.chunks import FileProblem, Lines, Range, lines_of
from tests.cases import each

LIMIT = 8


@each("ending", [b"", b"\n"])
@each("length", [LIMIT - 1, LIMIT, LIMIT + 1, LIMIT + 2])
def test_a_line_as_long_as_allowed_is_read_and_hides_no_other(
    length: int, ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "MAX_BYTES", LIMIT)
    text = b"x" * length + b"\n" + b"next\n" + b"y" * length + ending
    path = tmp_path / "events.ndjson"
    path.write_bytes(text)
    long = [b"x" * length, b"y" * length] if length <= LIMIT else ["too long"] * 2
    for chunk in (Range(path, 0, len(text)), Lines(text)):
        lines = [
            "too long" if isinstance(line, FileProblem) else line.rstrip(b"\n") for line in lines_of(chunk)
        ]
        assert lines == [long[0], b"next", long[1]]
