"""Reference pages: the public names of the package, and the help of every command."""

from __future__ import annotations

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
    "openlineage_facets.review": "Review",
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
    pages = {f"reference/{_file_name(name)}": _package_page(name) for name in _PACKAGES}
    return {**pages, "reference/command-line.md": _command_page().encode()}


def _file_name(package: str) -> str:
    return (package.removeprefix("openlineage_facets").strip(".").replace(".", "-") or "events") + ".md"


def _package_page(package: str) -> bytes:
    module: Any = import_module(package)
    first = (module.__doc__ or "").partition("\n")[0]
    lines = [f"# {_PACKAGES[package]}", "", f"`{package}`: {first}", ""]
    names = [name for name in module.__all__ if not name.startswith("__")]
    for name in names:
        path = _path(package, module, name)
        if path is not None:
            lines += [f"::: {path}", ""]
    return "\n".join(lines).encode()


def _path(package: str, module: Any, name: str) -> str | None:
    """Return where a public name is defined, None for a module."""
    value = getattr(module, name)
    if isinstance(value, ModuleType):
        return None
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
