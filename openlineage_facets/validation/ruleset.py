"""Run rules on events: the built-in ones, and those installed by other packages."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any
from weakref import WeakSet

from openlineage_facets.base.containers.registered_facets import forget_on_registration
from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.redaction.redact import redact_for_display, redact_repeated
from openlineage_facets.validation.event_document import DatasetName, Document, Facet, FacetLabel
from openlineage_facets.validation.rule import Rule

_GROUP = "openlineage_facets.rules"
"""The entry point group of rules in other packages."""

_RESERVED_PREFIX = "OL"
"""Prefix of all codes of this package, including those of schemas and files."""

_CACHED = 10_000
"""Number of facet labels, and of dataset names, whose findings are cached."""

_LONGEST_CACHED = 2000
"""Characters of the longest label or name that is cached."""

_RULE_SETS: WeakSet[RuleSet] = WeakSet()
"""Every set of rules, to clear what depends on the known facets."""

BROKEN_RULE = "OL900"
"""The code of the finding for a rule that raises."""


class RuleSet:
    """A set of rules that checks events.

    Args:
        rules: The rules.

    Example:
        >>> RuleSet(built_in_rules()).without("OL401").check(Document(event))
        []
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._event_rules = [rule for rule in self.rules if rule.subject == "event"]
        self._label_rules = [rule for rule in self.rules if rule.subject == "label"]
        self._name_rules = [rule for rule in self.rules if rule.subject == "name"]
        self._facet_rules: dict[str, list[Rule]] = {}
        for rule in self.rules:
            for key in rule.keys if rule.subject == "facet" else ():
                self._facet_rules.setdefault(key, []).append(rule)
        self._uncached_keys = {rule_key for rule in self.rules if not rule.cached for rule_key in rule.keys}
        """The facet keys for which some findings depend on more than the facet."""
        self._label_cache: dict[FacetLabel, tuple[Finding, ...]] = {}
        self._name_cache: dict[DatasetName, tuple[Finding, ...]] = {}
        _RULE_SETS.add(self)

    def without(self, *codes: str) -> RuleSet:
        """Return the set without the rules that have one of `codes`."""
        return RuleSet(rule for rule in self.rules if rule.code not in codes)

    def forget_labels(self) -> None:
        """Forget the findings of labels, which depend on the known facets."""
        self._label_cache.clear()

    def check(self, document: Document) -> list[Finding]:
        """Return the findings of the rules in document order.

        A rule that raises is reported as a finding; the other rules still run.
        """
        findings: list[Finding] = []
        for facet in document.facets:
            found = facet.cached(self._findings_of_content)
            if facet.label.key in self._uncached_keys:
                found = [*found, *self._findings_of_facet(facet)]
            if found:
                findings += _with_prefix(facet.pointer, found)
        name_cache = self._name_cache
        for dataset in document.datasets:
            if dataset.identity is not None:
                cached = name_cache.get(dataset.identity)
                if cached is None:
                    cached = _cached_findings(name_cache, dataset.identity, self._name_rules)
                if cached:
                    findings += _with_prefix(dataset.pointer, cached)
        for rule in self._event_rules:
            findings += run_rule(rule, document)
        if len(findings) > 1:
            findings.sort(key=document.position)
        return findings

    def _findings_of_content(self, facet: Facet) -> list[Finding]:
        """Return the findings that depend on nothing but the facet."""
        label = facet.label
        findings = self._label_cache.get(label)
        if findings is None:
            findings = _cached_findings(self._label_cache, label, self._label_rules)
        is_cached = label.key not in self._uncached_keys
        return [*findings, *self._findings_of_facet(facet)] if is_cached else list(findings)

    def _findings_of_facet(self, facet: Facet) -> list[Finding]:
        """Return the findings of the facet rules for the key of a facet; a tombstone has no content."""
        rules = () if facet.label.deleted else self._facet_rules.get(facet.label.key, ())
        return [finding for rule in rules for finding in run_rule(rule, facet)]


def check_document(document: Document) -> list[Finding]:
    """Return the findings of all built-in and installed rules for one event.

    Args:
        document: The event.

    Example:
        >>> check_document(Document(event.to_dict()))
        []
    """
    rules, broken = _installed()
    return [*broken, *rules.check(document)] if broken else rules.check(document)


def installed_rules() -> tuple[Rule, ...]:
    """Return all rules: the built-in ones, then those of other packages."""
    return _installed()[0].rules


@lru_cache(maxsize=1)
def built_in_rules() -> tuple[Rule, ...]:
    """Return the rules of this package, sorted by code."""
    package = importlib.import_module("openlineage_facets.validation.rules")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    modules = [importlib.import_module(f"{package.__name__}.{name}") for name in names]
    return tuple(sorted((rule for module in modules for rule in _rules_in(module)), key=lambda it: it.code))


@lru_cache(maxsize=1)
def _installed() -> tuple[RuleSet, tuple[Finding, ...]]:
    """Return all rules, and the findings of those that could not be loaded."""
    rules, broken = list(built_in_rules()), []
    for point in sorted(entry_points(group=_GROUP), key=lambda it: (it.name, it.value)):
        try:
            loaded = [rule for rule in _rules_in(point.load()) if rule not in rules]
            duplicates = {rule.code for rule in rules} & {rule.code for rule in loaded}
            if duplicates:
                raise ValueError(f"{', '.join(sorted(duplicates))} is the code of another rule")
            reserved = sorted(rule.code for rule in loaded if rule.code.startswith(_RESERVED_PREFIX))
            if reserved:
                raise ValueError(f"{', '.join(reserved)} starts with {_RESERVED_PREFIX}, which is reserved")
            rules += loaded
        except Exception as error:  # Loading another package may raise anything; validation continues.
            broken.append(_rule_failed(f"{point.name} ({point.value})", error))
    return RuleSet(rules), tuple(broken)


def _rules_in(found: Any) -> Iterator[Rule]:
    """Yield the rules in a module or a list, or the rule itself."""
    if isinstance(found, Rule):
        yield found
    elif isinstance(found, (list, tuple)):
        for item in found:
            yield from _rules_in(item)
    else:
        yield from (value for value in vars(found).values() if isinstance(value, Rule))


def run_rule(rule: Rule, *subjects: Any) -> list[Finding]:
    """Return the findings of a rule; if it raises, return that as a finding."""
    findings: list[Finding] = []
    try:
        for found in rule.check(*subjects):
            findings.append(_checked_finding(rule, found))
    except Exception as error:  # A rule of another package may raise anything; validation continues.
        return [_rule_failed(f"{rule.code} ({rule.title})", error)]
    return findings


def _checked_finding(rule: Rule, found: Any) -> Finding:
    """Return a finding with the code of its rule and with secrets redacted.

    Raises:
        TypeError: The rule yielded something other than a valid finding.
    """
    if not isinstance(found, Finding):
        raise TypeError(
            f"expected the rule to yield Finding(pointer, expected, found), found {describe(found)}"
        )
    texts = {name: getattr(found, name) for name in ("pointer", "expected", "found", "hint", "problem")}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise TypeError(f"{name}: expected a string in the finding, found {describe(text)}")
    redacted: dict[str, Any] = {
        name: redact_repeated(text) for name, text in texts.items() if name != "pointer"
    }
    return replace(found, **redacted, code=rule.code, severity=rule.severity)


def _rule_failed(name: str, error: Exception) -> Finding:
    return Finding(
        "",
        f"the rule {name} to check the event",
        redact_for_display(f"{type(error).__name__}: {error}"),
        "report it to the author of the rule",
        code=BROKEN_RULE,
        severity="warning",
    )


def _cached_findings(
    cache: dict[Any, tuple[Finding, ...]], subject: FacetLabel | DatasetName, rules: list[Rule]
) -> tuple[Finding, ...]:
    """Return the findings of `rules` for `subject`, and add them to the cache."""
    findings = tuple(finding for rule in rules for finding in run_rule(rule, subject))
    if len(cache) >= _CACHED:
        cache.clear()
    if sum(len(part) for part in subject if isinstance(part, str)) <= _LONGEST_CACHED:
        cache[subject] = findings
    return findings


def _with_prefix(pointer: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    return (replace(finding, pointer=pointer + finding.pointer) for finding in findings)


def _forget_labels() -> None:
    for rules in list(_RULE_SETS):
        rules.forget_labels()


forget_on_registration(_forget_labels)
