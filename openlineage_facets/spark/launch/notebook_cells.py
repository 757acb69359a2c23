"""The cells of a notebook: magic commands as Python, and the refusal of cells that Python cannot execute.

Cells are refused before the first one is executed. A cell that looks up `get_ipython` in any case certainly
fails, unless an earlier cell may have defined it.
"""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from types import CodeType

from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.spark.launch.job_arguments import LaunchError


@dataclass(frozen=True)
class Cell:
    """Code of one cell.

    Args:
        source: Its text, without prefixes of the file format.
        origin: The cell in error messages.
        file: File name of its code: that of the notebook, or a name for the cell in a `.ipynb` file.
        notebook: The file that contains it.
        first_line: Number of its first line in this file.
    """

    source: str
    origin: str
    file: str
    notebook: Path
    first_line: int = 1

    def compiled(self, flags: int = 0) -> CodeType:
        """Return the code of the cell, with its line numbers in the file.

        Raises:
            SyntaxError: It is not Python.
        """
        text = "\n" * (self.first_line - 1) + self.source
        code: CodeType = compile(text, self.file, "exec", flags, dont_inherit=True)
        return code


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


_log = redacting_logger("openlineage_facets.spark")

_TEXT_CELLS = frozenset({"md", "md-sandbox", "markdown", "html", "javascript", "js", "latex", "svg"})
_TIMED_CELLS = frozenset({"time", "timeit", "capture", "prun"})
_DISPLAY_LINES = frozenset({"matplotlib", "config", "load_ext", "reload_ext", "autoreload", "precision"})
_DATABRICKS_LANGUAGES = frozenset({"sql", "python", "run", "scala", "r", "sh", "fs"})
_INSTALLATION = frozenset({"pip", "conda", "mamba", "uv"})

_CELL_MAGIC = re.compile(r"\s*%%?(?P<name>[\w-]+)[ \t]*(?P<rest>[^\n]*)\n?(?P<body>.*)", re.DOTALL)
_LINE_MAGIC = re.compile(r"(?P<indent>[ \t]*)(?P<sign>%|!)(?P<name>[\w-]*)[ \t]*(?P<rest>.*)")
_SQL_TOKEN = re.compile(
    r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|--[^\n]*|/\*.*?\*/|;|[^'"`;/-]+|.""", re.DOTALL
)

_SCRIPT = re.compile(r"\s*(\w+\s*:\s*)?BEGIN\b", re.IGNORECASE)


@dataclass(frozen=True)
class Include:
    """A cell that executes another notebook in its place.

    Args:
        path: The notebook, relative to this one, possibly without suffix.
        rest: The code of the cell after it, with the same line numbers; empty if there is none.
    """

    path: str
    rest: str = ""


def python_source(source: str, origin: str) -> str | Include:
    """Return a cell as Python code with the same line numbers, or the notebook that it includes.

    Args:
        source: The text of the cell.
        origin: The cell in messages.

    Raises:
        LaunchError: The cell is in another language, or has a magic command without equivalent in Python.
    """
    magic = _cell_magic(source)
    if magic is not None:
        return _translated_cell(magic, source, origin)
    if _is_python(source):
        return source
    lines: list[str] = []
    for line in source.split("\n"):
        match = _LINE_MAGIC.fullmatch(line)
        # The operator % and the text of a string may start a line, too.
        lines.append(line if match is None or _is_unfinished(lines) else _translated_line(match, origin))
    return "\n".join(lines)


def _is_unfinished(lines: list[str]) -> bool:
    """Return True if a string or statement in these lines continues in the next one."""
    try:
        for _ in tokenize.generate_tokens(StringIO("\n".join(lines)).readline):
            pass
    except tokenize.TokenError as error:
        return re.search("multi-line|triple-quoted", str(error)) is not None
    except SyntaxError:
        pass
    return bool(lines) and lines[-1].endswith("\\")


def _cell_magic(source: str) -> re.Match[str] | None:
    """Return the magic command that a cell starts with; comments before it are titles of Databricks."""
    lines = source.split("\n")
    first = next(
        (number for number, line in enumerate(lines) if line.strip() and not line.startswith("#")), None
    )
    if first is None:
        return None
    match = _CELL_MAGIC.fullmatch("\n".join(lines[first:]))
    if match is None or lines[first].lstrip().startswith("%%"):
        return match
    # With one percent sign, `%sql` is a cell of Databricks, `%time f()` a line of Jupyter.
    return match if match["name"] in _TEXT_CELLS | _DATABRICKS_LANGUAGES else None


def _translated_cell(magic: re.Match[str], source: str, origin: str) -> str | Include:
    name, rest, body = magic["name"], magic["rest"].strip(), magic["body"]
    before = "\n" * source[: len(source) - len(magic.string)].count("\n")
    if name in _TEXT_CELLS:
        return ""
    if name in _INSTALLATION:
        _log.warning("%s: %%%s is skipped; install the packages before the job starts", origin, name)
        return ""
    if name == "run" and rest:
        return _include(rest, f"{before}\n{body}" if body.strip() else "", origin)
    if name == "sql":
        statements = _statements(f"{rest}\n{body}")
        return before + "; ".join(f"_sqldf = spark.sql({text!r}); display(_sqldf)" for text in statements)
    if name in _TIMED_CELLS:
        setup = _without_options(name, rest) if name == "timeit" else ""
        translated = python_source(body, origin)
        if isinstance(translated, Include):
            return replace(translated, rest=translated.rest and f"{before}\n{translated.rest}")
        return f"{before}{setup}\n{translated}"
    if name == "python":
        return f"{before}{rest}\n{body}"
    raise LaunchError(
        f"{origin}: expected Python, SQL or text, found %{name}; remove the cell or move it into a script"
    )


def _translated_line(match: re.Match[str], origin: str) -> str:
    indent, sign, name, rest = match["indent"], match["sign"], match["name"], match["rest"].strip()
    if name in _INSTALLATION:
        _log.warning("%s: %s%s is skipped; install the packages before the job starts", origin, sign, name)
        return f"{indent}pass"
    if sign == "%" and name in _DISPLAY_LINES:
        return f"{indent}pass"
    if sign == "%" and name in _TIMED_CELLS:
        return f"{indent}{_without_options(name, rest) or 'pass'}"
    if sign == "%" and name == "sql":
        return f"{indent}_sqldf = spark.sql({rest.rstrip(';')!r}); display(_sqldf)"
    if sign == "%" and name == "run":
        raise LaunchError(
            f"{origin}: expected %run in the first line of a cell, found it after code; move it there"
        )
    found = match.string.strip()[:80]
    raise LaunchError(f"{origin}: expected Python, found {found!r}; remove the line or move it into a script")


_OPTIONS = {
    "prun": re.compile(r"(?:-[DTls]\s*\S+\s+|-[qr]+\s+)*"),
    "timeit": re.compile(r"(?:-[npr]\s*\d+\s+|-[coqtv]+\s+)*"),
}
"""Options before the code that a magic command executes."""


def _without_options(name: str, timed: str) -> str:
    options = _OPTIONS[name].match(f"{timed} ") if name in _OPTIONS else None
    return timed if options is None else timed[options.end() :]


def _include(target: str, rest: str, origin: str) -> Include:
    path = target.strip("\"'")
    if re.search(r"\s", path):
        raise LaunchError(f"{origin}: %run {target}: expected only the path of a notebook, found parameters")
    return Include(path, rest)


def _statements(text: str) -> list[str]:
    """Split SQL at semicolons outside of strings, names and comments. A script is one statement."""
    statements = [""]
    for token in _SQL_TOKEN.findall(text):
        if token == ";" and not _SCRIPT.match("".join(_code(statements[-1]))):
            statements.append("")
        else:
            statements[-1] += token
    return [statement.strip() for statement in statements if _has_code(statement)]


def _has_code(statement: str) -> bool:
    return any(not token.isspace() for token in _code(statement))


def _code(statement: str) -> list[str]:
    """Return the tokens of SQL without comments."""
    return [token for token in _SQL_TOKEN.findall(statement) if token[:2] not in ("--", "/*")]


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True
