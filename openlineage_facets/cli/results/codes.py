"""Codes of findings about files and policies, and the selection of codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.validation.code_catalogue import catalogue
from openlineage_facets.validation.rule import FindingCode

FILE_CODES = (
    FindingCode(
        "OL801",
        "File cannot be read",
        "error",
        "The operating system denies access to the file, or the file disappeared while it was read. The "
        "events before that point have been checked.\n\n"
        "Check the permissions, or exclude the file.",
    ),
    FindingCode(
        "OL802",
        "File is truncated or damaged",
        "error",
        "A compressed file ends before its last block or has an invalid checksum, or an array of events is "
        "not closed. The events before that point have been checked.\n\n"
        "Copy or write the file again. A file that is still being written has the same symptoms.",
    ),
    FindingCode(
        "OL803",
        "File is not UTF-8 text",
        "error",
        "The file is binary, or text in another encoding such as UTF-16. JSON that systems exchange must be "
        "UTF-8 (RFC 8259, section 8.1).\n\n"
        "Convert the file to UTF-8, or exclude it.",
        "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
    ),
    FindingCode(
        "OL804",
        "File starts with a byte order mark",
        "warning",
        "JSON text must not start with a byte order mark (RFC 8259, section 8.1). It was ignored here, but "
        "other parsers reject the first event.\n\n"
        "Write the file without it, for example with the encoding `utf-8` instead of `utf-8-sig`.",
        "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
    ),
    FindingCode(
        "OL805",
        "Unexpected text between events",
        "error",
        "There is something else between two events or array items: a missing or extra comma, an extra "
        "bracket, or plain text. The events around it have been checked, but other parsers reject the "
        "file.\n\n"
        "Write one event per line, or all events as one JSON array.",
        "https://www.rfc-editor.org/rfc/rfc8259#section-5",
    ),
    FindingCode(
        "OL806",
        "Event is too long",
        "error",
        "A line or a JSON value is longer than 32 MiB. The usual cause is a missing line break or quotation "
        "mark. The value was skipped, and the rest of the file has been checked.\n\n"
        "Check how the file was written or concatenated.",
    ),
)
"""Findings about a file, independent of the events in it."""


@lru_cache(maxsize=1)
def every_code() -> dict[str, FindingCode]:
    """Return all codes of a report in order, each with its description."""
    entries = {**catalogue(), **{entry.code: entry for entry in (*FILE_CODES, *POLICY_CODES)}}
    return {code: entries[code] for code in sorted(entries)}


def _code(code: str, title: str, page: str) -> FindingCode:
    return FindingCode(code, title, "error", page)


POLICY_CODES = (
    _code(
        "OL821",
        "Tagged column reaches a dataset",
        "A column with a tag such as `pii`, or one that a facet classifies, reaches a dataset that a policy "
        "`[[tag]]` protects, and no step on the way masks it. The finding contains a shortest path, column "
        "by column.\n\n"
        "Mask the column on the way, or do not select it. Report a step that masks with `masking: true`.",
    ),
    _code(
        "OL822",
        "Dataset is written by another job",
        "A policy `[[writers]]` lists the jobs or owners that write a dataset, and another job writes it.\n\n"
        "Let the job write another dataset, or add it or its owner to the policy.",
    ),
    _code(
        "OL823",
        "Output lacks owner, schema or description",
        "A policy `[[outputs]]` requires facets of datasets that jobs write: `ownership`, `schema` with "
        "types, or `documentation`.\n\n"
        "Report the facet with the dataset.",
    ),
    _code(
        "OL824",
        "Dataset without reader or writer",
        "A policy `[[used]]` requires that a job reads or writes each dataset. Without a reader, it may be "
        "unused; without a writer, its lineage ends here.\n\n"
        "Remove the dataset, or add the lineage of the jobs that use it.",
    ),
    _code(
        "OL825",
        "Cycle of datasets",
        "Datasets are computed from each other. Nothing can be computed again from its sources alone.\n\n"
        "Split one of them, so that what is read and what is written are different datasets.",
    ),
    _code(
        "OL826",
        "Too many jobs between source and product",
        "A policy `[[distance]]` limits the number of jobs in a row before a product. The finding contains "
        "the longest path.\n\n"
        "Combine jobs, or read from an earlier dataset.",
    ),
    _code(
        "OL827",
        "Dataset reads a layer that it must not read",
        "A policy `[[layers]]` says which datasets must not be computed from which others, such as raw "
        "data from curated data.\n\n"
        "Read from the layer below, or move the dataset to another layer.",
    ),
    _code(
        "OL828",
        "Dataset of another namespace is not published",
        "A job reads a dataset that only jobs of other namespaces write, and that the policy "
        "`[[published]]` does not list.\n\n"
        "Read a published dataset, or let its owner publish this one.",
    ),
    _code(
        "OL829",
        "Custom policy is violated",
        "A policy `[[custom]]`, a function of an installed package, has found something, and has no code for "
        "it. The finding says what is expected.\n\n"
        "See the documentation of the package that has the entry point named in the policy.",
    ),
)


@dataclass(frozen=True)
class CodeSelection:
    """Codes to report: the selected ones except the ignored ones.

    If both a selected and an ignored prefix match a code, the longer one wins, or the ignored one if they are
    equal.

    Args:
        select: Codes or prefixes of codes. Empty for all codes.
        ignore: Codes or prefixes of codes.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    @classmethod
    def parse(cls, select: Iterable[str], ignore: Iterable[str]) -> CodeSelection:
        """Parse option values: case-insensitive codes or prefixes, separated by commas.

        Raises:
            CommandError: A code or prefix matches no known code.
        """
        return cls(_codes(select, "select"), _codes(ignore, "ignore"))

    def selects(self, code: str) -> bool:
        """Return whether findings with this code are reported."""
        return _selects(self, code)


@lru_cache(maxsize=1024)
def _selects(selection: CodeSelection, code: str) -> bool:
    selected = _longest_match(selection.select, code) if selection.select else 0
    return selected > _longest_match(selection.ignore, code)


def _longest_match(prefixes: tuple[str, ...], code: str) -> int:
    """Return the length of the longest prefix that matches `code`, -1 for none."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def _codes(values: Iterable[str], option: str) -> tuple[str, ...]:
    codes = [code.strip().upper() for value in values for code in value.split(",") if code.strip()]
    known = every_code()
    unknown = [code for code in codes if not any(known_code.startswith(code) for known_code in known)]
    if unknown:
        raise CommandError(
            f"{option}: unknown code {', '.join(unknown)}; expected codes such as OL012 or prefixes such as "
            "OL3; `openlineage-facets explain` lists all codes, including those of installed rule packages"
        )
    return tuple(dict.fromkeys(codes))
