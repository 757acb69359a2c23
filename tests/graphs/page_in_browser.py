"""Pages of lineage graphs in a browser."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from openlineage_facets.graphs import page
from openlineage_facets.state import Lineage
from tests.graphs.browser import Browser
from tests.graphs.drawn_paths import Drawing, Rectangle, links_of_paths

_DRAWINGS = """((views) => {
  const press = (key, element) => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const search = document.getElementById("search");
  const show = (entry) => {
    const isKey = entry.length === 1 || ["Escape", "Enter", "ArrowRight"].includes(entry);
    if (isKey) return press(entry, document.body);
    search.value = entry;
    search.dispatchEvent(new Event("input"));
    return press("Enter", search);
  };
  const numbers = (element, name) => element.getAttribute(name).match(/-?[\\d.]+/g).map(Number);
  return views.map((entries) => {
    entries.forEach(show);
    const nodes = [...document.querySelectorAll(".node")].map((node) => {
      const box = node.querySelector(".box");
      const title = node.querySelector("title").textContent;
      return [title, ...numbers(node, "transform"), ...numbers(box, "width"), ...numbers(box, "height")];
    });
    return [nodes, [...document.querySelectorAll(".links path")].map((path) => path.getAttribute("d"))];
  });
})"""


class Page:
    """An open page."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self.browser = browser
        self.file = file

    def open(self, lineage: Lineage, fragment: str = "", **options: Any) -> None:
        """Open the page of a graph."""
        self.show(page(lineage, **options), fragment)

    def show(self, text: str, fragment: str = "") -> None:
        """Open a page: in place of the one that is open, since loading a file takes longer than a test."""
        if self.browser.evaluate("location.protocol") == "file:":
            self.browser.events.clear()
            self.browser.evaluate(
                f"history.replaceState(null, '', {json.dumps(fragment or '#')});"
                f"document.open(); document.write({json.dumps(text)}); document.close()"
            )
        else:
            self.file.write_text(text, encoding="utf-8")
            self.browser.open(self.file, fragment)
        self.browser.wait_for("document.querySelector('.node')")

    def search(self, text: str) -> None:
        """Search for a text and take the first result."""
        self.browser.press("/")
        self.browser.evaluate("document.getElementById('search').value = ''")
        self.browser.write(text)
        self.browser.press("Enter")

    def names(self, selector: str = ".node") -> set[str]:
        """Return the names of nodes or columns in the graph."""
        titles = (
            f"[...document.querySelectorAll('{selector}')].map(e => e.querySelector('title').textContent)"
        )
        return {name.removeprefix("db/").removeprefix("etl/") for name in self.browser.evaluate(titles)}

    def node(self, name: str) -> str:
        """Return an expression for a node."""
        kinds = ("dataset", "job", "group")
        labels = [
            f".node[aria-label{by}]" for kind in kinds for by in (f'="{kind} {name}"', f'^="{kind} {name},"')
        ]
        return f"document.querySelector('{', '.join(labels)}')"

    def columns(self, kind: str) -> set[str]:
        """Return dataset and name of columns with a class."""
        rows = self.browser.evaluate(
            f"[...document.querySelectorAll('g.column.{kind}')].map(row => ["
            "row.closest('.node').querySelector('title').textContent, row.querySelector('text').textContent])"
        )
        return {f"{dataset.removeprefix('db/')}.{column}" for dataset, column in rows}

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.browser.evaluate(f"document.querySelector('{selector}').textContent"))

    def key_of_legend(self, name: str) -> str:
        """Return an expression for an entry of the legend."""
        return f"[...document.querySelectorAll('#legend button')].find(key => key.title === '{name}')"

    @property
    def height_of_text(self) -> float:
        """The height of names in the drawing."""
        height = "document.querySelector('.node text').getBoundingClientRect().height"
        return float(self.browser.evaluate(height))

    @property
    def pages_when_printed(self) -> int:
        pdf = self.browser.call("Page.printToPDF", preferCSSPageSize=True)["data"]
        return base64.b64decode(pdf).count(b"/Type /Page\n")

    def groups(self) -> set[str]:
        """Return the names of groups that are drawn."""
        titles = "[...document.querySelectorAll('.node.group title')].map(title => title.textContent)"
        return set(self.browser.evaluate(titles))

    def is_in_view(self, elements: str) -> bool:
        """Return whether elements, given as a list, are inside the canvas."""
        return bool(
            self.browser.evaluate(
                "(() => { const frame = document.getElementById('canvas').getBoundingClientRect();"
                f" return [{elements}].map(one => one.getBoundingClientRect()).every(box =>"
                " box.left >= frame.left && box.right <= frame.right &&"
                " box.top >= frame.top && box.bottom <= frame.bottom); })()"
            )
        )

    @property
    def panel(self) -> str:
        """The text of the side panel, empty if it is hidden."""
        return str(self.browser.evaluate("document.getElementById('panel').hidden ? '' : panel.innerText"))

    def selected(self) -> set[str]:
        return self.names(".node.chosen")

    def drawings(self, *views: Sequence[str]) -> list[Drawing]:
        """Return the nodes and links as they are drawn, in one view after the other.

        Args:
            views: What to enter before: keys, and longer texts to search for.
        """
        return [
            Drawing([Rectangle(*node) for node in nodes], links_of_paths(paths))
            for nodes, paths in self.browser.evaluate(f"{_DRAWINGS}({json.dumps(views)})")
        ]
