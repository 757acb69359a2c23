"""`openlineage-facets spark-validate`: split an archive into valid and quarantined events with Spark.

Also runs as `python -m openlineage_facets.cli.commands.spark_validate`, or with `spark-submit` and this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.options import Backend, NullIsAbsent
from openlineage_facets.cli.spark_programs import reason_of, spark_session
from openlineage_facets.cli.workflow_commands import print_safely
from openlineage_facets.version import install_command

if TYPE_CHECKING:
    from openlineage_facets.spark.archives.splitting import SplitArchive

_SUCCESS, _FOUND_ERRORS, _FAILED, _INTERRUPTED = 0, 1, 2, 130


def spark_validate(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Files, folders or globs with one event per line.")
    ],
    valid: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write lines with a valid event to this folder.")
    ] = None,
    quarantine: Annotated[
        str | None, typer.Option(metavar="DIR", help="Write all other lines and their findings here.")
    ] = None,
    state: Annotated[
        str | None, typer.Option(metavar="DIR", help="Fold the valid events and write the state here.")
    ] = None,
    previous_state: Annotated[
        str | None, typer.Option(metavar="DIR", help="Start from the state in a previous --state folder.")
    ] = None,
    state_table: Annotated[
        str | None, typer.Option(metavar="TABLE", help="Fold the valid events into this table of a catalog.")
    ] = None,
    state_format: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help="Format of a new --state-table, such as delta or iceberg."),
    ] = None,
    compact: Annotated[
        bool, typer.Option("--compact", help="Then merge all folds in --state-table into one.")
    ] = False,
    null_is_absent: NullIsAbsent = False,
    backend: Backend = None,
    line_numbers: Annotated[
        bool,
        typer.Option(
            "--line-numbers", help="Also number the lines of large files (needs an additional pass)."
        ),
    ] = False,
    compression: Annotated[
        str,
        typer.Option(
            metavar="CODEC",
            help="Compression of --valid and --quarantine.",
            autocompletion=lambda: ["none", "gzip", "bzip2", "lz4", "snappy", "deflate"],
        ),
    ] = "none",
    master: Annotated[
        str | None,
        typer.Option(metavar="MASTER", help="Spark master, such as local[2]. Default: from the environment."),
    ] = None,
    conf: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Spark configuration (repeatable).")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Keep the log output of Spark.")] = False,
) -> None:
    """Split an archive into valid and quarantined events with Spark.

    Exits with 0 if each line is blank or a valid event, with 1 if lines are invalid, and with 2 if the
    command could not run.
    """
    try:
        from pyspark.errors import PySparkException
    except ModuleNotFoundError:
        raise typer.Exit(_fail(f"PySpark is not installed: {install_command('spark')}")) from None
    from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]

    from openlineage_facets.spark.archives.splitting import split_archive
    from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables
    from openlineage_facets.spark.archives.tables.state_table import StateTable

    try:
        if state_table is None and (state_format or compact):
            raise ValueError("--state-format and --compact: expected --state-table as well; add it")
        with spark_session(
            "openlineage-facets spark-validate",
            master=master,
            conf=_configuration(conf or ()),
            verbose=verbose,
        ) as spark:
            table = None if state_table is None else StateTable(spark, state_table, format=state_format)
            split = split_archive(
                spark,
                paths,
                valid=valid,
                quarantine=quarantine,
                state=state,
                into=LineageTables.load(spark, previous_state) if previous_state else None,
                state_table=table,
                null_is_absent=null_is_absent,
                line_numbers=line_numbers,
                compression=compression,
                backends=backend or (),
            )
            if table is not None and compact:
                table.compact()
    except KeyboardInterrupt:
        raise typer.Exit(_INTERRUPTED) from None
    except (PySparkException, Py4JError, OSError, ValueError) as error:
        raise typer.Exit(_fail(reason_of(error))) from None
    _print_counts(split)
    if split.quarantined:
        raise typer.Exit(_FOUND_ERRORS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command alone.

    Args:
        arguments: Arguments after the program name. Defaults to `sys.argv[1:]`.

    Returns:
        Exit code: 0 if each line is blank or a valid event, 1 if lines are invalid, 2 if the command could
        not run, 130 if it was interrupted.
    """
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(context_settings={"help_option_names": ["-h", "--help"]})(spark_validate)
    try:
        app(
            args=None if arguments is None else list(arguments), prog_name="openlineage-facets spark-validate"
        )
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else _FAILED
    return _SUCCESS


def _configuration(settings: Sequence[str]) -> dict[str, str]:
    # Events are large. Smaller batches limit the memory of Python workers.
    conf = {"spark.sql.execution.arrow.maxRecordsPerBatch": "1000"}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"--conf {setting}: expected NAME=VALUE")
        conf[name] = value
    return conf


def _fail(reason: str) -> int:
    print_safely(f"error: {reason}")
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


if __name__ == "__main__":
    raise SystemExit(main())
