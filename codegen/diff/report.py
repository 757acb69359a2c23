"""Write differences as text, Markdown, JSON, or annotations of GitHub Actions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from ..errors import one_line
from .change import Change, Diff, DocumentDiff

_TITLE_WIDTH = 50


def text_report(diff: Diff) -> str:
    """Return the differences as text, one line for a single change."""
    return "".join(f"{one_line(line)}\n" for line in _text_lines(diff))


def _text_lines(diff: Diff) -> Iterator[str]:
    for document in diff.documents:
        effects = _effects(document)
        if document.state == "new":
            yield f"+ {document.title:<{_TITLE_WIDTH - 2}} new, {document.changes[0].text}"
        elif document.state == "removed":
            yield f"BREAKING {document.title:<{_TITLE_WIDTH - 9}} removed, {document.changes[0].text}"
        elif len(document.changes) == 1 and not (document.is_breaking or document.breaks or effects):
            (change,) = document.changes
            yield f"{change.kind:<8} {document.title:<{_TITLE_WIDTH - 9}} {change.text}"
            continue
        else:
            yield f"{'BREAKING' if document.is_breaking else 'changed '} {document.title}"
            for change in document.changes:
                yield f"    {change.kind:<8} {change.text}"
        if document.breaks and document.state == "changed":
            yield f"    breaks   {', '.join(document.breaks)}"
        if document.version_problem:
            yield f"    version  {document.version_problem}"
        yield from (f"    python   {effect}" for effect in effects)
    yield _summary(diff)


def _effects(document: DocumentDiff) -> list[str]:
    return list(dict.fromkeys(change.effect for change in document.changes if change.effect))


def _summary(diff: Diff) -> str:
    if not diff.documents:
        return f"no differences in {_count(diff.unchanged, 'schema')}"
    breaking = sum(document.is_breaking for document in diff.documents)
    new = sum(document.state == "new" for document in diff.documents)
    other = len(diff.documents) - breaking - new
    return f"{breaking} breaking, {new} new, {other} other; {_count(diff.unchanged, 'schema')} unchanged"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def markdown_report(diff: Diff) -> str:
    """Return the differences as a Markdown table, for release notes and comments on pull requests."""
    lines = []
    if diff.documents:
        lines += ["| schema | version | change | breaking | Python |", "| --- | --- | --- | --- | --- |"]
    for document in diff.documents:
        versions = " → ".join(dict.fromkeys(version for version in (document.old, document.new) if version))
        changes: list[tuple[str, str, str]] = [
            (f"{change.kind} {_code(change.text)}", _breaking(change), change.effect)
            for change in document.changes
        ]
        if document.version_problem:
            changes.append((f"version: {document.version_problem}", "yes", ""))
        for number, (text, breaking, effect) in enumerate(changes):
            first = [document.name, versions] if number == 0 else ["", ""]
            cells = [*first, text, breaking, _code(effect) if effect else ""]
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    if lines:
        lines.append("")
    return "".join(f"{one_line(line)}\n" for line in [*lines, _summary(diff)])


def _breaking(change: Change) -> str:
    """Return whether a change is breaking, and for whom."""
    return ": ".join(
        [*(["yes"] if change.is_breaking else []), *([", ".join(change.breaks)] if change.breaks else [])]
    )


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def json_report(diff: Diff) -> str:
    """Return the differences as one JSON object."""
    documents = [
        {
            "name": document.name,
            "file": document.file,
            "old": document.old or None,
            "new": document.new or None,
            "state": document.state,
            "breaking": document.is_breaking,
            "versionProblem": document.version_problem or None,
            "line": document.line,
            "changes": [_change(change) for change in document.changes],
        }
        for document in diff.documents
    ]
    report = {"breaking": diff.is_breaking, "unchanged": diff.unchanged, "documents": documents}
    return json.dumps(report, indent=2) + "\n"


def _change(change: Change) -> dict[str, object]:
    return {
        "kind": change.kind,
        "text": change.text,
        "step": change.step.name,
        "breaking": change.is_breaking,
        "breaks": list(change.breaks),
        "python": change.effect or None,
    }


def github_report(diff: Diff) -> str:
    """Return the differences as workflow commands, which GitHub shows in the files of a pull request."""
    lines = []
    for document in diff.documents:
        level = "error" if document.is_breaking else "notice"
        parts = [f"{change.kind} {change.text}" for change in document.changes]
        parts += [document.version_problem] if document.version_problem else []
        parts += [f"python {effect}" for effect in _effects(document)]
        message = _escaped("; ".join([document.title, *parts]))
        file = _escaped(document.file).replace(":", "%3A").replace(",", "%2C")
        line = "" if document.line is None else f",line={document.line}"
        place = "" if document.state == "removed" else f" file={file}{line}"  # The checkout has no such file.
        lines.append(f"::{level}{place}::{message}")
    return "".join(f"{line}\n" for line in [*lines, _summary(diff)])


def _escaped(text: str) -> str:
    return one_line(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


REPORTS: Mapping[str, Callable[[Diff], str]] = {
    "text": text_report,
    "markdown": markdown_report,
    "json": json_report,
    "github": github_report,
}
"""The formats by name."""
