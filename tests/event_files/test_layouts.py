"""The layout of a file is detected from its name and its beginning."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from openlineage_facets.event_files import chunk_reader
from openlineage_facets.event_files.chunk_reader import Layout, chunks_of, layout_of
from openlineage_facets.event_files.chunks import Values
from openlineage_facets.event_files.sources import Source
from tests.cases import each

LAYOUTS = {
    "events": (b'{"a": 1}\n{"a": 2}\n', Layout.LINES),
    "an array": (b'[{"a": 1}]', Layout.VALUES),
    "an array in each line": (b'[{"a": 1}]\n[{"a": 2}, {"a": 3}]\n', Layout.VALUES),
    "an array, then an event": (b'[{"a": 1}]\n{"a": 2}\n', Layout.VALUES),
    "an array without events": (b'[1]\n{"a": 2}\n', Layout.LINES),
    "an empty array": (b'[]\n{"a": 2}\n', Layout.LINES),
    "a line that is not JSON": (b'[{"a": 1}\n{"a": 2}\n', Layout.LINES),
}


@each("name", LAYOUTS)
@each("is_complete", [True, False])
def test_a_file_named_as_lines_may_have_an_array_of_events_in_each(name: str, is_complete: bool) -> None:
    head, layout = LAYOUTS[name]
    assert layout_of(Source("a.ndjson", Path("a.ndjson")), head, is_complete=is_complete) is layout


def test_events_in_arrays_in_lines_have_their_line_and_are_read_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_reader, "_HEAD_BYTES", 1 << 10)
    path = tmp_path / "batches.ndjson"
    path.write_bytes(b'[{"a": 1}, {"a": 2}]\n' * 1_000)
    chunks = [chunk for chunk, _ in chunks_of(Source(path.name, path, path.stat().st_size), io.BytesIO())]
    values = [value for chunk in chunks if isinstance(chunk, Values) for value in chunk.values]
    assert len(chunks) > 10
    assert values == [(line, b'{"a": %d}' % number) for line in range(1, 1_001) for number in (1, 2)]
