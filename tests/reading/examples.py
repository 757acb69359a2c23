"""Valid events, one per file, and a changed text of an event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VALID = sorted(Path(__file__).with_name("valid").glob("*.json"))
"""Every valid example; a new file is tested without further ado."""


def text_with(event: dict[str, Any], field: str) -> str:
    """Return the JSON text of an event with one more field, as it is spelled."""
    return f"{json.dumps(event)[:-1]}, {field}}}"
