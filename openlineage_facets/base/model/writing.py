"""Write values: the wire format, and pydantic's dumps, which have it by default."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from pydantic_core import PydanticSerializationError

from openlineage_facets.base.model.class_building import subclasses_of
from openlineage_facets.base.wire.pydantic_internals import is_built
from openlineage_facets.base.wire.wire_serialization import plain_serializer

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import SchemaSerializer

_UNWRITABLE = (PydanticSerializationError, TypeError, ValueError)


class Writing:
    """The methods that write a value."""

    if TYPE_CHECKING:
        __wire_serializer__: ClassVar[SchemaSerializer | None]

    def to_json(self, *, indent: int | None = None) -> bytes:
        """Return the wire format as UTF-8 JSON.

        Args:
            indent: Spaces per level; None for compact JSON on one line.

        Raises:
            EventError: A dict or list in it was changed later, and contains itself.
        """
        serializer = self.__wire_serializer__ or _wire_serializer(type(self))
        try:
            return serializer.to_json(self, indent=indent, by_alias=True, exclude_unset=True)
        except _UNWRITABLE:
            text: bytes = self._dumped("to_json", indent=indent)
            return text

    def to_json_text(self, *, indent: int | None = None) -> str:
        """Return the wire format as JSON text, to print it or to write it to a text file.

        Args:
            indent: Spaces per level; None for compact JSON on one line.
        """
        return self.to_json(indent=indent).decode()

    def to_dict(self) -> dict[str, Any]:
        """Return the wire format as plain JSON types."""
        serializer = self.__wire_serializer__ or _wire_serializer(type(self))
        try:
            value: dict[str, Any] = serializer.to_python(self, mode="json", by_alias=True, exclude_unset=True)
        except _UNWRITABLE:
            value = self._dumped("to_python", mode="json")
        return value

    def _dumped(
        self,
        method: str,
        *,
        by_alias: bool | None = None,
        exclude_unset: bool | None = None,
        **options: Any,
    ) -> Any:
        """Return what a method of the serializer returns; by default the wire format.

        `to_json` and `to_dict` call the serializer directly first, which is faster for small values.

        Raises:
            EventError: Something in this value was changed later and contains itself.
        """
        serializer = self.__wire_serializer__ or _wire_serializer(type(self))
        options["by_alias"], options["exclude_unset"] = by_alias is not False, exclude_unset is not False

        def dump() -> Any:
            return getattr(serializer, method)(self, **options)

        try:
            return dump()
        except _UNWRITABLE:
            _build_every_class()
        try:
            return dump()
        except _UNWRITABLE as error:
            from openlineage_facets.base.model.pydantic_errors import unwritable  # Only for errors.

            raise unwritable(cast("BaseModel", self), error) from None

    def model_dump(
        self,
        *,
        mode: Literal["json", "python"] | str = "python",
        by_alias: bool | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Return a dict by wire name, without absent fields.

        Args:
            mode: "json" for the wire format, as `to_dict()`; "python" keeps Python values such as
                `Timestamp`. `model_validate` reads it, unless an event that was parsed has the key of a
                standard facet on another entity; `from_json(to_dict())` reads every event.
            by_alias: False for Python names.
            options: As in pydantic. `exclude_unset=False` includes absent fields as None.
        """
        value: dict[str, Any] = self._dumped("to_python", mode=mode, by_alias=by_alias, **options)
        return value

    def model_dump_json(self, *, by_alias: bool | None = None, **options: Any) -> str:
        """Return the wire format as text; `to_json()` returns it as bytes.

        Args:
            by_alias: False for Python names, which are not the wire format.
            options: As in pydantic. `exclude_unset=False` includes absent fields as null.
        """
        text: bytes = self._dumped("to_json", by_alias=by_alias, **options)
        return text.decode()


def _wire_serializer(cls: Any) -> SchemaSerializer:
    """Return the serializer of a class, cached."""
    if not is_built(cls):
        cls.model_rebuild()
    cls.__wire_serializer__ = serializer = plain_serializer(cls)
    return serializer


def _build_every_class() -> None:
    """Build the classes whose building was deferred.

    Before 2.14, pydantic cannot serialize a value in an `Any` field if its class is not built yet.
    """
    for cls in subclasses_of(Writing):
        if not is_built(cls):
            # A class that cannot be built has no values. Its own use reports why, whatever the error is:
            # a name that is not defined, a module that is gone, a failing method of another package.
            with suppress(Exception):
                cls.model_rebuild(raise_errors=False)
