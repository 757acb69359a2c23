"""What a check is to do, from the command line and the project's settings together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openlineage_facets.cli.config import Config
from openlineage_facets.cli.failure import CommandError
from openlineage_facets.cli.formats import Format
from openlineage_facets.cli.selection import Selection

__all__ = ["Options"]


@dataclass(frozen=True)
class Options:
    """What a check is to do.

    Args:
        paths: What to check.
        selection: Which codes to report.
        form: In which form.
        output: The file to write the report to, None for standard output.
        strict: Whether warnings are errors.
        jobs: Processes to check in.
        schemas: Folders of JSON Schemas to judge by.
        baseline: The file of known findings, None for none.
        write_baseline: The file to write all findings to, None for none.
        quiet: Whether to leave out the summary.
    """

    paths: tuple[str, ...]
    selection: Selection
    form: Format = Format.TEXT
    output: Path | None = None
    strict: bool = False
    jobs: int = 1
    schemas: tuple[str, ...] = ()
    baseline: Path | None = None
    write_baseline: Path | None = None
    quiet: bool = False

    @classmethod
    def of(
        cls,
        config: Config,
        *,
        paths: Sequence[str] | None,
        select: Sequence[str] | None,
        ignore: Sequence[str] | None,
        form: Format,
        output: Path | None,
        strict: bool | None,
        jobs: int | None,
        schemas: Sequence[str] | None,
        baseline: Path | None,
        write_baseline: Path | None,
        quiet: bool,
    ) -> Options:
        """Resolve what the command line says, and where it says nothing, what the project does.

        Raises:
            CommandError: There is nothing to check, or nowhere to write to.
        """
        paths = tuple(paths or config.paths)
        if not paths:
            raise CommandError("expected a path to check, such as lineage.ndjson, a folder, or -; found none")
        for file in (output, write_baseline):
            if file is not None and not file.absolute().parent.is_dir():
                raise CommandError(f"{file}: there is no such folder to write to")
            if file is not None and file.is_dir():
                raise CommandError(f"{file}: expected a file to write to, found a folder")
        if baseline is None and config.baseline is not None:
            baseline = Path(config.baseline)
        jobs = config.jobs if jobs is None else jobs
        return cls(
            paths=paths,
            selection=Selection.of(select or config.select, ignore or config.ignore),
            form=form,
            output=output,
            strict=config.strict if strict is None else strict,
            jobs=jobs or os.cpu_count() or 1,
            schemas=tuple(schemas or config.schemas),
            baseline=None if write_baseline else baseline,
            write_baseline=write_baseline,
            quiet=quiet,
        )
