"""Policies: rules about a lineage graph, as data and as functions of other packages."""

from __future__ import annotations

from openlineage_facets.review.policies.checking import check_policies
from openlineage_facets.review.policies.policy import Policies, read_policies

__all__ = ["Policies", "check_policies", "read_policies"]
