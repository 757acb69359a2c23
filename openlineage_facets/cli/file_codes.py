"""Codes of findings on files, beside those on the events in them."""

from __future__ import annotations

from functools import lru_cache

from openlineage_facets.base.errors import Finding
from openlineage_facets.validation.code import Code
from openlineage_facets.validation.codes import catalogue

__all__ = ["FILE_CODES", "every_code", "file_finding"]

FILE_CODES = (
    Code(
        "OL801",
        "A file cannot be read",
        "error",
        "The operating system refuses the file, or it went away while it was read. What was read before "
        "has been checked; what follows has not.\n\n"
        "Check the permissions, or leave the file out.",
    ),
    Code(
        "OL802",
        "A file ends in the middle, or is damaged",
        "error",
        "A compressed file ends before its last block, or its data is not what its checksum says; or an "
        "array of events is never closed. The events before that place have been checked.\n\n"
        "Copy or write the file again. A file that is still being written looks the same.",
    ),
    Code(
        "OL803",
        "A file holds no text",
        "error",
        "The file begins with bytes that no UTF-8 text holds: it is binary, or text in another encoding "
        "such as UTF-16. JSON that systems exchange is UTF-8 (RFC 8259, section 8.1).\n\n"
        "Convert the file to UTF-8, or leave it out.",
        "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
    ),
    Code(
        "OL804",
        "A file begins with a byte order mark",
        "warning",
        "UTF-8 has no byte order, and JSON text must not begin with a mark of it (RFC 8259, section 8.1). "
        "It was passed over here; other readers refuse the first event.\n\n"
        "Write the file without the mark, such as with the encoding `utf-8` in place of `utf-8-sig`.",
        "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
    ),
    Code(
        "OL805",
        "Text between events",
        "error",
        "Between two events of a file, or between the entries of an array, stands something else: a "
        "missing or a doubled comma, a bracket too many, or plain words. The events around it have been "
        "checked, but other readers refuse the file.\n\n"
        "Write one event a line, or all of them as one JSON array.",
        "https://www.rfc-editor.org/rfc/rfc8259#section-5",
    ),
    Code(
        "OL806",
        "An event is too long to read",
        "error",
        "A line or a JSON value is longer than 32 MiB, far beyond any event; most often a line break or a "
        "quotation mark is missing. It was passed over, and the rest has been checked.\n\n"
        "Check where the text was joined.",
    ),
)
"""What may be wrong with a file, whatever the events in it say."""

_BY_CODE = {entry.code: entry for entry in FILE_CODES}


def file_finding(code: str, expected: str, found: str, hint: str = "") -> Finding:
    """Return a finding on a whole file."""
    return Finding("", expected, found, hint, code=code, severity=_BY_CODE[code].severity)


@lru_cache(maxsize=1)
def every_code() -> dict[str, Code]:
    """Return every code that a report may hold, in order, with its entry."""
    entries = {**catalogue(), **_BY_CODE}
    return {code: entries[code] for code in sorted(entries)}
