"""Check a lineage graph against policies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import entry_points

from openlineage_facets.base.errors.findings import Finding, FindingList, describe
from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.review.policies.policy import CustomPolicy, Policies, Policy
from openlineage_facets.review.policies.policy_graph import PolicyGraph
from openlineage_facets.review.policies.rules import CHECKS
from openlineage_facets.review.texts import end_text
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
    graph = PolicyGraph(lineage)
    tables = (policy for name in Policies.model_fields for policy in getattr(policies, name))
    in_order = sorted(tables, key=lambda policy: policy.line or 0)
    return FindingList(finding for policy in in_order for finding in _findings(graph, policy))


def _findings(graph: PolicyGraph, policy: Policy) -> Iterator[Finding]:
    if isinstance(policy, CustomPolicy):
        yield from _custom_findings(graph.lineage, policy)
        return
    for subject, problem, hint in CHECKS[type(policy)](graph, policy):
        finding = Finding(end_text(subject), "", "", policy.reason or hint, policy.code, problem=problem)
        yield replace(finding, severity=policy.severity, line=policy.line)


def _custom_findings(lineage: Lineage, policy: CustomPolicy) -> Iterator[Finding]:
    """Yield the findings of a function of another package; if it fails, that is a finding."""
    points = [point for point in entry_points(group=GROUP) if point.name == policy.name]
    known = ", ".join(sorted({point.name for point in entry_points(group=GROUP)})) or "none"
    try:
        if not points:
            raise LookupError(f"no installed package has it; installed policies: {known}")
        for found in points[0].load()(lineage, dict(policy.options)):
            if not isinstance(found, Finding):
                raise TypeError(f"expected it to yield Finding(...), found {describe(found)}")
            code = policy.code if not found.code or found.code.startswith("OL") else found.code
            hint = found.hint or policy.reason
            yield replace(found, code=code, severity=policy.severity, line=policy.line, hint=hint)
    except Exception as error:  # Another package may raise anything; the other policies still count.
        problem = redact_for_display(f"{type(error).__name__}: {error}")
        finding = Finding("", f"the policy {policy.name} to check the graph", problem)
        hint = f"install the package with the entry point {policy.name} in {GROUP}, or ask its author"
        yield replace(finding, hint=hint, code=BROKEN_RULE, severity="error", line=policy.line)
