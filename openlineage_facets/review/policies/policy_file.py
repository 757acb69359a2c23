"""Read policies from TOML files; an error names file, line and fix."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.review.policies.policy import Policies
from openlineage_facets.toml_file import line_of, read_toml

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
    try:
        table: Any = read_toml(path)
    except ValueError as error:
        raise ValueError(f"{path}: expected TOML: {error}") from None
    prefix = f"{PROJECT_TABLE}." if path.name == "pyproject.toml" else ""
    for name in filter(None, prefix.split(".")):
        table = table.get(name, {}) if isinstance(table, dict) else {}
    lines = path.read_text(encoding="utf-8").splitlines()

    def place(location: Sequence[int | str]) -> int:
        return line_of(lines, location[:3], prefix) or 1

    try:
        policies = Policies.model_validate(table)
    except ValidationError as error:
        problems = (_problem(one, f"{path}:{place(one['loc'])}", prefix) for one in error.errors())
        raise ValueError("\n".join(problems)) from None
    for name in Policies.model_fields:
        for index, policy in enumerate(getattr(policies, name)):
            policy._line = place((name, index))
    return policies


def _problem(error: Any, place: str, prefix: str) -> str:
    location: Sequence[int | str] = error["loc"]
    where = ".".join(str(one) for one in location if isinstance(one, str)) or "(root)"
    kind, message = error["type"], error["msg"]
    if kind == "extra_forbidden":
        known = _known_keys(location)
        close = get_close_matches(str(location[-1]), known, n=1)
        meant = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
        return f"{place}: {where}: expected a known key; {meant}"
    if kind == "missing":
        return f"{place}: {where}: expected a value, found none; add {location[-1]} = ..."
    if kind in ("too_short", "string_too_short"):
        return f"{place}: {where}: expected at least one {'item' if kind == 'too_short' else 'character'}"
    fix = ""
    if kind == "list_type" and len(location) == 1 and isinstance(error["input"], dict):
        fix = f"; write [[{prefix}{where}]] instead of [{prefix}{where}]"
    elif kind == "list_type" and isinstance(error["input"], str):
        fix = f"; write {location[-1]} = [{json.dumps(error['input'], ensure_ascii=False)}]"
    expected = message.removeprefix("Value error, ").removeprefix("expected ").removeprefix("Input should ")
    return f"{place}: {where}: expected {expected.removeprefix('be ')}, found {describe(error['input'])}{fix}"


def _known_keys(location: Sequence[int | str]) -> list[str]:
    if len(location) < 3:
        return list(Policies.model_fields)
    model = Policies.model_fields[str(location[0])].annotation
    fields = model.__args__[0].model_fields.values()  # type: ignore[union-attr]
    return [field.alias for field in fields]
