"""Run a job and report its lineage: `openlineage-facets spark-run`, `python -m openlineage_facets.spark`."""

from __future__ import annotations

import argparse
import atexit
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from openlineage_facets.base.display.printable import printable
from openlineage_facets.emitters import MultiEmitter, as_emitter
from openlineage_facets.naming.naming_rules import read_naming
from openlineage_facets.spark.launch.job_arguments import LaunchError, configure_driver, split_arguments
from openlineage_facets.spark.launch.launched_run import (
    LaunchedRun,
    LaunchOptions,
    call_for_new_sessions,
    end_on_termination,
)
from openlineage_facets.spark.launch.messages import COMMAND
from openlineage_facets.spark.launch.program import (
    Program,
    hide_frames,
    module_program,
    path_program,
    print_hidden,
)
from openlineage_facets.version import install_command


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a job in this process, which ends as if Python had run the job itself.

    Args:
        arguments: Options, the job and its arguments. Defaults to `sys.argv[1:]`.
    """
    try:
        options, job_arguments = split_arguments(sys.argv[1:] if arguments is None else arguments)
        parsed = _parser().parse_args(options)
        program, job_arguments = _program(parsed.module, job_arguments)
        launch = _launch_options(parsed, program)
        configure_driver(launch.configuration)
    except LaunchError as error:
        _exit(error)
    run = LaunchedRun(launch)
    call_for_new_sessions(run.session_created)
    end_on_termination(run.end)
    try:
        program.execute(job_arguments)
    except LaunchError as error:
        _exit(error)
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "pyspark":
            _print(f"PySpark is not installed: {install_command('spark')}")
        hide_frames(error)
        _end(run, error)
        print_hidden(error)
        raise
    _end(run, None)


def _end(run: LaunchedRun, error: BaseException | None) -> None:
    if _other_threads():
        # Python waits for them before it calls this function.
        atexit.register(run.end, error)
    else:
        run.end(error)


def _exit(error: LaunchError) -> NoReturn:
    _print(str(error))
    raise SystemExit(2) from None


def _print(message: str) -> None:
    print(f"{COMMAND}: {printable(message)}", file=sys.stderr)


def _other_threads() -> bool:
    return any(
        thread is not threading.main_thread() and not thread.daemon and thread.is_alive()
        for thread in threading.enumerate()
    )


def _program(module: str | None, arguments: list[str]) -> tuple[Program, list[str]]:
    if module is not None:
        return module_program(module), arguments
    if arguments:
        return path_program(arguments[0]), arguments[1:]
    raise LaunchError("missing job to run, as in spark-run job.py or spark-run -m package.job")


def _launch_options(parsed: argparse.Namespace, program: Program) -> LaunchOptions:
    emitter = None
    with _errors_of("--emit"):
        emitters = list(map(as_emitter, parsed.emit))
        if emitters:
            emitter = emitters[0] if len(emitters) == 1 else MultiEmitter(*emitters)
    for option in ("namespace", "name"):
        if getattr(parsed, option) is not None and not getattr(parsed, option).strip():
            raise LaunchError(f"--{option}: expected a name, found an empty text")
    if parsed.backend is not None:
        from openlineage_facets.validation.backends.catalogue import profiles_of

        with _errors_of("--backend"):
            profiles_of(parsed.backend)
    if parsed.naming is not None:
        with _errors_of("--naming"):
            read_naming(parsed.naming)
    return LaunchOptions(
        program.name,
        parsed.namespace,
        parsed.name,
        emitter,
        dict(map(_setting, parsed.conf)),
        parsed.runs,
        parsed.backend,
        parsed.naming,
    )


@contextmanager
def _errors_of(option: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, ImportError) as error:
        raise LaunchError(f"{option}: {error}") from None


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise LaunchError(f"--conf {text}: expected NAME=VALUE, as in spark.executor.memory=4g")
    return name.strip(), value.strip()


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise LaunchError(f"{message}; options of the job follow its name, see --help")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=COMMAND,
        description="Run a PySpark job and report its lineage, without changing the job. A job is a script, "
        "a notebook or a folder with __main__.py. Everything after JOB or -m MODULE belongs to the job.",
        epilog="The exit code is that of the job, or 2 if it could not be started.",
        usage="%(prog)s [OPTIONS] (JOB | -m MODULE) [ARGUMENTS...]",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--namespace", metavar="NAME", help="namespace of the job (default: the configured one)"
    )
    parser.add_argument("--name", metavar="NAME", help="name of the job (default: the application's)")
    parser.add_argument(
        "--emit",
        action="append",
        default=[],
        metavar="URL|PATH",
        help="where to emit events (repeatable; default: as configured)",
    )
    parser.add_argument(
        "--runs",
        choices=("one", "per_write"),
        default="one",
        metavar="MODE",
        help="one, or per_write: a child run for each write (default: one)",
    )
    parser.add_argument(
        "--backend",
        metavar="NAMES",
        help="repair events for these backends, and log what they refuse or lose (marquez)",
    )
    parser.add_argument(
        "--naming", metavar="FILE", help="rules for the names of datasets (default: OPENLINEAGE_NAMING)"
    )
    parser.add_argument(
        "--conf", action="append", default=[], metavar="NAME=VALUE", help="Spark configuration (repeatable)"
    )
    parser.add_argument(
        "-m", dest="module", metavar="MODULE", help="run a module instead of JOB, as after python -m"
    )
    return parser
