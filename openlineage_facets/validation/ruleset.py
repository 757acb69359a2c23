"""Runs rules over events: those of this package, and those that other packages bring."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any

from openlineage_facets.base.credentials import without_secrets
from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.code import Code
from openlineage_facets.validation.document import DatasetName, Document, FacetLabel
from openlineage_facets.validation.rule import Rule

__all__ = ["BROKEN_RULE", "RuleSet", "all_rules", "check_document", "installed_rules", "run_rule"]

_GROUP = "openlineage_facets.rules"
"""The entry points by which other packages bring rules."""

_OURS = "OL"
"""What the codes of this package begin with, those of schemas and files included."""

_REMEMBERED = 10_000
"""Labels, and names of datasets, whose findings are kept at hand."""

_LONGEST = 2000
"""Characters of the longest of them."""

BROKEN_RULE = Code(
    "OL900",
    "A rule broke down",
    "warning",
    "A rule that another package brings could not be loaded, or raised an exception instead of yielding "
    "findings. The event was judged without it. The finding names the rule and what it raised: tell its "
    "author, or leave the package out.",
)
"""What a rule that raises is reported as."""


class RuleSet:
    """Rules, sorted by what they look at.

    Args:
        rules: The rules; those of one code belong together.

    Example:
        >>> RuleSet(all_rules()).without("OL401").check(Document(event))
        []
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._of_documents = [rule for rule in self.rules if rule.subject == "document"]
        self._of_labels = [rule for rule in self.rules if rule.subject == "label"]
        self._of_names = [rule for rule in self.rules if rule.subject == "name"]
        self._by_key: dict[str, list[Rule]] = {}
        for rule in self.rules:
            for key in rule.keys if rule.subject == "facet" else ():
                self._by_key.setdefault(key, []).append(rule)
        self._labels: dict[FacetLabel, tuple[Finding, ...]] = {}
        self._names: dict[DatasetName, tuple[Finding, ...]] = {}

    def without(self, *codes: str) -> RuleSet:
        """Return these rules but those of `codes`."""
        return RuleSet(rule for rule in self.rules if rule.code not in codes)

    def check(self, document: Document) -> list[Finding]:
        """Return what the rules object to in `document`, in the order of the document.

        A rule that raises is reported, too; the others go on.
        """
        findings: list[Finding] = []
        labels, by_key = self._labels, self._by_key
        for facet in document.facets:
            label = facet.label
            known = labels.get(label)
            if known is None:
                known = _remember(labels, label, self._of_labels)
            if known:
                findings += _below(facet.pointer, known)
            if label.key in by_key:
                for rule in by_key[label.key]:
                    for finding in run_rule(rule, facet):
                        findings += _below(facet.pointer, (finding,))
        names = self._names
        for entity in document.entities:
            identity = entity.identity if entity.is_dataset else None
            if identity is not None:
                known = names.get(identity)
                if known is None:
                    known = _remember(names, identity, self._of_names)
                if known:
                    findings += _below(entity.pointer, known)
        for rule in self._of_documents:
            findings += run_rule(rule, document)
        if len(findings) > 1:
            findings.sort(key=document.position)
        return findings


def check_document(document: Document) -> list[Finding]:
    """Return what all rules on single events, built in and installed, object to in `document`.

    Args:
        document: The event.

    Example:
        >>> check_document(Document(event.to_dict()))
        []
    """
    rules, broken = _installed()
    return [*broken, *rules.check(document)] if broken else rules.check(document)


def installed_rules() -> tuple[Rule, ...]:
    """Return all rules: those of this package, then those that other packages bring."""
    return _installed()[0].rules


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Return the rules that this package defines, by code."""
    package = importlib.import_module("openlineage_facets.validation.rules")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    modules = [importlib.import_module(f"{package.__name__}.{name}") for name in names]
    return tuple(sorted((rule for module in modules for rule in _rules_in(module)), key=lambda it: it.code))


@lru_cache(maxsize=1)
def _installed() -> tuple[RuleSet, tuple[Finding, ...]]:
    """Return all rules, and findings for those that could not be loaded."""
    rules, broken = list(all_rules()), []
    for point in sorted(entry_points(group=_GROUP), key=lambda it: (it.name, it.value)):
        try:
            brought = [rule for rule in _rules_in(point.load()) if rule not in rules]
            taken = {rule.code for rule in rules} & {rule.code for rule in brought}
            if taken:
                raise ValueError(f"{', '.join(sorted(taken))} is the code of another rule")
            ours = sorted(rule.code for rule in brought if rule.code.startswith(_OURS))
            if ours:
                raise ValueError(f"{', '.join(ours)} begins like the codes of this package, {_OURS}")
            rules += brought
        except Exception as error:  # Whatever another package's import raises must not end validation.
            broken.append(_broken(f"{point.name} ({point.value})", error))
    return RuleSet(rules), tuple(broken)


def _rules_in(found: Any) -> Iterator[Rule]:
    """Yield the rules that an entry point or a module holds."""
    if isinstance(found, Rule):
        yield found
    elif isinstance(found, (list, tuple)):
        for item in found:
            yield from _rules_in(item)
    else:
        yield from (value for value in vars(found).values() if isinstance(value, Rule))


def run_rule(rule: Rule, *subjects: Any) -> list[Finding]:
    """Return what `rule` says of `subjects`, or that it broke down."""
    try:
        return [_finding_of(rule, found) for found in rule.check(*subjects)]
    except Exception as error:  # A rule of another package must not end validation.
        return [_broken(f"{rule.code} ({rule.title})", error)]


def _finding_of(rule: Rule, found: Any) -> Finding:
    """Return what a rule yields as a finding of its own, without passwords.

    Raises:
        TypeError: It is no finding.
    """
    if not isinstance(found, Finding):
        raise TypeError(f"expected the rule to yield Finding(pointer, expected, found), found {shown(found)}")
    texts = {name: getattr(found, name) for name in ("pointer", "expected", "found", "hint")}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise TypeError(f"{name}: expected the finding to have text there, found {shown(text)}")
    told: dict[str, Any] = {name: without_secrets(text) for name, text in texts.items() if name != "pointer"}
    return replace(found, **told, code=rule.code, severity=rule.severity)


def _broken(name: str, error: Exception) -> Finding:
    return Finding(
        "",
        f"the rule {name} to judge the event",
        without_secrets(f"{type(error).__name__}: {error}"),
        "tell the author of the rule",
        code=BROKEN_RULE.code,
        severity=BROKEN_RULE.severity,
    )


def _remember(
    memory: dict[Any, tuple[Finding, ...]], subject: FacetLabel | DatasetName, rules: list[Rule]
) -> tuple[Finding, ...]:
    """Return what `rules` say of `subject`, and keep it at hand."""
    found = tuple(finding for rule in rules for finding in run_rule(rule, subject))
    if len(memory) >= _REMEMBERED:
        memory.clear()
    if sum(len(part) for part in subject if isinstance(part, str)) <= _LONGEST:
        memory[subject] = found
    return found


def _below(pointer: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    return (replace(finding, pointer=pointer + finding.pointer) for finding in findings)
