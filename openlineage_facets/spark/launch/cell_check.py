"""Refuse cells that Python cannot execute before the first cell is executed."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable

from openlineage_facets.spark.launch.cell import Cell
from openlineage_facets.spark.launch.certain_lookups import certain_lookups, may_define
from openlineage_facets.spark.launch.launch_error import LaunchError

_IPYTHON = "get_ipython"


def check_cells(cells: Iterable[Cell]) -> None:
    """Check that cells, which are executed in this order, are Python without Jupyter.

    Args:
        cells: The cells, with magic commands translated.

    Raises:
        LaunchError: A cell is not Python, awaits outside of a function, or certainly fails without the
            shell of Jupyter.
    """
    trees = [(cell, _parsed(cell)) for cell in cells]
    if any(may_define(tree, _IPYTHON) for _, tree in trees):
        return
    cell_of = {id(statement): cell for cell, tree in trees for statement in tree.body}
    statements = [statement for _, tree in trees for statement in tree.body]
    for statement, found in certain_lookups(statements, _IPYTHON):
        cell = cell_of[id(statement)]
        raise LaunchError(
            f"{_place(cell, found.lineno + cell.first_line - 1)}: expected Python, found {_IPYTHON}, which "
            "only Jupyter has; remove it, or use it within `if` or `try`"
        )


def _parsed(cell: Cell) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Shown when the cell is executed.
        try:
            cell.compiled()
            return ast.parse(cell.source)
        except (SyntaxError, ValueError) as error:
            raise _not_python(cell, error) from None


def _not_python(cell: Cell, error: SyntaxError | ValueError) -> LaunchError:
    line = getattr(error, "lineno", None) or cell.first_line
    if _awaits(cell):
        return LaunchError(
            f"{_place(cell, line)}: expected `await` in a function, found it outside; "
            "move the code into an `async def` and call asyncio.run"
        )
    lines = cell.source.splitlines()
    found = lines[min(line - cell.first_line, len(lines) - 1)].strip()[:80]
    reason = error.msg if isinstance(error, SyntaxError) else error
    return LaunchError(
        f"{_place(cell, line)}: expected Python, found {found!r} ({reason}); correct or remove it"
    )


def _awaits(cell: Cell) -> bool:
    try:
        cell.compiled(ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):
        return False
    return True


def _place(cell: Cell, line: int) -> str:
    return f"{cell.origin}, line {line}"
