"""Find where code looks up a name in any case: without the name, the program certainly fails there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_EXITS = frozenset({"_exit", "abort", "execl", "execv", "execve", "exit", "kill", "quit"})
"""Names of functions and methods that end a program."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def may_define(tree: ast.AST, name: str) -> bool:
    """Return True if code may define a name, in any way."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            continue
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and not _is_of_pyspark(node):
            return True
        if any(isinstance(value, str) and name in value for _, value in ast.iter_fields(node)):
            return True
    return False


def _is_of_pyspark(node: ast.ImportFrom) -> bool:
    return not node.level and (node.module or "").partition(".")[0] == "pyspark"


def certain_lookups(statements: Iterable[ast.stmt], name: str) -> Iterator[tuple[ast.stmt, ast.Name]]:
    """Yield the statements that look up a name, unless a condition, an exit or a caught error may prevent it.

    Args:
        statements: The statements of a module.
        name: The name.
    """
    for statement in statements:
        for node in _evaluated(statement):
            if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                yield statement, node
        if _may_end(statement):
            return


def _may_end(statement: ast.AST) -> bool:
    """Return True if a statement, or a function that it defines, may end the program on purpose."""
    return any(
        isinstance(node, ast.Raise)
        or (isinstance(node, ast.Name) and node.id in _EXITS)
        or (isinstance(node, ast.Attribute) and node.attr in _EXITS)
        for node in ast.walk(statement)
    )


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are evaluated whenever a node is."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending += _always(current)


def _always(node: ast.AST) -> list[ast.AST]:
    """Return the children of a node that are evaluated whenever the node is, outside of `try` and `with`."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return [node.test]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [node.iter]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [node.items[0].context_expr]  # It may suppress the errors of everything that follows.
    if isinstance(node, ast.Match):
        return [node.subject]
    if isinstance(node, ast.BoolOp):
        return [node.values[0]]
    if isinstance(node, ast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, _COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [*node.decorator_list, *node.args.defaults]
    if isinstance(node, ast.AnnAssign):
        return [] if node.value is None else [node.value]
    if isinstance(node, (ast.Try, ast.Lambda)) or type(node).__name__ == "TryStar":  # Since Python 3.11.
        return []
    return list(ast.iter_child_nodes(node))
