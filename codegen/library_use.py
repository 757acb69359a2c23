"""What the hand-written part of the library uses of the generated part."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from pathlib import Path

_GENERATED = "openlineage_facets.generated"
_FACADE = "openlineage_facets.facets"
"""The import path of the generated part, and of the module with everything that it exports."""


def missing_names(files: Mapping[str, str], library: Path) -> dict[str, str]:
    """Return the names that the library imports from its generated part, and that would not exist.

    Args:
        files: The generated files by name.
        library: The folder of the library.

    Returns:
        A file that uses each missing name, such as `lineage.LineageJobFacet`.
    """
    defined = {Path(name).stem: _defined_names(source) for name, source in files.items()}
    exported = defined.get("__init__", set()) | defined.keys()
    missing: dict[str, str] = {}
    for path in sorted(library.rglob("*.py")):
        if library / "generated" in path.parents:
            continue
        source = path.read_text(encoding="utf-8")
        for module, name in _used_names(ast.parse(source), defined):
            known = exported if not module else defined.get(module, set())
            if name not in known:
                missing.setdefault(f"{module}.{name}".strip("."), path.relative_to(library).as_posix())
    return missing


def _used_names(tree: ast.Module, modules_of_package: Container[str]) -> Iterator[tuple[str, str]]:
    """Yield the module, "" for the package itself, and the name of each use of the generated part."""
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            package, _, module = node.module.partition(f"{_GENERATED}.")
            is_package = node.module in (_GENERATED, _FACADE)
            if is_package or (not package and module):
                for alias in node.names:
                    if alias.name != "*":
                        yield "" if is_package else module, alias.name
                    if is_package and alias.name in modules_of_package:
                        modules[alias.asname or alias.name] = alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = modules.get(node.value.id)
            if owner is not None and not node.attr.startswith("__"):
                yield owner, node.attr


def _defined_names(source: str) -> set[str]:
    """Return the names that a generated module defines, imports or exports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names
