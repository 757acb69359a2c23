"""Draw lineage graphs: HTML, SVG, Mermaid, DOT and JSON.

>>> from openlineage_facets.graphs import focused, mermaid
>>> print(mermaid(focused(state.lineage(), ["curated/daily"], up=2)).text)
"""

from __future__ import annotations

from openlineage_facets.graphs.dot import dot
from openlineage_facets.graphs.focus import focused
from openlineage_facets.graphs.json_graph import json_graph
from openlineage_facets.graphs.layout import has_layout_library
from openlineage_facets.graphs.mermaid import Mermaid, mermaid
from openlineage_facets.graphs.page import page
from openlineage_facets.graphs.svg import svg

__all__ = ["Mermaid", "dot", "focused", "has_layout_library", "json_graph", "mermaid", "page", "svg"]
