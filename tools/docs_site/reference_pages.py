"""Reference pages: one for each public package and class, and the help of every command."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["reference_pages"]

_PACKAGES = {
    "openlineage_facets": "Events",
    "openlineage_facets.facets": "Facets",
    "openlineage_facets.tags": "Tags",
    "openlineage_facets.validation": "Validation",
    "openlineage_facets.state": "State and lineage",
    "openlineage_facets.graphs": "Graphs",
    "openlineage_facets.review": "Review",
    "openlineage_facets.review.policies": "Policies in Python",
    "openlineage_facets.emitters": "Emitters",
    "openlineage_facets.operators": "Operators",
    "openlineage_facets.testing": "Testing",
    "openlineage_facets.spark": "Spark",
    "openlineage_facets.spark.archives": "Archives in Spark",
}
"""The public packages, with the titles of their pages."""

_WIDTH = 80


def reference_pages() -> dict[str, bytes]:
    """Return the pages of the reference by their path in the site."""
    pages: dict[str, str] = {}
    for package in _PACKAGES:
        pages.update(_pages_of(package))
    pages["reference/command-line.md"] = _command_page()
    return {path: text.encode() for path, text in pages.items()}


def _pages_of(package: str) -> Iterator[tuple[str, str]]:
    """Yield the page of a package, with its functions and a table of its classes, and that of each class."""
    module: Any = import_module(package)
    folder = package.removeprefix("openlineage_facets").strip(".").replace(".", "-") or "events"
    title = _PACKAGES[package]
    classes: list[str] = []
    others: list[str] = []
    for name in sorted(module.__all__):
        value = None if name.startswith("__") else getattr(module, name)
        if value is None or isinstance(value, ModuleType):
            continue
        path = _path(package, module, name)
        if inspect.isclass(value):
            classes.append(f"| [`{name}`]({folder}/{name}.md) | {_summary(value)} |")
            yield f"reference/{folder}/{name}.md", _class_page(path, package, name, folder, title)
        else:
            others += [f"::: {path}", ""]
    lines = [f"# {title}", "", f"`{package}`: {_summary(module)}", ""]
    if classes:
        lines += ["| class | |", "| --- | --- |", *classes, ""]
    yield f"reference/{folder}.md", "\n".join([*lines, *others])


def _class_page(path: str, package: str, name: str, folder: str, title: str) -> str:
    head = ["---", f"title: {name}", "---", "", f"[{title}](../{folder}.md)", ""]
    options = ["    options:", "      heading_level: 1", ""]
    return "\n".join([*head, f"`from {package} import {name}`", "", f"::: {path}", *options])


def _summary(value: Any) -> str:
    """Return the first sentence of a docstring, in one line of a table."""
    first = (inspect.getdoc(value) or "").partition("\n\n")[0]
    return " ".join(first.split()).replace("|", "\\|")


def _path(package: str, module: Any, name: str) -> str:
    """Return where a public name is defined."""
    value = getattr(module, name)
    if str(getattr(value, "__module__", "")).startswith("openlineage_facets") and hasattr(
        value, "__qualname__"
    ):
        return f"{value.__module__}.{value.__qualname__}"
    exports: dict[str, str] = getattr(module, "_EXPORTS", {})
    return f"{package}.{exports[name]}.{name}" if name in exports else f"{package}.{name}"


def _command_page() -> str:
    import typer.main

    from openlineage_facets.cli.app import app

    commands: Any = typer.main.get_command(app)
    lines = [
        "# Commands",
        "",
        "The help of each command. [Command line](../command-line.md) explains them.",
        "",
    ]
    for name, command in sorted(commands.commands.items()):
        lines += [f"## openlineage-facets {name}", "", "```text", _help(command, name).rstrip(), "```", ""]
    return "\n".join(lines)


def _help(command: Any, name: str) -> str:
    context = command.make_context(
        f"openlineage-facets {name}",
        [],
        resilient_parsing=True,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
    )
    text: str = command.get_help(context)
    return text
