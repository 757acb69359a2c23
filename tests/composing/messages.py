"""Compare messages with their beginning, in which `...` stands for any words."""

from __future__ import annotations

import re

import pytest

from openlineage_facets import EventError


def assert_one_finding(rejected: pytest.ExceptionInfo[EventError], message: str) -> None:
    """Assert that an error has one finding, in one line with this message."""
    (line,) = str(rejected.value).splitlines()
    assert len(rejected.value.findings) == 1
    assert re.match(".*".join(map(re.escape, message.split("..."))), line), line
