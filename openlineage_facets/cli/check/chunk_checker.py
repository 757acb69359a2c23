"""Check chunks of events, in this process or in a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.errors.json_pointer import redacted_pointer
from openlineage_facets.base.redaction.redact import redact_repeated
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.results.codes import CodeSelection
from openlineage_facets.cli.results.finding_groups import ShownFindings
from openlineage_facets.cli.results.finding_location import (
    beginning_of_text,
    job_and_dataset,
    snippet_at,
    snippet_of_text,
)
from openlineage_facets.cli.results.summary import ChunkResult, ReportedFinding
from openlineage_facets.event_files.chunks import Chunk, FileProblem, Range, Values, lines_of, unreadable_file
from openlineage_facets.validation.event_document import Facet
from openlineage_facets.validation.event_validation import validate_document
from openlineage_facets.validation.run_event_summary import RunEventSummary
from openlineage_facets.validation.standard_facets import ENTITY_OF_CONTAINER, is_custom, is_typed

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.profile import Profile
    from openlineage_facets.validation.schemas.schema_set import SchemaSet


def load_schemas(folders: Sequence[str], id_base: str | None) -> SchemaSet | None:
    """Return the schemas in `folders`, None if there are no folders.

    Args:
        folders: Folders, or single files.
        id_base: URL of the folders, for schemas without `$id`.

    Raises:
        CommandError: A file is not a valid schema, or references a schema that is missing.
    """
    if not folders:
        return None
    from openlineage_facets.validation.schemas.schema_files import SchemaSetError
    from openlineage_facets.validation.schemas.schema_set import SchemaSet

    try:
        return SchemaSet.load(folders, id_base=id_base)
    except (SchemaSetError, ImportError) as error:
        raise CommandError(str(error)) from None


def load_profiles(backends: Sequence[str]) -> tuple[Profile, ...]:
    """Return the profiles of backends.

    Args:
        backends: Names, also separated by commas, or paths of profiles.

    Raises:
        CommandError: A backend is unknown, or its profile is invalid.
    """
    if not backends:
        return ()
    from openlineage_facets.validation.backends.catalogue import profiles_of
    from openlineage_facets.validation.backends.profile import BackendError

    try:
        return profiles_of(backends)
    except BackendError as error:
        raise CommandError(str(error)) from None


@dataclass(frozen=True)
class CheckSettings:
    """Settings of a `ChunkChecker`, which can be sent to a worker process.

    Args:
        selection: Codes to report.
        snippets: Whether findings include a snippet of the event.
        most_snippets: The number of findings that are shown; those that are not shown because there are
            similar ones before need no snippet. 0 for all findings.
        schemas: Folders of additional JSON Schemas.
        id_base: URL of these folders, for schemas without `$id`.
        null_is_absent: Whether to read fields that are null as absent.
        backends: Names of the backends that receive the events, or paths of profiles.
    """

    selection: CodeSelection
    snippets: bool = False
    most_snippets: int = 0
    schemas: tuple[str, ...] = ()
    id_base: str | None = None
    null_is_absent: bool = False
    backends: tuple[str, ...] = ()


class ChunkChecker:
    """Check chunks one after the other.

    Args:
        settings: How to check.

    Raises:
        CommandError: The additional schemas are invalid, or a backend is unknown.
    """

    def __init__(self, settings: CheckSettings) -> None:
        self._selects = settings.selection.selects
        self._snippets = settings.snippets
        self._shown = ShownFindings(settings.most_snippets)
        self._null_is_absent = settings.null_is_absent
        self._schemas = load_schemas(settings.schemas, settings.id_base)
        self._backends = load_profiles(settings.backends)

    def check(self, chunk: Chunk) -> ChunkResult:
        """Return the findings and counts of a chunk."""
        result = ChunkResult()
        if isinstance(chunk, FileProblem):
            self._add_problem(result, chunk)
        elif isinstance(chunk, Values):
            for line, text in chunk.values:
                self._check_event(result, line, text)
        else:
            try:
                for line_or_problem in lines_of(chunk):
                    self._check_line(result, line_or_problem)
            except OSError as error:
                path = chunk.path if isinstance(chunk, Range) else None
                self._add_problem(result, unreadable_file(error, path))
        return result

    def _check_line(self, result: ChunkResult, line: bytes | FileProblem) -> None:
        if isinstance(line, FileProblem):
            self._add_problem(result, line)
            return
        result.lines += 1
        text = line.strip()
        if text:
            self._check_event(result, result.lines, text)

    def _check_event(self, result: ChunkResult, line: int, text: bytes) -> None:
        result.events += 1
        validated = validate_document(
            text, schemas=self._schemas, null_is_absent=self._null_is_absent, backends=self._backends
        )
        document = validated.document
        if document is None:
            result.kinds["unreadable"] += 1
            for finding in validated.findings:
                self._add(result, finding, line, "", partial(snippet_of_text, text))
            return
        result.kinds[document.kind or "unreadable"] += 1
        for facet in document.facets:
            if is_custom(facet.label) and not self._is_checked(facet):
                result.custom[ENTITY_OF_CONTAINER[facet.container], redact_repeated(facet.key)] += 1
        run_event = RunEventSummary.of(document)
        if run_event is not None:
            result.run_events.append((line, result.events, run_event))
        for finding in validated.findings:
            if not self._selects(finding.code):
                continue  # Names take longer than finding it.
            about = job_and_dataset(document.value, finding.pointer)
            self._add(result, finding, line, about, partial(snippet_at, document.raw, finding.pointer))

    def _is_checked(self, facet: Facet) -> bool:
        """Return whether a custom facet has a schema."""
        is_covered = self._schemas is not None and self._schemas.covers(facet)
        return is_covered or is_typed(facet.label)

    def _add(
        self, result: ChunkResult, finding: Finding, line: int, about: str, snippet: Callable[[], str]
    ) -> None:
        if not self._selects(finding.code):
            return
        pointer = redacted_pointer(finding.pointer)
        redacted = finding if pointer == finding.pointer else replace(finding, pointer=pointer)
        reported = ReportedFinding(redacted, line + (finding.line or 1) - 1, result.events, about)
        # Without a job, the group of a finding depends on the file, which is unknown here.
        if self._snippets and (not about or self._shown.shows("", reported)):
            reported = replace(reported, snippet=snippet())
        result.findings.append(reported)

    def _add_problem(self, result: ChunkResult, problem: FileProblem) -> None:
        line = None if problem.line is None else result.lines + problem.line
        result.lines += problem.lines
        if self._selects(problem.finding.code):
            snippet = beginning_of_text(problem.text) if problem.text and self._snippets else ""
            result.findings.append(ReportedFinding(problem.finding, line, None, "", snippet))
