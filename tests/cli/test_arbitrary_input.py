"""Arbitrary file contents never crash the command."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Command
from tests.cli.example_events import job_event, lines, run_event
from tests.hypothesis_profiles import share

pytestmark = pytest.mark.check

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


@given(
    TEXTS,
    PACKS,
    st.sampled_from(["e.json", "e.ndjson", "e", "-"]),
    st.integers(0, 300),
    st.sampled_from(["json", "text", "junit"]),
)
@settings(max_examples=share(0.5), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file_is_validated(
    command: Command, text: bytes, pack: Callable[[bytes], bytes], name: str, kept: int, form: str
) -> None:
    packed = pack(text)
    data = packed if pack(b"") == b"" else packed[:kept]
    if name != "-":
        Path(name).write_bytes(data)
    result = command("validate", name, "--format", form, stdin=data)
    assert result.code in (0, 1)
    assert "Traceback" not in result.err
    if form == "json":
        errors = [one for one in result.report["findings"] if one["severity"] == "error"]
        assert result.code == bool(errors)


@given(TEXTS, st.sampled_from(["e.json", "e.ndjson"]), st.booleans())
@settings(max_examples=share(0.25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file_is_shown(command: Command, text: bytes, name: str, full: bool) -> None:
    Path(name).write_bytes(text)
    result = command("show", name, *(["--full"] if full else []))
    assert result.code in (0, 1, 2)
    assert result.out or "expected " in result.err
