"""Decorators that define rules, which are checks beyond the JSON Schemas, and finding codes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from openlineage_facets.base.errors.findings import Finding, Severity, describe
from openlineage_facets.validation.event_document import DatasetName, Document, Facet, FacetLabel
from openlineage_facets.validation.run_event_summary import RunEventSummary, RunState

_Severity: TypeAlias = Literal["error", "warning"]

_CODE = re.compile(r"[A-Z][A-Z0-9_-]*")
"""Codes that `--select` and `--ignore` accept."""


@dataclass(frozen=True)
class Rule:
    """A rule, created by one of the decorators.

    Args:
        code: The code of its findings: capital letters, digits, `-` and `_`, starting with a letter.
        title: The problem in a few words.
        see: URL of the relevant section of the specification.
        subject: What it checks.
        check: The function that yields findings.
        severity: The severity of its findings.
        keys: The facet keys of a facet rule.
        cached: Whether the findings of a facet rule depend on nothing but the facet.

    Raises:
        ValueError: The code is invalid.
    """

    code: str
    title: str
    see: str
    subject: Literal["event", "facet", "label", "name", "run_event", "run_end"]
    check: Callable[..., Iterable[Finding]] = field(repr=False)
    severity: _Severity = "warning"
    keys: tuple[str, ...] = ()
    cached: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.code, str) or not _CODE.fullmatch(self.code):
            raise ValueError(
                f"expected a code of capital letters and digits, such as ACME1, found {describe(self.code)}"
            )

    @property
    def finding_code(self) -> FindingCode:
        """Its entry in the catalogue."""
        return FindingCode(self.code, self.title, self.severity, inspect.getdoc(self.check) or "", self.see)


def rule(
    code: str, title: str, *, see: str, severity: _Severity = "warning"
) -> Callable[[Callable[[Document], Iterable[Finding]]], Rule]:
    """Define a rule that checks whole events.

    Args:
        code: The code of its findings.
        title: The problem in a few words.
        see: URL of the relevant section of the specification.
        severity: The severity of its findings.

    Example:
        >>> @rule("ACME1", "Job without an owner", see="https://acme.example.com/lineage#owners")
        ... def job_owner(document):
        ...     "Every job needs an owner, so that there is someone to ask."
        ...     if document.job and not document.job.facet("ownership"):
        ...         yield Finding("/job/facets", "an ownership facet", "none")
    """
    return lambda check: Rule(code, title, see, "event", check, severity)


def facet_rule(
    code: str,
    title: str,
    *,
    see: str,
    keys: Iterable[str],
    severity: _Severity = "warning",
    cached: bool = False,
) -> Callable[[Callable[[Facet], Iterable[Finding]]], Rule]:
    """Define a rule that checks the facets under `keys`, except tombstones.

    Args:
        code: The code of its findings.
        title: The problem in a few words.
        see: URL of the relevant section of the specification.
        keys: The facet keys.
        severity: The severity of its findings.
        cached: Whether the findings depend only on the label and the value of the facet, not on its entity.
            Equal facets, also of other events, are then checked once.
    """
    return lambda check: Rule(code, title, see, "facet", check, severity, tuple(keys), cached)


def label_rule(
    code: str, title: str, *, see: str, severity: _Severity = "warning"
) -> Callable[[Callable[[FacetLabel], Iterable[Finding]]], Rule]:
    """Define a rule that checks the location and schema URL of each facet; arguments as for `rule`."""
    return lambda check: Rule(code, title, see, "label", check, severity)


def name_rule(
    code: str, title: str, *, see: str, severity: _Severity = "warning"
) -> Callable[[Callable[[DatasetName], Iterable[Finding]]], Rule]:
    """Define a rule that checks the namespace and name of each dataset; arguments as for `rule`."""
    return lambda check: Rule(code, title, see, "name", check, severity)


def stream_rule(
    code: str, title: str, *, see: str, severity: _Severity = "warning"
) -> Callable[[Callable[[RunEventSummary, RunState], Iterable[Finding]]], Rule]:
    """Define a rule that checks the order of the events of a run; arguments as for `rule`.

    The function is called with each event and the state of its run before that event.
    """
    return lambda check: Rule(code, title, see, "run_event", check, severity)


def end_rule(
    code: str, title: str, *, see: str, severity: _Severity = "warning"
) -> Callable[[Callable[[RunState], Iterable[Finding]]], Rule]:
    """Define a rule that checks runs at the end of the stream; arguments as for `rule`."""
    return lambda check: Rule(code, title, see, "run_end", check, severity)


@dataclass(frozen=True)
class FindingCode:
    """One finding code, as listed in the catalogue.

    Args:
        code: The code, such as "OL003"; stable across versions.
        title: The problem in a few words.
        severity: "error" if the event is invalid or refused, "warning" if it is valid but probably wrong,
            "note" if nothing is wrong with it.
        page: What the finding means, why it matters and how to fix it, in plain Markdown paragraphs.
        see: URL of the relevant section of the specification, or "".
    """

    code: str
    title: str
    severity: Severity
    page: str
    see: str = ""
