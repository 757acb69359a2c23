"""Findings and the exception that collects them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.errors.json_pointer import redacted_pointer, steps_of, unescaped
from openlineage_facets.base.redaction.redacted_keys import redact_key

Severity: TypeAlias = Literal["error", "warning", "note"]

_MAX_LENGTH = 60
"""Characters of an offending value that a message repeats."""

MOST_DIGITS = 4300
"""Digits of the longest integer that JSON parsers, and Python itself, accept."""

_TOO_LONG = 10**MOST_DIGITS

_MAY_BE_SECRET = re.compile(r'"|-?[0-9]{4}|-?[0-9.]+e\+')
"""The beginning of a text, or of a number above those that are usually counts."""


@dataclass(frozen=True)
class Finding:
    """One problem found in an event.

    Args:
        pointer: JSON Pointer to the location in the event, "" for the whole event. It is exact; `str` and
            `repr` show it with secrets redacted.
        expected: The expected value, such as "an integer".
        found: The actual value.
        hint: How to fix it, or "" if that is obvious.
        code: The kind of problem, such as "OL003"; stable across versions.
        severity: "error" if the event is invalid or refused, "warning" if it is valid but probably wrong,
            "note" if nothing is wrong with it.
        line: Line number in the source, starting at 1, if the source has several lines.
        problem: The cause, if "expected X, found Y" does not describe it well: "missing required
            field 'name'".
        fact: For findings about a backend, its name and the fact in its profile: "marquez/job-type".
    """

    pointer: str
    expected: str
    found: str
    hint: str = ""
    code: str = ""
    severity: Severity = "error"
    line: int | None = None
    problem: str = ""
    fact: str = ""

    def __post_init__(self) -> None:
        """Redact the value of a field whose name marks a secret, such as `/password`, and secrets in keys."""
        if self.pointer and self.found.__class__ is str and _MAY_BE_SECRET.match(self.found):
            from openlineage_facets.base.redaction.redacted_text import REDACTED
            from openlineage_facets.base.redaction.secret_names import is_secret_name

            last = self.pointer.rpartition("/")[2]
            if is_secret_name(unescaped(last)):
                object.__setattr__(self, "found", f'"{REDACTED}"')
        texts = (self.pointer, self.expected, self.found, self.hint, self.problem)
        if {*map(type, texts)} == {str}:  # Rules of other packages may pass anything.
            self._redact_keys()

    def _redact_keys(self) -> None:
        """Redact secrets in keys of the pointer, also where the texts quote the key."""
        for key in steps_of(self.pointer):
            if (redacted := redact_key(key)) != key:
                for name in ("expected", "found", "hint", "problem"):
                    text = getattr(self, name).replace(repr(key)[1:-1], redacted).replace(key, redacted)
                    object.__setattr__(self, name, text)

    @property
    def message(self) -> str:
        """The cause and the fix, without the location."""
        tail = f"; {self.hint}" if self.hint else ""
        return f"{self.problem or f'expected {self.expected}, found {self.found}'}{tail}"

    @property
    def _location(self) -> str:
        """The pointer for display."""
        return redacted_pointer(str(self.pointer or "")) or "(root)"

    def to_dict(self) -> dict[str, str]:
        """Return the finding as plain JSON types, without the line of the source. The pointer is exact."""
        return {
            "code": self.code,
            "severity": self.severity,
            "pointer": self.pointer,
            "message": self.message,
            "expected": self.expected,
            "found": self.found,
            "hint": self.hint,
            **({"fact": self.fact} if self.fact else {}),
        }

    def __str__(self) -> str:
        return printable(f"{self._location}: {self.message}")

    def __repr__(self) -> str:
        shown = {**vars(self), "pointer": redacted_pointer(str(self.pointer))}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in shown.items())})"

    def _repr_html_(self) -> str:
        return FindingList([self])._repr_html_()


class FindingList(list[Finding]):
    """A list of findings, which notebooks display as a table."""

    def _repr_html_(self) -> str:
        from openlineage_facets.base.display.notebook_html import notebook_list

        header = ("severity", "code", "line", "location", "problem")
        rows = (
            (
                finding.severity,
                finding.code,
                "" if finding.line is None else str(finding.line),
                finding._location,
                finding.message,
            )
            for finding in self
        )
        return notebook_list("1 finding" if len(self) == 1 else f"{len(self):,} findings", header, rows)


class EventError(ValueError):
    """An invalid event, or an invalid part of one.

    Args:
        findings: The problems, at least one.

    Example:
        >>> raise EventError([Finding("/run/runId", "a UUID", "'seven'")])
        Traceback (most recent call last):
        openlineage_facets.EventError: /run/runId: expected a UUID, found 'seven'
    """

    __module__ = "openlineage_facets"  # Tracebacks show the name it is imported by.

    findings: tuple[Finding, ...]
    """The problems, one for each location."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


def invalid(
    pointer: str, expected: str, found: str, hint: str = "", code: str = "", problem: str = ""
) -> EventError:
    """Return the error with one finding; the arguments are those of `Finding`."""
    return EventError([Finding(pointer, expected, found, hint, code, problem=problem)])


def describe(value: Any) -> str:
    """Return a one-line description of a value for messages, shortened and with secrets redacted."""
    if value is None:
        return "null"
    if isinstance(value, (dict, list, tuple)):
        kind = "object" if isinstance(value, dict) else "array"
        return with_article(kind) if value else f"an empty {kind}"
    if isinstance(value, str):
        import json  # Only errors need it, and redaction.

        from openlineage_facets.base.redaction.redact import MAX_REDACTED_LENGTH, redact_start

        text = json.dumps(redact_start(value), ensure_ascii=True)
        is_whole = len(text) <= _MAX_LENGTH and len(value) <= MAX_REDACTED_LENGTH
        return text if is_whole else f"{text[:_MAX_LENGTH]}... ({len(value)} characters)"
    if isinstance(value, int) and is_too_long(value):
        digits = value.bit_length() * 30103 // 100_000 + 1
        return f"a number of about {digits} digits, more than JSON parsers accept"
    if isinstance(value, (bool, int, float)):
        text = str(value).lower() if isinstance(value, bool) else repr(value)
        if text in ("inf", "-inf"):  # JSON parsers read 1e309 as one.
            return f"{text}, a number beyond 1.8e308, the largest 64-bit float"
        return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}..."
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = with_article(_class_name(type(value)))
    return f"{name} of openlineage-python" if is_client_object(value) else name


_JSON_NAMES = frozenset({"array", "bool", "float", "int", "list", "number", "object", "string"})
"""Names of classes that read like a type of JSON: `numpy.bool`, `array.array`."""


def _class_name(kind: type) -> str:
    """Return the name of a class, with its module if it reads like a type of JSON."""
    is_ambiguous = kind.__name__ in _JSON_NAMES and kind.__module__ != "builtins"
    return f"{kind.__module__}.{kind.__name__}" if is_ambiguous else kind.__name__


def is_client_object(value: Any) -> bool:
    """Return whether a value is an instance of a class of openlineage-python or of a subclass."""
    return any(cls.__module__.partition(".")[0] == "openlineage" for cls in type(value).__mro__)


def is_too_long(number: int) -> bool:
    """Return whether an integer has more digits than JSON parsers accept."""
    return not -_TOO_LONG < number < _TOO_LONG


def with_article(name: str) -> str:
    """Return `name` with its indefinite article.

    Example:
        >>> with_article("Extractor"), with_article("UUID")
        ('an Extractor', 'a UUID')
    """
    return f"{'an' if _AN.match(name) else 'a'} {name}"


_AN = re.compile("[aeio]|u(?!uid|r[il]|se|ni[^n])", re.IGNORECASE)
"""Names that begin with the sound of a vowel."""


def missing_field(pointer: str, name: str, hint: str = "") -> Finding:
    """Return the finding of a required field that is absent.

    Args:
        pointer: JSON Pointer to the field.
        name: The field's name.
        hint: How to fix it, if adding the field is not the obvious fix.
    """
    problem = f"missing required field {name!r}"
    return Finding(pointer, f"the required field {name!r}", "nothing", hint, "OL003", problem=problem)


def missing_name(field: str, value: object) -> Finding:
    """Return the finding of an entity whose name or namespace is empty or missing.

    Args:
        field: "name" or "namespace".
        value: What was passed for it.
    """
    found = "an empty string" if value == "" else describe(value)
    return Finding(f"/{field}", f"a {field}", found, f"pass the {field}")


def unknown_field(pointer: str, name: str, owner: str, hint: str) -> Finding:
    """Return the finding of a composed field that its class does not have.

    Args:
        pointer: JSON Pointer to the field.
        name: The field's name.
        owner: The class, or what else the field was passed to.
        hint: The name that was probably meant.
    """
    problem = f"{owner} has no field {name!r}"
    return Finding(pointer, f"a field of {owner}", repr(name), hint, "OL014", problem=problem)
