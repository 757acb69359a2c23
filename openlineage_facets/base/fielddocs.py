"""The docstrings of fields, read from source when somebody asks for a JSON Schema."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache


def field_docs(cls: type) -> dict[str, str]:
    """Return the docstring below each field of `cls`, inherited ones included, by attribute name.

    Python keeps no such docstrings at run time, and repeating them in every `Field(...)` would load
    them with every import; so they are read from the source, and are none where there is no source.
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
