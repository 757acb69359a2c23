"""What producer and consumer have in common: names, versions and files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

COMPONENT = "openlineage_facets"
SPEC_VERSION = "1.54.0"
"""The release of OpenLineage whose schemas are in `spec/`."""

MAINTAINERS = [
    {
        "type": "maintainer",
        "github-name": "openlineage-facets",
        "email": "",
        "link": "https://github.com/openlineage-facets/openlineage-facets",
    }
]


def write(path: Path, text: str) -> None:
    """Write a file, and the folders in which it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file."""
    write(path, json.dumps(value, indent=2) + "\n")
