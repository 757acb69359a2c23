"""Read policies from TOML files; an error names file, line and fix."""

from __future__ import annotations

from pathlib import Path

from openlineage_facets.review.policies.policy import Policies
from openlineage_facets.toml_file import TomlTable

PROJECT_TABLE = "tool.openlineage-facets.policies"
"""The table of policies in a pyproject.toml."""


def read_policies(path: Path) -> Policies:
    """Return the policies of a file, or of `[tool.openlineage-facets.policies]` if it is a pyproject.toml.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not valid TOML, or a policy is invalid. There is a line for each problem.
        ModuleNotFoundError: On Python 3.10, tomli is not installed.

    Example:
        >>> policies = read_policies(Path("policies.toml"))
    """
    table = TomlTable(path, PROJECT_TABLE if path.name == "pyproject.toml" else "")
    policies = table.read_as(Policies)
    for name in Policies.model_fields:
        for index, policy in enumerate(getattr(policies, name)):
            policy._line = table.line_of((name, index)) or 1
    return policies
