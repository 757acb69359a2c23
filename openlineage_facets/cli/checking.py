"""Checks chunks of events, wherever that is done: here, or in a process of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from openlineage_facets.base.credentials import without_secrets
from openlineage_facets.base.errors import Finding
from openlineage_facets.cli.about import about_place, tellable_place
from openlineage_facets.cli.chunks import Chunk, Problem, Range, Values, unreadable
from openlineage_facets.cli.given_schemas import schemas_in
from openlineage_facets.cli.lines import lines_of
from openlineage_facets.cli.results import ChunkResult, Judged
from openlineage_facets.cli.selection import Selection
from openlineage_facets.cli.snippet import beginning_of_text, snippet_at, snippet_of_text
from openlineage_facets.validation.judgement import judge
from openlineage_facets.validation.known_facets import ENTITIES, entries_at
from openlineage_facets.validation.stream import Moment

__all__ = ["Checker", "Checking"]


@dataclass(frozen=True)
class Checking:
    """How to check.

    Args:
        selection: Which codes count.
        snippets: Whether a finding shows what stands at its place.
        schemas: Folders of JSON Schemas to judge by.
    """

    selection: Selection
    snippets: bool = False
    schemas: tuple[str, ...] = ()


class Checker:
    """Checks chunks one after the other.

    Args:
        checking: How.

    Raises:
        CommandError: The schemas to judge by are not in order.
    """

    def __init__(self, checking: Checking) -> None:
        self._selects = checking.selection.selects
        self._snippets = checking.snippets
        self._schemas = schemas_in(checking.schemas)

    def check(self, chunk: Chunk) -> ChunkResult:
        """Return what a chunk holds, and what is wrong with it."""
        result = ChunkResult()
        if isinstance(chunk, Problem):
            self._add_problem(result, chunk)
        elif isinstance(chunk, Values):
            for line, text in chunk.values:
                self._check_event(result, line, text)
        else:
            try:
                for text_or_problem in lines_of(chunk):
                    self._check_line(result, text_or_problem)
            except OSError as error:
                self._add_problem(result, unreadable(error, chunk.path if isinstance(chunk, Range) else None))
        return result

    def _check_line(self, result: ChunkResult, line: bytes | Problem) -> None:
        if isinstance(line, Problem):
            self._add_problem(result, line)
            return
        result.lines += 1
        text = line.strip()
        if text:
            self._check_event(result, result.lines, text)

    def _check_event(self, result: ChunkResult, line: int, text: bytes) -> None:
        result.events += 1
        judged = judge(text, schemas=self._schemas)
        document = judged.document
        if document is None:
            result.kinds["unreadable"] += 1
            for finding in judged.findings:
                self._add(result, finding, line, "", snippet_of_text(text) if self._snippets else "")
            return
        result.kinds[document.kind or "unreadable"] += 1
        for facet in document.facets:
            if not entries_at(facet.label) and not (self._schemas and self._schemas.judges(facet)):
                result.custom[ENTITIES[facet.container], without_secrets(facet.key)] += 1
        moment = Moment.of(document)
        if moment is not None:
            result.moments.append((line, result.events, moment))
        for finding in judged.findings:
            snippet = snippet_at(document.raw, finding.pointer) if self._snippets else ""
            self._add(result, finding, line, about_place(document.value, finding.pointer), snippet)

    def _add(self, result: ChunkResult, finding: Finding, line: int, about: str, snippet: str) -> None:
        if self._selects(finding.code):
            at = line + (finding.line or 1) - 1
            told = replace(finding, pointer=tellable_place(finding.pointer))
            result.findings.append(Judged(told, at, result.events, about, snippet))

    def _add_problem(self, result: ChunkResult, problem: Problem) -> None:
        line = None if problem.line is None else result.lines + problem.line
        result.lines += problem.lines
        if self._selects(problem.finding.code):
            snippet = beginning_of_text(problem.text) if problem.text and self._snippets else ""
            result.findings.append(Judged(problem.finding, line, None, "", snippet))
