"""Lineage graphs in DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.display.printable import printable
from openlineage_facets.graphs.labels import Label, full_name, labels_of, short_name
from openlineage_facets.graphs.links import columns_with_lineage, links_of
from openlineage_facets.graphs.style import STATE_CLASSES, color
from openlineage_facets.state import ColumnId, DatasetId, Lineage, LineageJob, Node

_ENTITIES = str.maketrans({char: f"&#{ord(char)};" for char in "&<>\"'\\"})


def dot(lineage: Lineage, *, columns: bool = False) -> str:
    """Return a graph as text for `dot -Tsvg`.

    Args:
        lineage: The graph.
        columns: Draw the columns with lineage and the edges between them.

    Example:
        >>> Path("lineage.dot").write_text(dot(state.lineage(), columns=True))
    """
    return "\n".join((*_lines(lineage, columns), ""))


def _lines(lineage: Lineage, columns: bool) -> Iterator[str]:
    yield "digraph lineage {"
    yield '  graph [rankdir=LR, ranksep=0.8, fontname="Helvetica"];'
    yield f'  node [fontname="Helvetica", fontsize=11, color="{color("faint")}"];'
    yield f'  edge [color="{color("edge")}", arrowsize=0.7];'
    labels = labels_of(lineage)
    ids: dict[Node, str] = {}
    with_lineage = columns_with_lineage(lineage) if columns else {}
    ports: dict[ColumnId, str] = {}
    for dataset in lineage.datasets:
        ids[dataset.id] = f"d{len(ids)}"
        rows = {}
        for column in with_lineage.get(dataset.id, ()):
            rows[column.name] = f"c{len(ports)}"
            ports[ColumnId(dataset.id, column.name)] = f"{ids[dataset.id]}:{rows[column.name]}"
        yield f"  {ids[dataset.id]} [{_dataset(dataset.id, labels[dataset.id], rows)}];"
    for job in lineage.jobs:
        ids[job.id] = f"j{len(ids)}"
        yield f"  {ids[job.id]} [{_job(job, labels[job.id])}];"
    for source, target in links_of(lineage):
        yield f"  {ids[source]} -> {ids[target]};"
    if columns:
        for edge in lineage.columns:
            ends = [ports[e] if isinstance(e, ColumnId) else ids[e] for e in (edge.source, edge.target)]
            yield f'  {ends[0]} -> {ends[1]} [color="{color("group0")}", style=dashed];'
    yield "}"


def _dataset(dataset: DatasetId, label: Label, ports: dict[str, str]) -> str:
    rows = "".join(
        f'<tr><td port="{port}" align="left">{_html(short_name(name))}</td></tr>'
        for name, port in ports.items()
    )
    table = (
        '<table border="0" cellborder="1" cellspacing="0" cellpadding="5">'
        f'<tr><td bgcolor="{color("dataset")}"><b>{_html(str(label))}</b></td></tr>{rows}</table>'
    )
    return f'shape=plain, label=<{table}>, tooltip="{_html(full_name(dataset))}"'


def _job(job: LineageJob, label: Label) -> str:
    state = job.last_run.state.value if job.last_run and job.last_run.state else ""
    line = color(STATE_CLASSES.get(state, "faint"))
    return (
        f'shape=box, style="rounded,filled", fillcolor="{color("job")}", color="{line}", '
        f'label="{_html(str(label))}", tooltip="{_html(f"{full_name(job.id)} {state}".rstrip())}"'
    )


def _html(text: str) -> str:
    """Return text for HTML labels and quoted strings: neither markup, quotes nor escape sequences."""
    return printable(text).translate(_ENTITIES)
