"""Short names of jobs and datasets for drawings."""

from __future__ import annotations

from collections import Counter

from openlineage_facets.base.printable import printable
from openlineage_facets.graphs.links import nodes_of
from openlineage_facets.state import Lineage, Node

__all__ = ["full_name", "names_of", "short_name"]


def names_of(lineage: Lineage) -> dict[Node, str]:
    """Return the name of each job and dataset, with its namespace if another one has the same name."""
    nodes = nodes_of(lineage)
    counts = Counter((type(node), node.name) for node in nodes)
    return {node: node.name if counts[type(node), node.name] == 1 else full_name(node) for node in nodes}


def full_name(node: Node) -> str:
    """Return namespace and name."""
    return f"{node.namespace}/{node.name}"


def short_name(name: str, width: int = 40) -> str:
    """Return a name with at most `width` characters. The end of a name says more than its beginning.

    Example:
        >>> short_name("/warehouse/sales/orders/daily", 16)
        '…/orders/daily'
    """
    text = printable(name)
    if len(text) <= width:
        return text
    end = text[1 - width :]
    slash = end.find("/", 0, width // 2)  # Prefer whole folders if enough remains.
    return f"…{end[max(slash, 0) :]}"
