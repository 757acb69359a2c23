"""Exported notebooks: `.ipynb` files, and `.py` files in Databricks' source format.

nbformat would replace only the reading of JSON, and nbconvert translates magic commands to calls of
IPython, which jobs do not have. Neither knows the cells of Databricks.
"""

from __future__ import annotations
import __future__

import ast
import json
import linecache
import symtable
import tokenize
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from openlineage_facets.spark.launch.job_arguments import LaunchError
from openlineage_facets.spark.launch.notebook_cells import Cell, check_cells, python_source

_DATABRICKS_HEADER = "# Databricks notebook source"
_DATABRICKS_SEPARATOR = "# COMMAND ----------"
_DATABRICKS_MAGIC = "# MAGIC"

_FUTURE = reduce(or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))
"""Flags of the code in which a statement such as `from __future__ import annotations` has an effect."""


@dataclass(frozen=True)
class Notebook:
    """The cells of a notebook as Python code, in order.

    Args:
        path: The notebook.
        cells: Its cells, and those of notebooks that it includes with `%run`.
    """

    path: Path
    cells: list[Cell]

    @classmethod
    def read(cls, path: Path) -> Notebook:
        """Read a notebook.

        Raises:
            LaunchError: It is not a notebook of Python, or has a cell that cannot be executed.
            OSError: It cannot be read.
        """
        cells = list(_python_cells(path, included=()))
        check_cells(cells)
        return cls(path, cells)

    def load(self, main: ModuleType) -> Iterator[CodeType]:
        """Prepare the main module and yield the code of each cell.

        `display` prints DataFrames. The names `spark` and `sc` refer to a session, as in managed notebooks,
        unless the notebook assigns them itself.
        """
        main.__dict__.update(__file__=str(self.path), display=_display)
        names = _missing_names(self.cells) & {"spark", "sc"}
        if names:
            from pyspark.sql import SparkSession

            spark: Any = SparkSession.builder.getOrCreate()
            main.__dict__.update({name: spark if name == "spark" else spark.sparkContext for name in names})
        statements = dict[Path, int]()  # `from __future__` also affects the later cells of a notebook.
        for cell in self.cells:
            code = _compiled(cell, statements.get(cell.notebook, 0))
            statements[cell.notebook] = code.co_flags & _FUTURE
            yield code


def is_notebook(path: Path) -> bool:
    """Return True for a `.ipynb` file, and for a `.py` file in Databricks' source format."""
    if path.suffix == ".ipynb":
        return True
    if path.suffix != ".py" or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.readline().removeprefix(BOM_UTF8).strip() == _DATABRICKS_HEADER.encode()


def _python_cells(path: Path, included: tuple[Path, ...]) -> Iterator[Cell]:
    """Yield the cells of a notebook as Python, with the cells of the notebooks that it includes."""
    pending = deque(_ipynb_cells(path) if path.suffix == ".ipynb" else _databricks_cells(path))
    while pending:
        cell = pending.popleft()
        text = python_source(cell.source, cell.origin)
        if isinstance(text, str):
            yield replace(cell, source=text)
            continue
        yield from _included_cells(path, text.path, cell.origin, (*included, path.resolve()))
        if text.rest:
            pending.appendleft(replace(cell, source=text.rest))


def _included_cells(path: Path, target: str, origin: str, included: tuple[Path, ...]) -> Iterator[Cell]:
    base = path.parent / target
    for candidate in (base, Path(f"{base}.py"), Path(f"{base}.ipynb")):
        if not candidate.is_file():
            continue
        if candidate.resolve() in included:
            raise LaunchError(f"{origin}: %run {target}: expected another notebook, found a cycle")
        if is_notebook(candidate):
            yield from _python_cells(candidate, included)
        else:
            yield Cell(_text(candidate), str(candidate), str(candidate), candidate)
        return
    raise LaunchError(f"{origin}: %run {target}: expected a notebook, found nothing at {base}")


def _ipynb_cells(path: Path) -> Iterator[Cell]:
    expected = f"{path}: expected a notebook in the format of Jupyter"
    try:
        document = json.loads(path.read_bytes())
    except (RecursionError, ValueError) as error:
        raise LaunchError(f"{expected}, found invalid JSON: {error}") from None
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list):
        raise LaunchError(f"{expected}, found a document without a list of cells")
    language = _language(document)
    if language != "python":
        raise LaunchError(f"{path}: expected a notebook of Python, found {language}")
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        lines = cell.get("source", "")
        source = "".join(map(str, lines)) if isinstance(lines, list) else str(lines)
        if source.strip():
            yield Cell(source, f"{path}: cell {number}", f"<{path.name} cell {number}>", path)


def _language(document: dict[str, Any]) -> str:
    metadata = document.get("metadata")
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        entry = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(entry, dict) and isinstance(entry.get(name), str):
            return str(entry[name]).lower()
    return "python"


def _databricks_cells(path: Path) -> Iterator[Cell]:
    lines = _text(path).split("\n")[1:]  # A text may contain other line separators.
    first_line, number, cell = 2, 1, list[str]()
    for line_number, line in enumerate([*lines, _DATABRICKS_SEPARATOR], 2):
        if line.strip() != _DATABRICKS_SEPARATOR:
            cell.append(line)
            continue
        if any(line.strip() for line in cell):
            source = "\n".join(map(_without_magic_prefix, cell))
            yield Cell(source, f"{path}: cell {number}", str(path), path, first_line)
            number += 1
        first_line, cell = line_number + 1, []


def _text(path: Path) -> str:
    """Return the text of a Python file in its encoding."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (SyntaxError, UnicodeDecodeError) as error:  # Python raises the first for the first two lines.
        raise LaunchError(
            f"{path}: expected text in UTF-8, found another encoding ({error}); convert it, or name its "
            "encoding in the first or second line, such as `# coding: latin-1`"
        ) from None


def _without_magic_prefix(line: str) -> str:
    if not line.startswith(_DATABRICKS_MAGIC):
        return line
    return line[len(_DATABRICKS_MAGIC) :].removeprefix(" ")


def _missing_names(cells: list[Cell]) -> set[str]:
    """Return the global names that cells use, but neither assign nor import."""
    used: set[str] = set()
    assigned: set[str] = set()
    for cell in cells:
        tree = _WithoutDeclarations().visit(ast.parse(cell.source))
        tables = [symtable.symtable(ast.unparse(tree), cell.file, "exec")]
        while tables:
            table = tables.pop()
            tables += table.get_children()
            for symbol in table.get_symbols():
                if table.get_type() == "module" or symbol.is_global():
                    if symbol.is_assigned() or symbol.is_imported():
                        assigned.add(symbol.get_name())
                    if symbol.is_referenced():
                        used.add(symbol.get_name())
    return used - assigned


class _WithoutDeclarations(ast.NodeTransformer):
    """Removes declarations such as `spark: SparkSession`, which are assignments for symtable."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        return ast.Expr(node.annotation) if node.value is None else node


def _compiled(cell: Cell, flags: int) -> CodeType:
    if cell.file.startswith("<"):
        # Stack traces show the lines of the cell.
        lines = cell.source.splitlines(keepends=True)
        linecache.cache[cell.file] = (len(cell.source), None, lines, cell.file)
    return cell.compiled(flags)


def _display(value: Any = None, *_: Any, **__: Any) -> None:
    """Print a value as text, and the first rows of a DataFrame."""
    show = getattr(value, "show", None)
    if callable(show):
        show()
    else:
        print(value)
