"""What was read is written by pydantic's own methods, too, in a process that has built no class before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

EVENT = """{"eventTime": "2026-01-01T00:00:00Z", "producer": "https://e.com", "schemaURL": "https://e.com",
 "dataset": {"namespace": "n", "name": "d", "facets": {"documentation":
 {"_producer": "https://e.com", "_schemaURL": "https://e.com", "description": "x"}}}}"""


@pytest.mark.parametrize(
    "written",
    [
        "event.model_dump_json(by_alias=True, exclude_unset=True)",
        "json.dumps(event.model_dump(mode='json', by_alias=True, exclude_unset=True))",
        "TypeAdapter(DatasetEvent).dump_json(event, by_alias=True, exclude_unset=True)",
    ],
)
def test_pydantic_writes_what_was_read(written: str) -> None:
    code = f"""
import json
from pydantic import TypeAdapter
from openlineage_facets import DatasetEvent, parse_event
text = {EVENT!r}
event = parse_event(text)
assert json.loads({written}) == json.loads(text)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
