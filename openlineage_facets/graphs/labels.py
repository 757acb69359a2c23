"""Short names of jobs and datasets for drawings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from typing import Any, TypeVar

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.redaction.redact import redact_repeated
from openlineage_facets.graphs.links import nodes_of
from openlineage_facets.state import ColumnEdge, ColumnId, Lineage, Node
from openlineage_facets.state.column_edges import End
from openlineage_facets.state.lineage import LineageBuilder

E = TypeVar("E", bound=End)

Measure = Callable[[str], float]
"""Returns the width of a text."""

_CONTEXT = 8
"""Characters shown before the first one in which two names differ."""

_NARROW = frozenset(" fijlrt.,:;|!'()[]{}/\\-_I")
_WIDE = frozenset("mwMW@%…")


@dataclass(frozen=True, slots=True)
class Label:
    """The text that stands for a job or dataset in a drawing.

    Args:
        name: The shortened name.
        namespace: The shortened namespace, "" if the name alone is unique.
    """

    name: str
    namespace: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.namespace})" if self.namespace else self.name


def labels_of(
    lineage: Lineage, width: float = 40, namespace_width: float = 32, measure: Measure = len
) -> dict[Node, Label]:
    """Return the label of each job and dataset, different ones for different names where the width allows it.

    Args:
        lineage: The graph.
        width: The greatest width of a name.
        namespace_width: The greatest width of a namespace.
        measure: Measures a text. Default: in characters.
    """
    same_name: dict[tuple[type[Node], str], list[Node]] = defaultdict(list)
    for node in nodes_of(lineage):
        same_name[type(node), node.name].append(node)
    names = told_apart({name for _, name in same_name}, width, measure)
    labels: dict[Node, Label] = {}
    for (_, name), nodes in same_name.items():
        several = {node.namespace for node in nodes} if len(nodes) > 1 else ()
        namespaces = told_apart(several, namespace_width, measure)
        labels.update({node: Label(names[name], namespaces.get(node.namespace, "")) for node in nodes})
    return labels


def names_of(lineage: Lineage) -> dict[Node, str]:
    """Return the whole name of each job and dataset, with its namespace if another one has the same name."""
    nodes = nodes_of(lineage)
    counts = Counter((type(node), node.name) for node in nodes)
    return {node: node.name if counts[type(node), node.name] == 1 else full_name(node) for node in nodes}


def full_name(node: Node) -> str:
    """Return namespace and name."""
    return f"{node.namespace}/{node.name}"


def short_name(name: str, width: float = 40, measure: Measure = len) -> str:
    """Return a name with a limited width. The end of a name says more than its beginning.

    Args:
        name: The name.
        width: The greatest width.
        measure: Measures a text. Default: in characters.

    Example:
        >>> short_name("/warehouse/sales/orders/daily", 16)
        '…/orders/daily'
    """
    text = _shown(name)
    if measure(text) <= width:
        return text
    end = _beginning(text[::-1], width, measure)[::-1]
    slash = end.find("/", 0, len(end) // 2)  # Prefer whole folders if enough remains.
    return f"…{end[max(slash, 0) :]}"


def _shown(text: str) -> str:
    """Return the characters to draw. Without any, Mermaid and Graphviz reject the whole graph."""
    return printable(text) or "(no name)"


def text_width(text: str) -> float:
    """Return about how wide a text is, in units of the font size."""
    return sum(map(_character_width, text))


def _character_width(char: str) -> float:
    if char in _NARROW:
        return 0.4
    if char in _WIDE or ord(char) >= 0x2E80:
        return 1.0
    return 0.72 if char.isupper() else 0.62


def _beginning(text: str, width: float, measure: Measure) -> str:
    """Return the longest beginning that fits into a width together with an ellipsis."""
    rest = width - measure("…")
    for length, char in enumerate(text):
        rest -= measure(char)
        if rest < 0:
            return text[:length]
    return text


def told_apart(texts: Collection[str], width: float, measure: Measure) -> dict[str, str]:
    """Return shortened texts by text: those with the same end from where they differ."""
    short = {text: short_name(text, width, measure) for text in texts}
    for group in _groups(short):
        differs = first_difference(group)
        start = max(0, differs - _CONTEXT)
        start = max(start, *(group[0].rfind(separator, start, differs) for separator in "/."))
        for text in group:
            rest = ("…" if start else "") + _shown(text[start:])
            short[text] = rest if measure(rest) <= width else f"{_beginning(rest, width, measure)}…"
    used = set(short.values())
    for text in _ends_of_others(short):
        shortened = _with_beginning_of_word(text, len(short[text]) - 1, width, measure)
        if shortened and shortened not in used:
            short[text] = shortened
            used.add(shortened)
    return short


def _ends_of_others(short: dict[str, str]) -> Iterable[str]:
    """Return the texts whose shown end is that of another one: `…nance` of maintenance, besides finance."""
    by_end = sorted(short, key=lambda text: text[::-1])
    pairs = chain(pairwise(by_end), pairwise(reversed(by_end)))
    return dict.fromkeys(
        text for text, other in pairs if short[text] != text and other.endswith(short[text].removeprefix("…"))
    )


def _with_beginning_of_word(text: str, shown: int, width: float, measure: Measure) -> str:
    """Return the end of a text, with the beginning instead of the end of the word in which it is cut.

    Return "" if it is cut between two words, or has no room for a beginning.

    Args:
        text: The text.
        shown: The number of characters of its end that are shown.
        width: The greatest width.
        measure: Measures a text.
    """
    cut = len(text) - shown
    for word in re.finditer(r"[^/._-]+", text):
        if word.start() < cut < word.end():
            before, after = "…" if word.start() else "", printable(text[word.end() :])
            beginning = printable(_beginning(word.group(), width - measure(before + after), measure))
            return f"{before}{beginning}…{after}" if beginning else ""
    return ""


def first_difference(texts: Sequence[Sequence[str]]) -> int:
    """Return the first place at which some texts, or lists of parts, differ."""
    characters = zip(*texts, strict=False)
    return next(
        (place for place, at_place in enumerate(characters) if len(set(at_place)) > 1), min(map(len, texts))
    )


def _groups(short: dict[str, str]) -> Iterable[list[str]]:
    """Return the texts that are shortened to the same text."""
    groups: dict[str, list[str]] = defaultdict(list)
    for text, shortened in short.items():
        groups[shortened].append(text)
    return [sorted(group) for group in groups.values() if len(group) > 1]


def redacted(lineage: Lineage) -> Lineage:
    """Return a graph whose names are redacted, except in facets. What then has the same name becomes one."""
    named: Callable[[Any], Any] = cache(redacted_end)
    builder = LineageBuilder({dataset.id: named(dataset.id) for dataset in lineage.datasets})
    builder.add_lineage(
        replace(
            lineage,
            edges=tuple(
                replace(edge, source=named(edge.source), target=named(edge.target)) for edge in lineage.edges
            ),
            columns=[
                ColumnEdge(named(source), named(target), steps) for source, target, steps in lineage.columns
            ],
            jobs=tuple(replace(job, id=named(job.id)) for job in lineage.jobs),
        )
    )
    return builder.lineage()


def redacted_end(end: E) -> E:
    """Return a job, dataset or column whose name is redacted."""
    if isinstance(end, ColumnId):
        return end._replace(dataset=redacted_end(end.dataset), name=redact_repeated(end.name))
    return replace(end, namespace=redact_repeated(end.namespace), name=redact_repeated(end.name))
