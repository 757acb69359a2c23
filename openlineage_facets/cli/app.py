"""The command `openlineage-facets`: its subcommands, and how it ends.

A subcommand is a function in a module of its own, and a line in `_COMMANDS`; one that reads its arguments
itself, with a `main` that takes them and returns what to exit with, is a line in `_PROGRAMS`. What it needs
beyond typer it imports when it runs, so that the others start without it.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from openlineage_facets.cli.completion import COMPLETING, completion
from openlineage_facets.cli.explain import explain
from openlineage_facets.cli.failure import CommandError
from openlineage_facets.cli.replay import replay
from openlineage_facets.cli.show import show
from openlineage_facets.cli.validate import validate
from openlineage_facets.version import __version__

__all__ = ["app", "run"]

_COMMANDS: tuple[Callable[..., Any], ...] = (
    validate,
    show,
    explain,
    replay,
    completion,
)

_PROGRAMS = {
    "spark-validate": ("openlineage_facets.cli.spark_validate", "Sift an archive of events with Spark."),
}

app = typer.Typer(
    name="openlineage-facets",
    add_completion=COMPLETING in os.environ,  # Beside our command for it, its options would be a second way.
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Help that needs no rich appears at once.
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in _COMMANDS:
    app.command(_command.__name__.replace("_", "-"))(_command)


def _program(module: str) -> Callable[[typer.Context], None]:
    def passed_on(context: typer.Context) -> None:
        raise typer.Exit(import_module(module).main(context.args))

    return passed_on


_AS_THEY_ARE = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
for _name, (_module, _help) in _PROGRAMS.items():
    app.command(_name, help=_help, add_help_option=False, context_settings=_AS_THEY_ARE)(_program(_module))


def _version(wanted: bool) -> None:
    if wanted:
        print(f"openlineage-facets {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Judge and read OpenLineage events."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: What stands behind its name; that of this process if left out.

    Returns:
        What to exit with: 0, 1 for events with errors, 2 where it could not run, 130 where it was
        interrupted.
    """
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # A file's name may be no text.
    try:
        code = _run(arguments)
        sys.stdout.flush()  # A disk may be full; what is told of it after the end is nobody's to catch.
        return code
    except BrokenPipeError:  # Whoever reads has enough.
        _drop_output()
        return 1
    except OSError as error:  # Of files, those tell that read and write them.
        _drop_output()
        reason = (error.strerror or str(error)).lower()
        print(f"openlineage-facets: standard output: cannot be written: {reason}", file=sys.stderr)
        return 2


def _run(arguments: Sequence[str] | None) -> int:
    try:
        app(args=None if arguments is None else list(arguments), prog_name="openlineage-facets")
    except CommandError as error:
        print(f"openlineage-facets: {error}".replace("\n", "\nopenlineage-facets: "), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0 if error.code is None else 2
    return 0


def _open_what_is_closed() -> None:
    """Let what goes to a closed stream go nowhere, and no file that is opened take its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nowhere)


def _drop_output() -> None:
    """Send what is still to be flushed nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
