"""Write the JSON Schema of policy files, with which editors complete and check them."""

from __future__ import annotations

import json

from openlineage_facets.review.policies import Policies
from tools.generated_files import ROOT, write_or_check

SCHEMA = ROOT / "openlineage_facets" / "review" / "policies" / "policies.schema.json"


def schema_text() -> str:
    """Return the schema as JSON."""
    return json.dumps(Policies.model_json_schema(), indent=2) + "\n"


if __name__ == "__main__":
    raise SystemExit(write_or_check([(SCHEMA, schema_text())], "policy_schema.py"))
