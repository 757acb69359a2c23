"""Translate the magic commands of notebook cells to Python."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from openlineage_facets.base.redaction.redacting_logger import redacting_logger
from openlineage_facets.spark.launch.launch_error import LaunchError

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


@dataclass(frozen=True)
class Include:
    """A cell that executes another notebook in its place.

    Args:
        path: The notebook, relative to this one, possibly without suffix.
    """

    path: str


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
    return "\n".join(_translated_line(line, origin) for line in source.split("\n"))


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
    if name == "run" and rest and not body.strip():
        return _include(rest, origin)
    if name == "sql":
        statements = _statements(f"{rest}\n{body}")
        return before + "; ".join(f"_sqldf = spark.sql({text!r}); display(_sqldf)" for text in statements)
    if name in _TIMED_CELLS:
        translated = python_source(body, origin)
        return translated if isinstance(translated, Include) else f"{before}\n{translated}"
    if name == "python":
        return f"{before}{rest}\n{body}"
    raise LaunchError(
        f"{origin}: expected Python, SQL or text, found %{name}; remove the cell or move it into a script"
    )


def _translated_line(line: str, origin: str) -> str:
    match = _LINE_MAGIC.fullmatch(line)
    if match is None:
        return line
    indent, sign, name, rest = match["indent"], match["sign"], match["name"], match["rest"].strip()
    if name in _INSTALLATION:
        _log.warning("%s: %s%s is skipped; install the packages before the job starts", origin, sign, name)
        return f"{indent}pass"
    if sign == "%" and name in _DISPLAY_LINES:
        return f"{indent}pass"
    if sign == "%" and name in _TIMED_CELLS:
        return f"{indent}{rest or 'pass'}"
    if sign == "%" and name == "sql":
        return f"{indent}_sqldf = spark.sql({rest.rstrip(';')!r}); display(_sqldf)"
    raise LaunchError(
        f"{origin}: expected Python, found {line.strip()[:80]!r}; remove the line or move it into a script"
    )


def _include(target: str, origin: str) -> Include:
    path = target.strip("\"'")
    if re.search(r"\s", path):
        raise LaunchError(f"{origin}: %run {target}: expected only the path of a notebook, found parameters")
    return Include(path)


def _statements(text: str) -> list[str]:
    """Split SQL at semicolons outside of strings, names and comments."""
    statements = [""]
    for token in _SQL_TOKEN.findall(text):
        if token == ";":
            statements.append("")
        else:
            statements[-1] += token
    return [statement.strip() for statement in statements if _has_code(statement)]


def _has_code(statement: str) -> bool:
    tokens = _SQL_TOKEN.findall(statement)
    return any(not token.isspace() and token[:2] not in ("--", "/*") for token in tokens)


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True
