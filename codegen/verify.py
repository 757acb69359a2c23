"""Check that generated code is what was meant: every class there, and schema text nothing but data."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from codegen import ir
from codegen.annotations import Annotations
from codegen.docstring import docstring
from codegen.errors import SchemaError

_STATEMENTS = (
    ast.Import,
    ast.ImportFrom,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
    ast.Expr,
    ast.If,
    ast.FunctionDef,
    ast.Return,
)

_CALLS = frozenset(
    {
        "Field",
        "FacetEntry",
        "FacetSlot",
        "forbid_together",
        "_load_export",
        "model_validator",
        "require_with",
        "self._compose",
    }
)
"""The only functions that generated code may call."""


def verify(files: Mapping[str, str], library: ir.Library) -> None:
    """Check every generated file.

    Raises:
        SchemaError: A file holds code that no template writes, or lacks a definition.
    """
    modules = {f"{module.name}.py": module for module in library.modules}
    for name, source in files.items():
        module = modules.get(name)
        where = module.path if module else name
        tree = ast.parse(source.encode())
        for problem in _foreign_code(tree):
            raise SchemaError(where, "", f"would put code into {name}: {problem}")
        if module:
            _verify_definitions(module, tree, library)


def _foreign_code(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
            yield f"line {node.lineno}: {type(node).__name__}"
        elif isinstance(node, ast.Expr) and not (
            isinstance(node.value, ast.Constant) and isinstance(node.value.value, (str, type(...)))
        ):
            yield f"line {node.lineno}: an expression"
        elif isinstance(node, ast.Call):
            function = node.func.func if isinstance(node.func, ast.Call) else node.func
            if ast.unparse(function) not in _CALLS:
                yield f"line {node.lineno}: a call of {ast.unparse(function)}"
        elif isinstance(node, (ast.Lambda, ast.Await, ast.Yield, ast.NamedExpr, ast.JoinedStr)):
            yield f"line {node.lineno}: {type(node).__name__}"


def _verify_definitions(module: ir.Module, tree: ast.Module, library: ir.Library) -> None:
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    names = {
        *classes,
        *(
            node.target.id
            for node in tree.body
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        ),
    }
    for definition in module.definitions:
        if definition.name not in names:
            raise SchemaError(
                module.path, definition.pointer, f"{definition.name!r} is missing from the generated module"
            )
        if isinstance(definition, ir.Alias):
            continue
        node = classes[definition.name]
        expected = ast.literal_eval("\n".join(docstring(definition.doc)))
        if (ast.get_docstring(node) or "").split() != expected.split():
            raise SchemaError(
                module.path, definition.pointer, "its description did not survive as a docstring"
            )
        if isinstance(definition, ir.Class):
            bases = [ast.unparse(base) for base in node.bases]
            if definition.bases and bases != [base.name for base in definition.bases]:
                raise SchemaError(module.path, definition.pointer, f"extends {bases} in the generated module")
            _verify_fields(module, definition, node, library)
    extra = set(classes) - {definition.name for definition in module.definitions}
    if extra:
        raise SchemaError(module.path, "", f"classes that no schema defines: {', '.join(sorted(extra))}")


def _verify_fields(module: ir.Module, definition: ir.Class, node: ast.ClassDef, library: ir.Library) -> None:
    """Check that each property has its attribute, under its wire name."""
    found = {}
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            aliases = [
                keyword.value.value
                for call in ast.walk(statement.annotation)
                if isinstance(call, ast.Call)
                for keyword in call.keywords
                if keyword.arg == "alias" and isinstance(keyword.value, ast.Constant)
            ]
            found[statement.target.id] = (
                aliases[0] if aliases else statement.target.id,
                _bare(statement.annotation),
            )
    write = Annotations(module.name, library)
    for one in definition.fields:
        held = ast.unparse(ast.parse(write.held(one.type, optional=not one.required), mode="eval"))
        if found.get(one.python) != (one.wire, held):
            raise SchemaError(
                module.path,
                f"{definition.pointer}/properties/{one.wire}",
                f"became {found.get(one.python)} in {definition.name}, expected {(one.wire, held)}",
            )


def _bare(annotation: ast.expr) -> str:
    """Return an annotation without the `Annotated[..., Field(...)]` around it."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated":
        assert isinstance(annotation.slice, ast.Tuple)
        return ast.unparse(annotation.slice.elts[0])
    return ast.unparse(annotation)
