"""Nested items of a facet, kept as plain JSON until they are accessed.

A schema facet has an item for each column. Most items are only composed and serialized, or parsed and never
accessed. They are validated, but their objects are created only by an access such as `facet.fields`.
"""

from __future__ import annotations

from typing import Any

from openlineage_facets.base.wire.pydantic_internals import validator_of


class LazyItems:
    """Validated nested items as plain JSON: a list, or a dict by key.

    Args:
        item_class: The class of each item.
        plain: The items in the wire format. No one else has a reference to it.
    """

    __slots__ = ("_values", "item_class", "plain")

    def __init__(self, item_class: type[Any], plain: Any) -> None:
        self.item_class = item_class
        self.plain = plain
        self._values: Any = None

    def values(self) -> Any:
        """Return the items as a tuple or a dict of objects, created on first use."""
        if self._values is None:
            validate = validator_of(self.item_class).validate_python
            if isinstance(self.plain, list):
                self._values = tuple(map(validate, self.plain))
            else:
                self._values = {key: validate(item) for key, item in self.plain.items()}
        return self._values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyItems):
            return self.item_class is other.item_class and self.plain == other.plain
        return bool(self.values() == other)

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        return repr(self.values())

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyItems, (self.item_class, self.plain)

    def __deepcopy__(self, memo: dict[int, Any]) -> LazyItems:
        return self  # Immutable.


class LazyItemsAttribute:
    """Descriptor of a field with lazy items."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, facet: Any, owner: type[Any]) -> Any:
        value = facet.__dict__.get(self._name, self) if facet is not None else self
        if value is self:
            # pydantic would use a class attribute as the default of the field.
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        return value.values() if type(value) is LazyItems else value

    def __set__(self, facet: Any, value: object) -> None:
        facet.__dict__[self._name] = value  # `Model.__setattr__` rejects assignments by users.


def plain_items(facet: Any, name: str) -> Any:
    """Return the nested items of a field in the wire format, None without it; no objects are created."""
    items = facet.__dict__.get(name)
    if type(items) is LazyItems:
        return items.plain
    if isinstance(items, dict):
        return {key: item.to_dict() for key, item in items.items()}
    return None if items is None else [item.to_dict() for item in items]
