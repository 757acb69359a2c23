"""Write the JSON Schema of policy files, with which editors complete and check them."""

from __future__ import annotations

import json
from pathlib import Path

from openlineage_facets.review.policies import Policies

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "openlineage_facets" / "review" / "policies" / "policies.schema.json"


def schema_text() -> str:
    """Return the schema as JSON."""
    return json.dumps(Policies.model_json_schema(), indent=2) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(schema_text(), encoding="utf-8")
