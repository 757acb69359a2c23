"""Print the size and structure of the package and the generator: `python tools/structure.py [FOLDER...]`.

Code lines are those with code: docstrings, comments and blank lines do not count, nor do generated files.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("openlineage_facets", "openlineage_facets/base", "codegen")
PARTS_OF_REVIEW = (
    "cli/commands/check.py",
    "cli/commands/compare.py",
    "cli/commands/lock.py",
    "cli/commands/names.py",
    "graphs/page.py:Marks",
    "naming/name_patterns.py",
    "naming/naming_rules.py",
    "review",
    "state/facets_by_job.py",
    "state/renaming.py",
    "testing/lineage_lock.py",
    "toml_file.py:TomlTable",
)
"""What only locks, comparisons, policies and naming rules need: folders, modules and classes of modules."""

GENERATED = ROOT / "openlineage_facets/generated"

_INTERNAL_ATTRIBUTES = ("__pydantic_", "_generate_schema")
_HOOKS = ("__get_pydantic_core_schema__", "__get_pydantic_json_schema__", "__pydantic_init_subclass__")
"""Methods that pydantic documents; a class may override them."""

_SCHEMA_KEYS = frozenset(
    {
        "choices",
        "definitions",
        "extras_schema",
        "items_schema",
        "json_schema",
        "keys_schema",
        "python_schema",
        "schema",
        "schema_ref",
        "values_schema",
    }
)
"""Keys of pydantic's core schemas. A module that reads them depends on the shape of the schemas."""


@dataclass(frozen=True)
class Source:
    """A module and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The name by which the module is imported."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def main(folders: list[str]) -> None:
    """Print the figures of each folder."""
    for folder in folders:
        sources = [source for source in map(_read, sorted((ROOT / folder).rglob("*.py"))) if source]
        code = [_code_lines(source) for source in sources]
        imports = [lines & _import_lines(source) for source, lines in zip(sources, code, strict=True)]
        total = sum(map(len, code))
        share = sum(map(len, imports)) / total
        touching = [source for source in sources if _is_bound_to_pydantic(source.tree)]
        chain = _longest_chain(sources)
        print(f"{folder}: {total:,} code lines in {len(sources)} files, {total / len(sources):.0f} per file")
        print(f"  imports and __all__: {share:.1%}")
        print(f"  modules that depend on pydantic's internals: {len(touching)}")
        print(*(f"    {source.path.relative_to(ROOT)}" for source in touching), sep="\n")
        print(f"  longest chain of imports: {len(chain)}")
        print("   ", " > ".join(name.removeprefix("openlineage_facets.") for name in chain))


def print_review() -> None:
    """Print the code lines for the review of lineage, which is in several packages."""
    total = 0
    for part in PARTS_OF_REVIEW:
        name, _, class_name = part.partition(":")
        path = ROOT / "openlineage_facets" / name
        for source in filter(None, map(_read, sorted(path.rglob("*.py")) if path.is_dir() else [path])):
            classes = [node for node in source.tree.body if getattr(node, "name", "") == class_name]
            lines = set().union(*map(_lines_of, classes)) if class_name else _code_lines(source)
            total += len(_code_lines(source) & lines)
    print(f"review of lineage: {total:,} code lines")


def _read(path: Path) -> Source | None:
    if GENERATED in path.parents:
        return None
    text = path.read_text()
    return Source(path, text, ast.parse(text))


def _code_lines(source: Source) -> set[int]:
    """Return the numbers of the lines with code."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    skipped |= {tokenize.ENCODING, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type not in skipped:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Expr) and _text(node.value):
            lines -= _lines_of(node)
    return lines


def _import_lines(source: Source) -> set[int]:
    """Return the numbers of the lines of imports, wherever they are, and of `__all__`."""
    lines: set[int] = set()
    for node in ast.walk(source.tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            lines |= _lines_of(node)
        elif isinstance(node, (ast.Assign, ast.AugAssign)) and "__all__" in ast.dump(node):
            lines |= _lines_of(node)
    return lines


def _lines_of(node: ast.stmt) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _is_bound_to_pydantic(tree: ast.Module) -> bool:
    """Return whether a module reads core schemas, or uses attributes and modules that are not documented."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pydantic._internal"):
            return True
        if isinstance(node, ast.Subscript) and _text(node.slice) in _SCHEMA_KEYS and _imports_core(tree):
            return True
        names = (_text(node), getattr(node, "attr", ""), getattr(node, "id", ""))
        if any(name.startswith(_INTERNAL_ATTRIBUTES) for name in names if name not in _HOOKS):
            return True
    return False


def _imports_core(tree: ast.Module) -> bool:
    """Return whether a module imports pydantic-core, or reads the schemas of classes."""
    modules = (node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return any(module == "pydantic_core" or module.endswith("pydantic_internals") for module in modules)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _longest_chain(sources: list[Source]) -> list[str]:
    """Return the longest chain of modules, each of which imports the next one when it is imported."""
    names = {source.name for source in sources}
    imported = {source.name: sorted(_imported(source, names)) for source in sources}

    @cache
    def chain(name: str) -> list[str]:
        return [name, *max((chain(other) for other in imported[name]), key=len, default=[])]

    return max(map(chain, imported), key=len, default=[])


def _imported(source: Source, names: set[str]) -> Iterator[str]:
    for node in _executed(source.tree):
        if isinstance(node, ast.ImportFrom):
            package = source.name.split(".")
            if source.path.name != "__init__.py":
                package = package[:-1]
            parent = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*parent, *(node.module or "").split(".")]).strip(".")
            yield from {
                name if name in names else module
                for name in (f"{module}.{alias.name}" for alias in node.names)
                if name in names or module in names
            } - {source.name}


def _executed(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that importing a module executes."""
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            yield from node.orelse
        else:
            yield node


if __name__ == "__main__":
    main(sys.argv[1:] or list(FOLDERS))
    if not sys.argv[1:]:
        print_review()
