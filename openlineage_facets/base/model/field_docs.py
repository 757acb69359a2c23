"""Read the docstrings of fields from source code, for JSON Schemas."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache


def field_docs(cls: type) -> dict[str, str]:
    """Return the docstring below each field of `cls` by attribute name, inherited fields included.

    Python does not keep these docstrings at run time, and repeating them in `Field(...)` would slow down
    imports. Without source code, the result is empty.
    """
    docs: dict[str, str] = {}
    for owner in reversed(cls.__mro__):
        docs.update(_module_docs(owner.__module__).get(owner.__qualname__, {}))
    return docs


@cache
def _module_docs(module: str) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, SyntaxError):
        return {}
    return {node.name: _class_docs(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _class_docs(node: ast.ClassDef) -> dict[str, str]:
    docs = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            docs[field.target.id] = inspect.cleandoc(str(below.value.value))
    return docs
