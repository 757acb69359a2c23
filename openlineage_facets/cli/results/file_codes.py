"""Codes of findings about files and policies, in addition to those about events."""

from __future__ import annotations

from functools import lru_cache

from openlineage_facets.cli.results.policy_codes import POLICY_CODES
from openlineage_facets.validation.code_catalogue import catalogue
from openlineage_facets.validation.finding_code import FindingCode

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
