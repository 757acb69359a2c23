"""Where a schema stands, and what it would be called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.errors import SchemaError, pointer_of
from codegen.load import Document


@dataclass(frozen=True)
class Place:
    """The place of one schema.

    Args:
        document: The document that holds it.
        pointer: JSON Pointer to it.
        name: The class name it would get.
        parents: The class names of the schemas around it, innermost first.
    """

    document: Document
    pointer: str
    name: str
    parents: tuple[str, ...] = ()

    @property
    def is_definition(self) -> bool:
        """Whether the schema stands directly under `$defs`."""
        return self.pointer.count("/") == 2

    def names(self) -> Iterator[str]:
        """Yield names for a class made here: its own, then with ever more of the names around it in front."""
        name = self.name
        yield name
        for parent in self.parents:
            name = f"{parent}{name}"
            yield name
        yield f"{self.name}Object"

    def property(self, pointer: str, name: str) -> Place:
        """Return the place of a property of the class made here."""
        return Place(self.document, pointer, name, (self.name, *self.parents))

    def inside(self, *steps: str | int, name: str | None = None) -> Place:
        """Return the place of a schema inside this one, called `name` or the same."""
        return Place(self.document, f"{self.pointer}{pointer_of(steps)}", name or self.name, self.parents)

    def error(self, keyword: str, message: str) -> SchemaError:
        """Return an error about a keyword here."""
        return SchemaError(self.document.path, f"{self.pointer}{pointer_of([keyword])}", message)
