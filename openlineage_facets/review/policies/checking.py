"""Check a lineage graph against policies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.metadata import entry_points

from openlineage_facets.base.errors.findings import Finding, FindingList, describe
from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.review.change_texts import end_text
from openlineage_facets.review.policies import rules
from openlineage_facets.review.policies.policy import CustomPolicy, Policies
from openlineage_facets.review.policies.policy_graph import PolicyGraph
from openlineage_facets.review.policies.rules import Violation
from openlineage_facets.state import Lineage
from openlineage_facets.validation.ruleset import BROKEN_RULE

GROUP = "openlineage_facets.policies"
"""The entry point group of policies in other packages."""


def check_policies(lineage: Lineage, policies: Policies) -> FindingList:
    """Return what violates policies, in their order. The line of a finding is that of the policy.

    Example:
        >>> for finding in check_policies(state.lineage(), read_policies(Path("policies.toml"))):
        ...     print(finding)
    """
    return FindingList(finding for finding, _ in identified_findings(lineage, policies))


def identified_findings(lineage: Lineage, policies: Policies) -> Iterator[tuple[Finding, str]]:
    """Yield the findings of `check_policies` with a text that distinguishes violations.

    The text stays the same while the path to the violation changes.
    """
    graph = PolicyGraph(lineage)
    for name, policy in sorted(policies.tables(), key=lambda table: table[1].line or 0):
        if isinstance(policy, CustomPolicy):
            for finding in _custom_findings(lineage, policy):
                yield finding, f"{finding.pointer} {finding.problem or finding.expected}"
            continue
        violations: Iterable[Violation] = getattr(rules, f"check_{name}")(graph, policy)
        for violation in violations:
            subject, problem = end_text(violation.subject), f"{violation.problem}{violation.path}"
            finding = Finding(subject, "", "", policy.reason or violation.hint, policy.code, problem=problem)
            yield replace(finding, severity=policy.severity, line=policy.line), violation.identity


def _custom_findings(lineage: Lineage, policy: CustomPolicy) -> Iterator[Finding]:
    """Yield the findings of a function of another package; if it fails, that is a finding."""
    points = [point for point in entry_points(group=GROUP) if point.name == policy.name]
    known = ", ".join(sorted({point.name for point in entry_points(group=GROUP)})) or "none"
    try:
        if not points:
            raise LookupError(f"no installed package has it; installed policies: {known}")
        for finding in points[0].load()(lineage, dict(policy.options)):
            if not isinstance(finding, Finding):
                raise TypeError(f"expected it to yield Finding(...), found {describe(finding)}")
            code = policy.code if not finding.code or finding.code.startswith("OL") else finding.code
            hint = finding.hint or policy.reason
            yield replace(finding, code=code, severity=policy.severity, line=policy.line, hint=hint)
    except Exception as error:  # Another package may raise anything; the other policies still count.
        problem = redact_for_display(f"{type(error).__name__}: {error}")
        finding = Finding("", f"the policy {policy.name} to check the graph", problem)
        hint = f"install the package with the entry point {policy.name} in {GROUP}, or ask its author"
        yield replace(finding, hint=hint, code=BROKEN_RULE, severity="error", line=policy.line)
