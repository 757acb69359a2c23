"""`openlineage-facets spark-run`: run a PySpark job and report its lineage."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from openlineage_facets.cli.options import complete_backends
from openlineage_facets.spark.launch.job_arguments import split_arguments


class SparkRunCommand(TyperCommand):
    """A command whose options end at the job, or after `-m MODULE`: the rest belongs to the job."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options, and pass on the arguments of the job unchanged."""
        options, job = split_arguments(args)
        return super().parse_args(ctx, [*options, "--", *job] if job else options)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line."""
        return ["[OPTIONS]", "(JOB | -m MODULE)", "[ARGUMENTS...]"]


def spark_run(
    job: Annotated[
        str | None, typer.Argument(metavar="JOB", help="Script, notebook, or folder with __main__.py.")
    ] = None,
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGUMENTS...]", help="Arguments of the job.")
    ] = None,
    namespace: Annotated[
        str | None, typer.Option(metavar="NAME", help="Namespace of the job. Default: the configured one.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the job. Default: the application's.")
    ] = None,
    emit: Annotated[
        list[str] | None,
        typer.Option(metavar="URL|PATH", help="Where to emit events (repeatable). Default: as configured."),
    ] = None,
    conf: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Spark configuration (repeatable).")
    ] = None,
    runs: Annotated[
        str | None,
        typer.Option(metavar="MODE", help="one, or per_write: a child run for each write. Default: one."),
    ] = None,
    backend: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Repair events for these backends, and log what they refuse or lose (marquez).",
            autocompletion=complete_backends,
        ),
    ] = None,
    naming: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Rules for the names of datasets. Default: OPENLINEAGE_NAMING."),
    ] = None,
    module: Annotated[
        str | None,
        typer.Option("-m", metavar="MODULE", help="Run a module instead of JOB, as after python -m."),
    ] = None,
) -> None:
    """Run a PySpark job and report its lineage, without changing the job.

    Everything after JOB or -m MODULE belongs to the job. The exit code is that of the job, or 2 if it could
    not be started.
    """
    options = {"namespace": namespace, "name": name, "runs": runs, "backend": backend, "naming": naming}
    own = [f"--{option}={value}" for option, value in options.items() if value is not None]
    own += [f"--emit={destination}" for destination in emit or ()]
    own += [f"--conf={setting}" for setting in conf or ()]
    program = () if module is None else ("-m", module)
    _replace_process([*own, *program, *(() if job is None else (job,)), *(arguments or ())])


def _replace_process(arguments: Iterable[str]) -> None:
    """Replace this process by one that runs the job, in which nothing but the job has happened.

    It parses its arguments without typer, since it has to run wherever only the extra `spark` is installed.
    """
    command = [sys.executable, "-m", "openlineage_facets.spark", *arguments]
    sys.stdout.flush()
    if os.name == "nt":  # There, exec ends the process before its replacement.
        raise SystemExit(subprocess.call(command))
    os.execv(sys.executable, command)
