"""Rows of a facet, left as the JSON they are until somebody reads them.

A schema facet has a row for each column, and most rows go from a plain dict onto the wire, or come with a
facet of which nobody reads them. They are checked all the same, but without an object for each; reading
`facet.fields` makes the values.
"""

from __future__ import annotations

from typing import Any

__all__ = ["RowsAttribute", "UnreadRows"]


class UnreadRows:
    """Checked rows as plain JSON, a list or a dict by key.

    Args:
        row: The class of each row.
        plain: The rows in their wire form, which nobody else holds.
    """

    __slots__ = ("_values", "plain", "row")

    def __init__(self, row: type[Any], plain: Any) -> None:
        self.row = row
        self.plain = plain
        self._values: Any = None

    def values(self) -> Any:
        """Return the rows as a tuple, or a dict, of values."""
        if self._values is None:
            read = self.row.__pydantic_validator__.validate_python
            if isinstance(self.plain, list):
                self._values = tuple(map(read, self.plain))
            else:
                self._values = {key: read(row) for key, row in self.plain.items()}
        return self._values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, UnreadRows):
            return self.row is other.row and self.plain == other.plain
        return bool(self.values() == other)

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        return repr(self.values())

    def __reduce__(self) -> tuple[Any, ...]:
        return UnreadRows, (self.row, self.plain)

    def __deepcopy__(self, memo: dict[int, Any]) -> UnreadRows:
        return self  # As immutable as the tuple it stands for.


class RowsAttribute:
    """The attribute of a field that holds rows."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, facet: Any, owner: type[Any]) -> Any:
        held = facet.__dict__.get(self._name, self) if facet is not None else self
        if held is self:
            # What pydantic finds on a class it would take for the default of the field.
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        return held.values() if type(held) is UnreadRows else held

    def __set__(self, facet: Any, value: object) -> None:
        facet.__dict__[self._name] = value  # Frozen values have refused before.
