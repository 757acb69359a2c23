"""Rules beyond the schema: what one is, and how one is written.

A rule is a generator function that yields a `Finding` for each place it objects to. The decorator gives
it a code and a title; its docstring is its page in the catalogue. There is one decorator for each thing
that a rule may look at, so that a rule runs only where that thing is:

- `rule`: the whole event;
- `facet_rule`: each facet under certain keys;
- `label_rule`: where a facet stands and which schema it names, whatever else it says;
- `name_rule`: namespace and name of each dataset;
- `stream_rule`: each event of a run, and what is known of the run from the events before it;
- `end_rule`: each run, once no more events come.

The findings of rules on labels and names depend on a few words that recur from event to event, and are
remembered. Pointers are relative to what the rule looks at. Code and severity are added by the decorator.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.code import Code
from openlineage_facets.validation.document import DatasetName, Document, Facet, FacetLabel
from openlineage_facets.validation.run_state import Moment, RunState

__all__ = ["Rule", "end_rule", "facet_rule", "label_rule", "name_rule", "rule", "stream_rule"]

_CODE = re.compile(r"[A-Z][A-Z0-9_-]*")
"""What `--select` and `--ignore` can name."""


@dataclass(frozen=True)
class Rule:
    """One rule, as a decorator made it.

    Args:
        code: The code its findings carry: capital letters, digits, `-` and `_`, a letter first.
        title: What it objects to, in a few words.
        see: The section of the specification that says so.
        subject: What it looks at.
        check: The function that yields findings.
        severity: What its findings are.
        keys: For a rule on facets, the keys of these.

    Raises:
        ValueError: The code is none.
    """

    code: str
    title: str
    see: str
    subject: Literal["document", "facet", "label", "name", "moment", "end"]
    check: Callable[..., Iterable[Finding]] = field(repr=False)
    severity: Literal["error", "warning"] = "warning"
    keys: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.code, str) or not _CODE.fullmatch(self.code):
            raise ValueError(
                f"expected a code of capital letters and digits, such as ACME1, found {shown(self.code)}"
            )

    @property
    def entry(self) -> Code:
        """Its entry in the catalogue."""
        return Code(self.code, self.title, self.severity, inspect.getdoc(self.check) or "", self.see)


def rule(
    code: str, title: str, *, see: str, severity: Literal["error", "warning"] = "warning"
) -> Callable[[Callable[[Document], Iterable[Finding]]], Rule]:
    """Make a rule on whole events of a function.

    Args:
        code: The code its findings carry.
        title: What it objects to, in a few words.
        see: The section of the specification that says so.
        severity: What its findings are.

    Example:
        >>> @rule("ACME1", "Job without an owner", see="https://acme.example.com/lineage#owners")
        ... def job_owner(document):
        ...     "Every job of ours has an owner, so that somebody can be asked."
        ...     if document.job and not document.job.facet("ownership"):
        ...         yield Finding("/job/facets", "an ownership facet", "none")
    """
    return lambda check: Rule(code, title, see, "document", check, severity)


def facet_rule(
    code: str, title: str, *, see: str, keys: Iterable[str], severity: Literal["error", "warning"] = "warning"
) -> Callable[[Callable[[Facet], Iterable[Finding]]], Rule]:
    """Make a rule on the facets under `keys` of a function; other arguments are as for `rule`."""
    return lambda check: Rule(code, title, see, "facet", check, severity, tuple(keys))


def label_rule(
    code: str, title: str, *, see: str, severity: Literal["error", "warning"] = "warning"
) -> Callable[[Callable[[FacetLabel], Iterable[Finding]]], Rule]:
    """Make a rule on the labels of facets of a function; arguments are as for `rule`."""
    return lambda check: Rule(code, title, see, "label", check, severity)


def name_rule(
    code: str, title: str, *, see: str, severity: Literal["error", "warning"] = "warning"
) -> Callable[[Callable[[DatasetName], Iterable[Finding]]], Rule]:
    """Make a rule on the names of datasets of a function; arguments are as for `rule`."""
    return lambda check: Rule(code, title, see, "name", check, severity)


def stream_rule(
    code: str, title: str, *, see: str, severity: Literal["error", "warning"] = "warning"
) -> Callable[[Callable[[Moment, RunState], Iterable[Finding]]], Rule]:
    """Make a rule on the events of a run of a function; arguments are as for `rule`.

    The function is called with each event and the state of its run just before it.
    """
    return lambda check: Rule(code, title, see, "moment", check, severity)


def end_rule(
    code: str, title: str, *, see: str, severity: Literal["error", "warning"] = "warning"
) -> Callable[[Callable[[RunState], Iterable[Finding]]], Rule]:
    """Make a rule on runs after their last event of a function; arguments are as for `rule`."""
    return lambda check: Rule(code, title, see, "end", check, severity)
