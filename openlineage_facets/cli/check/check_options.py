"""Options of a check, from the command line and the project settings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.config import Config
from openlineage_facets.cli.formats import Format
from openlineage_facets.cli.options import checked_base
from openlineage_facets.cli.results.codes import CodeSelection


@dataclass(frozen=True)
class CheckOptions:
    """Options of a check.

    Args:
        paths: Files, folders and patterns to check.
        selection: Codes to report.
        report_format: Report format.
        output: File for the report, None for standard output.
        force: Whether to replace output files whatever they contain.
        strict: Whether to treat warnings as errors.
        jobs: Number of worker processes.
        schemas: Folders of additional JSON Schemas.
        id_base: URL of these folders, for schemas without `$id`.
        baseline: File of known findings, or None.
        write_baseline: File to write all findings to, or None.
        null_is_absent: Whether to read fields that are null as absent.
        backends: Names of the backends that receive the events, or paths of profiles.
        max_findings: Number of findings to print as text; 0 for all, None for the default.
        statistics: Whether to print only groups of findings.
        quiet: Whether to omit the summary.
    """

    paths: tuple[str, ...]
    selection: CodeSelection
    report_format: Format = Format.TEXT
    output: Path | None = None
    force: bool = False
    strict: bool = False
    jobs: int = 1
    schemas: tuple[str, ...] = ()
    id_base: str | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    null_is_absent: bool = False
    backends: tuple[str, ...] = ()
    max_findings: int | None = None
    statistics: bool = False
    quiet: bool = False

    @classmethod
    def resolve(
        cls,
        config: Config,
        *,
        paths: Sequence[str] | None,
        select: Sequence[str] | None,
        ignore: Sequence[str] | None,
        report_format: Format,
        output: Path | None,
        force: bool,
        strict: bool | None,
        jobs: int | None,
        schemas: Sequence[str] | None,
        id_base: str | None,
        baseline: Path | None,
        write_baseline: Path | None,
        null_is_absent: bool | None,
        backends: Sequence[str] | None,
        max_findings: int | None,
        statistics: bool,
        quiet: bool,
    ) -> CheckOptions:
        """Combine command-line options with the project settings, which are the defaults.

        Raises:
            CommandError: There are no paths to check, an output file cannot be written, or `id_base` is not
                the URL of a folder.
        """
        paths = tuple(paths or config.paths)
        if not paths:
            raise CommandError("missing path to check, such as lineage.ndjson, a folder or -")
        if write_baseline is not None and output is not None and _is_same_file(output, write_baseline):
            found = f"found {write_baseline}; choose another name"
            raise CommandError(f"--write-baseline: expected another file than --output, {found}")
        if report_format is not Format.TEXT and (statistics or max_findings is not None):
            option = "--statistics" if statistics else "--max-findings"
            raise CommandError(
                f"{option}: expected --format text, found --format {report_format.value}; remove one of them"
            )
        if baseline is None and config.baseline is not None:
            baseline = Path(config.baseline)
        jobs = config.jobs if jobs is None else jobs
        return cls(
            paths=paths,
            selection=CodeSelection.parse(select or config.select, ignore or config.ignore),
            report_format=report_format,
            output=output,
            force=force,
            strict=config.strict if strict is None else strict,
            jobs=jobs or os.cpu_count() or 1,
            schemas=tuple(schemas or config.schemas),
            id_base=checked_base(id_base or config.id_base),
            baseline=None if write_baseline else baseline,
            write_baseline=write_baseline,
            null_is_absent=config.null_is_absent if null_is_absent is None else null_is_absent,
            backends=tuple(backends or config.backends),
            max_findings=max_findings,
            statistics=statistics,
            quiet=quiet,
        )


def _is_same_file(one: Path, other: Path) -> bool:
    """Return whether two output files are one. A device may receive both."""
    return os.path.realpath(one) == os.path.realpath(other) and (one.is_file() or not one.exists())
