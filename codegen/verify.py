"""Verify generated code without running it: every definition is there, schema text is only data."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from . import ir
from .errors import GeneratorError, pointer_of
from .keywords import FIELD_ARGUMENTS
from .render.annotations import Annotations
from .render.constructors import CALLS

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

_CALLS = CALLS | frozenset(
    """
    Field FacetEntry FacetSlot TypeAliasType forbid_together model_validator or_empty require_any require_one
    require_with _load_export self._compose
    """.split()
)
"""The only functions that generated code may call."""


def verify(files: Mapping[str, str], library: ir.Library) -> None:
    """Verify every generated file.

    Raises:
        GeneratorError: A file contains code that no renderer writes, or lacks a definition.
    """
    modules = {f"{module.name}.py": module for module in library.own_modules}
    for name, source in files.items():
        try:
            tree = ast.parse(source.encode())
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise GeneratorError(f"{name} is not valid Python: {error}") from None
        for problem in _foreign_code(tree):
            raise GeneratorError(f"{name} contains code that no renderer writes: {problem}")
        if name in modules:
            _verify_definitions(modules[name], tree, library)


def _foreign_code(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
            yield f"line {node.lineno}: {type(node).__name__}"
        elif isinstance(node, ast.Expr) and not (
            isinstance(node.value, ast.Call)  # Verified as any call.
            or (isinstance(node.value, ast.Constant) and isinstance(node.value.value, (str, type(...))))
        ):
            yield f"line {node.lineno}: an expression"
        elif isinstance(node, ast.Call):
            function = node.func.func if isinstance(node.func, ast.Call) else node.func
            if ast.unparse(function) not in _CALLS:
                yield f"line {node.lineno}: a call to {ast.unparse(function)}"
        elif isinstance(node, (ast.Lambda, ast.Await, ast.Yield, ast.NamedExpr, ast.JoinedStr)):
            yield f"line {node.lineno}: {type(node).__name__}"


def _verify_definitions(module: ir.Module, tree: ast.Module, library: ir.Library) -> None:
    """Verify that each definition is there, and each property with its wire name, type and constraints."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    names = {*classes, *_annotations(tree.body), *(_alias_of_text(node) for node in tree.body)}
    if missing := [definition for definition in module.definitions if definition.name not in names]:
        where = f"{module.path}#{missing[0].pointer}"
        raise GeneratorError(f"{where}: {missing[0].name} is missing from the generated module")
    if extra := classes.keys() - {definition.name for definition in module.definitions}:
        raise GeneratorError(f"{module.path}: classes without a definition: {', '.join(sorted(extra))}")
    write = Annotations(module.name, library)
    for definition in module.classes.values():
        annotations = _annotations(classes[definition.name].body)
        for field in definition.fields:
            held = write.held(field.type, optional=not field.required)
            constraints = {FIELD_ARGUMENTS[name]: bound for name, bound in field.constraints}
            expected = (field.wire, held, constraints)
            annotation = annotations.get(field.python)
            found = None if annotation is None else _field(field.python, annotation, held)
            if found != expected:
                where = f"{module.path}#{definition.pointer}{pointer_of(['properties', field.wire])}"
                raise GeneratorError(f"{where}: generated as {found}, expected {expected}")


def _annotations(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return the annotations of names in a module or class."""
    return {
        node.target.id: node.annotation
        for node in body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def _alias_of_text(node: ast.stmt) -> str:
    """Return the name of an alias whose type is text, which pydantic evaluates, "" for another statement."""
    match node:
        case ast.Assign(
            value=ast.Call(
                func=ast.Name(id="TypeAliasType"),
                args=[ast.Constant(value=str(name)), ast.Constant(value=str(text))],
            )
        ):
            for problem in _foreign_code(ast.parse(f"value: {text}")):
                raise GeneratorError(f"the type of {name} contains code that no renderer writes: {problem}")
            return name
    return ""


def _field(name: str, annotation: ast.expr, held: str) -> tuple[str, str, dict[str, Any]]:
    """Return the wire name, type and constraints of an attribute.

    Args:
        name: The attribute.
        annotation: Its annotation.
        held: The expected type, which may itself be `Annotated[..., Field(...)]`.
    """
    expected = ast.parse(held, mode="eval").body
    if _is_same(annotation, expected):
        return name, held, {}
    arguments: dict[str, Any] = {}
    match annotation:
        case ast.Subscript(
            value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[annotation, ast.Call(keywords=keywords)])
        ):
            arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in keywords}
    wire = arguments.pop("alias", name)
    arguments.pop("deprecated", None)
    return wire, held if _is_same(annotation, expected) else ast.unparse(annotation), arguments


def _is_same(node: ast.expr, other: ast.expr) -> bool:
    """Return whether two expressions are equal, without recursion: alternatives are nested in each other."""
    waiting: list[tuple[Any, Any]] = [(node, other)]
    while waiting:
        left, right = waiting.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, ast.AST):
            waiting += ((getattr(left, field), getattr(right, field)) for field in left._fields)
        elif isinstance(left, list) and len(left) == len(right):
            waiting += zip(left, right, strict=True)
        elif left != right:
            return False
    return True
