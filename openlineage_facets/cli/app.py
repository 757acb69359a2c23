"""Typer application: subcommands, exit codes and standard streams."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.commands.backends import backends
from openlineage_facets.cli.commands.check import check
from openlineage_facets.cli.commands.compare import compare
from openlineage_facets.cli.commands.diff import diff
from openlineage_facets.cli.commands.explain import explain
from openlineage_facets.cli.commands.generate import generate
from openlineage_facets.cli.commands.graph import graph
from openlineage_facets.cli.commands.lock import lock
from openlineage_facets.cli.commands.names import names
from openlineage_facets.cli.commands.new import new
from openlineage_facets.cli.commands.replay import replay
from openlineage_facets.cli.commands.schema import schema
from openlineage_facets.cli.commands.show import show
from openlineage_facets.cli.commands.spark_run import SparkRunCommand, spark_run
from openlineage_facets.cli.commands.spark_validate import spark_validate
from openlineage_facets.cli.commands.validate import validate
from openlineage_facets.cli.workflow_commands import print_message
from openlineage_facets.version import __version__

_COMMANDS: tuple[Callable[..., Any], ...] = (
    validate,
    show,
    graph,
    lock,
    compare,
    names,
    check,
    explain,
    backends,
    replay,
    new,
    generate,
    schema,
    diff,
    spark_validate,
)
"""Subcommands, each in its own module. They import what they need when called, so that others start fast."""

app = typer.Typer(
    name="openlineage-facets",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Rendering help with rich would slow down --help.
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in _COMMANDS:
    app.command(_command.__name__.replace("_", "-"))(_command)
app.command("spark-run", cls=SparkRunCommand)(spark_run)


def _print_version(requested: bool) -> None:
    if requested:
        print(f"openlineage-facets {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Validate, show and deliver OpenLineage events."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Arguments after the program name. Defaults to `sys.argv[1:]`.

    Returns:
        Exit code: 0 on success, 1 if an event or a file has an error, 2 if the command could not run, 130 if
        it was interrupted.
    """
    _replace_closed_streams()
    codecs.register_error("openlineage-facets", _escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="openlineage-facets")  # File names may contain undecodable bytes.
    try:
        code = _run(arguments)
        sys.stdout.flush()  # Report a full disk here; errors at interpreter shutdown cannot be caught.
        return code
    except BrokenPipeError:  # The reader has closed the pipe, such as `head`.
        _discard_output()
        return 1
    except OSError as error:  # Commands handle errors of the files they read and write.
        _discard_output()
        what = f"{error.filename}:" if error.filename else "cannot write to standard output:"
        print_message(f"{what} {(error.strerror or str(error)).lower()}")
        return 2


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Return what a stream writes in place of characters that it cannot encode, which is valid in JSON."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _run(arguments: Sequence[str] | None) -> int:
    try:
        app(args=None if arguments is None else list(arguments), prog_name="openlineage-facets")
    except CommandError as error:
        for line in str(error).split("\n"):
            print_message(line)
        return error.exit_code
    except ModuleNotFoundError as error:
        if "pip install" not in str(error):
            raise
        print(f"openlineage-facets: {error}", file=sys.stderr)  # A package of an extra is missing.
        return 2
    except KeyboardInterrupt:
        return 130
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0 if error.code is None else 2
    return 0


def _replace_closed_streams() -> None:
    """Replace closed standard streams by the null device, so that no opened file gets their descriptor."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            null = open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, null)


def _discard_output() -> None:
    """Discard what is still in the buffer of standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
