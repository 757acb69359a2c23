"""The text of a file is that of its event, whatever the encoding begins with."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from openlineage_facets import EventError, parse_event, validate
from tests.cases import each
from tests.events import job_event

TEXT = json.dumps(job_event())


@each("pack", [bytes, gzip.compress])
def test_a_byte_order_mark_is_no_part_of_the_event(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(pack(TEXT.encode("utf-8-sig")))
    assert parse_event(path) == parse_event(TEXT)
    assert validate(path) == validate(TEXT)


@each("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_text_in_utf16_is_named_with_the_encoding_it_needs(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(TEXT.encode(encoding))
    with pytest.raises(EventError, match="expected UTF-8 text, found UTF-16 text; convert it to UTF-8"):
        parse_event(path)
    assert [finding.code for finding in validate(path)] == ["OL803"]
