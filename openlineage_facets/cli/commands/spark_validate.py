"""`openlineage-facets spark-validate`: split an archive into valid and quarantined events with Spark.

Also runs as `python -m openlineage_facets.cli.commands.spark_validate`, or with `spark-submit` and this file.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.printable import printable
from openlineage_facets.cli.workflow_commands import escape_commands

if TYPE_CHECKING:
    from openlineage_facets.spark.archives.splitting import SplitArchive

__all__ = ["main"]

_SUCCESS, _FOUND_ERRORS, _FAILED, _INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: Arguments after the program name. Defaults to `sys.argv[1:]`.

    Returns:
        Exit code: 0 if each line is blank or a valid event, 1 if lines are invalid, 2 if the command could
        not run, 130 if it was interrupted.
    """
    options = _parser().parse_args(arguments)
    try:
        from pyspark.errors import PySparkException
    except ModuleNotFoundError:
        return _fail('PySpark is not installed: pip install "openlineage-facets[spark]"')
    from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]

    try:
        split = _split(options)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (PySparkException, Py4JError, OSError, ValueError) as error:
        return _fail(_reason(error))
    _print_counts(split)
    return _FOUND_ERRORS if split.quarantined else _SUCCESS


def _split(options: argparse.Namespace) -> SplitArchive:
    from pyspark.sql import SparkSession

    from openlineage_facets.spark.archives.fold import LineageTables
    from openlineage_facets.spark.archives.splitting import split_archive
    from openlineage_facets.spark.jvm.session import has_jvm

    running = SparkSession.getActiveSession()
    builder: Any = SparkSession.builder.appName("openlineage-facets spark-validate")
    # Events are large. Smaller batches limit the memory of Python workers.
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1000)
    if options.master:
        builder = builder.master(options.master)
    for setting in options.conf:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--conf {setting}: expected NAME=VALUE")
        builder = builder.config(name, value)
    _use_this_python_for_workers(options.master)
    spark = builder.getOrCreate()
    if running is None and not options.verbose and has_jvm(spark):
        spark.sparkContext.setLogLevel("OFF")
    try:
        return split_archive(
            spark,
            options.paths,
            valid=options.valid,
            quarantine=options.quarantine,
            state=options.state,
            into=LineageTables.load(spark, options.previous_state) if options.previous_state else None,
            line_numbers=options.line_numbers,
            null_is_absent=options.null_is_absent,
            compression=options.compression,
        )
    finally:
        if running is None:
            spark.stop()


def _use_this_python_for_workers(master: str | None) -> None:
    """Run local workers with this interpreter, since the package may be missing for the default `python3`."""
    is_submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if not is_submitted and (master is None or master.startswith("local")):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def _reason(error: BaseException) -> str:
    """Return the line of an error that contains its cause. Spark adds many lines around it."""
    from openlineage_facets.spark.worker_python import explain_worker_error

    explanation = explain_worker_error(error)
    if explanation is not None:
        return explanation
    lines = [line.rstrip() for line in str(error).splitlines() if line.strip()]
    for pattern in _CAUSES:
        causes = [match[1] for line in lines if (match := pattern.search(line))]
        if causes:
            return causes[-1]
    return (lines or [type(error).__name__])[0]


_CAUSES = (
    re.compile(r"OSError: (.*: cannot be decompressed: .*)"),
    re.compile(r"(Encountered error while reading file \S+)"),
    re.compile(r"^((?:\w+\.)*\w+(?:Error|Exception): .*)"),
    re.compile(r"^Caused by: (.*)"),
    re.compile(r"^: ((?:\w+\.)*\w+(?:Error|Exception): .*)"),
)
"""Patterns of the cause, most specific first: our errors, Spark's, Python's, causes and errors of Java."""


def _fail(reason: str) -> int:
    print(escape_commands(f"error: {printable(reason)}"), file=sys.stderr)
    return _FAILED


def _print_counts(split: SplitArchive) -> None:
    counts = [
        ("lines", split.lines),
        ("valid", split.valid),
        ("quarantined", split.quarantined),
        ("blank", split.blank),
    ]
    for name, count in [*counts, *split.errors.items()]:
        print(f"{name:<12}{count:>15,}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="openlineage-facets spark-validate",
        description="Split an archive into valid and quarantined events with Spark.",
        epilog="exit codes: 0 no errors, 1 errors, 2 could not run",
    )
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="files, folders or globs with one event per line"
    )
    parser.add_argument("--valid", metavar="DIR", help="write lines with a valid event to this folder")
    parser.add_argument("--quarantine", metavar="DIR", help="write all other lines and their findings here")
    parser.add_argument("--state", metavar="DIR", help="fold the valid events and write the state here")
    parser.add_argument(
        "--previous-state", metavar="DIR", help="start from the state in a previous --state folder"
    )
    parser.add_argument(
        "--line-numbers",
        action="store_true",
        help="also number the lines of large files (needs an additional pass)",
    )
    parser.add_argument(
        "--null-is-absent", action="store_true", help="read fields that are null as absent, as Marquez writes"
    )
    parser.add_argument(
        "--compression",
        default="none",
        help="compression of --valid and --quarantine: none (default), gzip, bzip2, ...",
    )
    parser.add_argument("--master", help="Spark master, such as local[2] (default: from the environment)")
    parser.add_argument("--verbose", action="store_true", help="keep the log output of Spark")
    parser.add_argument(
        "--conf", action="append", default=[], metavar="NAME=VALUE", help="Spark configuration (repeatable)"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
