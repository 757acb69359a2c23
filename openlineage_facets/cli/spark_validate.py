"""The command `spark-validate`: sift an archive of events with Spark.

It runs by itself (`openlineage-facets spark-validate`, `python -m openlineage_facets.cli.spark_validate`),
and this file is what `spark-submit` runs.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets.spark.events.sifting import Sifted

__all__ = ["main"]

_FOUND_NOTHING, _FOUND_ERRORS, _COULD_NOT_RUN, _INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: Those behind the command's name; of this process, if not given.

    Returns:
        0 where every line holds a valid event or is blank, 1 where some do not, 2 where it could not run.
    """
    options = _parser().parse_args(arguments)
    try:
        from pyspark.errors import PySparkException
    except ModuleNotFoundError:
        return _failed('Spark is not there: pip install "openlineage-facets[spark]"')
    from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]

    try:
        sifted = _sift(options)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (PySparkException, Py4JError, OSError, ValueError) as error:
        return _failed(_reason(error))
    _report(sifted)
    return _FOUND_ERRORS if sifted.quarantined else _FOUND_NOTHING


def _sift(options: argparse.Namespace) -> Sifted:
    from pyspark.sql import SparkSession

    from openlineage_facets.spark.events.folding import LineageTables
    from openlineage_facets.spark.events.sifting import sift_archive
    from openlineage_facets.spark.session import has_jvm

    running = SparkSession.getActiveSession()
    builder: Any = SparkSession.builder.appName("openlineage-facets spark-validate")
    # Events are large: fewer of them at once keep the Python workers small.
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1000)
    if options.master:
        builder = builder.master(options.master)
    for setting in options.conf:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--conf {setting}: expected NAME=VALUE")
        builder = builder.config(name, value)
    _let_workers_run_as_this_does(options.master)
    spark = builder.getOrCreate()
    if running is None and not options.verbose and has_jvm(spark):
        spark.sparkContext.setLogLevel("OFF")
    try:
        return sift_archive(
            spark,
            options.paths,
            good=options.good,
            quarantine=options.quarantine,
            state=options.state,
            into=LineageTables.load(spark, options.into) if options.into else None,
            line_numbers=options.line_numbers,
            compression=options.compression,
        )
    finally:
        if running is None:
            spark.stop()


def _let_workers_run_as_this_does(master: str | None) -> None:
    """Let workers on this machine be of this Python, which has the package, not of any `python3`."""
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if not submitted and (master is None or master.startswith("local")):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def _reason(error: BaseException) -> str:
    """Return the line of an error that says why; Spark wraps it in the story of how it came to be."""
    lines = [line.rstrip() for line in str(error).splitlines() if line.strip()]
    for why in _WHYS:
        told = [match[1] for line in lines if (match := why.search(line))]
        if told:
            return told[-1]
    return (lines or [type(error).__name__])[0]


_WHYS = (
    re.compile(r"OSError: (.*: cannot be decompressed .*)"),
    re.compile(r"(Encountered error while reading file \S+)"),
    re.compile(r"^((?:\w+\.)*\w+(?:Error|Exception): .*)"),
    re.compile(r"^Caused by: (.*)"),
    re.compile(r"^: ((?:\w+\.)*\w+(?:Error|Exception): .*)"),
)
"""Where to look for the reason, best first: our words, Spark's, a traceback's, Java's causes, its top."""


def _failed(reason: str) -> int:
    print(f"error: {reason}", file=sys.stderr)
    return _COULD_NOT_RUN


def _report(sifted: Sifted) -> None:
    rows = [
        ("lines", sifted.lines),
        ("good", sifted.good),
        ("quarantined", sifted.quarantined),
        ("blank", sifted.blank),
    ]
    for name, count in [*rows, *sifted.errors.items()]:
        print(f"{name:<12}{count:>15,}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="openlineage-facets spark-validate",
        description="Judge every line of an archive of events with Spark, and sift the good from the bad.",
        epilog="exit status: 0 no errors, 1 errors, 2 could not run",
    )
    parser.add_argument(
        "paths", nargs="+", metavar="IN", help="files, folders or globs of events, one a line"
    )
    parser.add_argument("--good", metavar="OUT", help="folder for the lines that hold a valid event")
    parser.add_argument("--quarantine", metavar="OUT", help="folder for the other lines, with what is wrong")
    parser.add_argument("--state", metavar="OUT", help="folder for the tables that the good events add up to")
    parser.add_argument("--into", metavar="STATE", help="an earlier --state folder that --state goes on from")
    parser.add_argument(
        "--line-numbers",
        action="store_true",
        help="number the lines of large files, too, which takes another pass",
    )
    parser.add_argument(
        "--compression", default="none", help="of --good and --quarantine: none (default), gzip, bzip2, ..."
    )
    parser.add_argument("--master", help="Spark master, such as local[2]; else that of the environment")
    parser.add_argument("--verbose", action="store_true", help="let Spark log, as its configuration says")
    parser.add_argument(
        "--conf", action="append", default=[], metavar="NAME=VALUE", help="a setting of Spark (repeatable)"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
