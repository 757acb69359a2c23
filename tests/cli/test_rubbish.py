"""Whatever a file holds, the command says so in one line each and ends as it should."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Command
from tests.cli.events import job_event, lines, run_event

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["run", "job", "dataset", "inputs", "outputs", "facets", "runId", "name", "a/~"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)
GOOD = lines(job_event(), run_event(1, "START"))
TEXTS = (
    st.binary(max_size=200)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.lists(JSON, max_size=3).map(lambda values: "\n".join(map(json.dumps, values)).encode())
    | st.tuples(st.integers(0, len(GOOD)), st.binary(max_size=5)).map(
        lambda change: GOOD[: change[0]] + change[1] + GOOD[change[0] + len(change[1]) :]
    )
)
PACKS = st.sampled_from([lambda text: text, gzip.compress, zstandard.compress])


@given(TEXTS, PACKS, st.sampled_from(["e.json", "e.ndjson", "e", "-"]), st.integers(0, 300))
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("form", ["text", "json", "junit"])
def test_no_file_breaks_the_command(form, command: Command, text: bytes, pack, name: str, kept: int) -> None:
    packed = pack(text)
    data = packed if pack(b"") == b"" else packed[:kept]
    if name != "-":
        Path(name).write_bytes(data)
    answer = command("validate", name, "--format", form, stdin=data)
    assert answer.code in (0, 1)
    assert "Traceback" not in answer.err
    if form == "json":
        errors = [one for one in answer.report["findings"] if one["severity"] == "error"]
        assert answer.code == bool(errors)


@given(TEXTS, st.sampled_from(["e.json", "e.ndjson"]), st.booleans())
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_in_a_file_can_be_shown(command: Command, text: bytes, name: str, full: bool) -> None:
    Path(name).write_bytes(text)
    answer = command("show", name, *(["--full"] if full else []))
    assert answer.code in (0, 2)
    assert answer.out if answer.code == 0 else "expected at least 1 event, found 0" in answer.err
