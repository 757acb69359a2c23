"""What holds for every value of a class: JSON can represent it, it is written as it was read.

Both are decided by the types of the fields. "No" means that it may not hold: a class of other code may do
anything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from enum import EnumMeta
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import Strict
from pydantic.fields import FieldInfo

from openlineage_facets.base.model import rules
from openlineage_facets.base.model.class_building import resolve_fields
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.base.wire.pydantic_internals import (
    declared_fields,
    field_validators,
    has_serializers,
    is_called_only_to_compose,
    model_validators,
    unknown_fields_annotation,
)
from openlineage_facets.base.wire.types import WRITE_AS_READ

if TYPE_CHECKING:
    from collections.abc import Set


def is_json_only(cls: type[Model]) -> bool:
    """Return whether JSON can represent every value of a class; False means that it may be unable to."""
    return _JSON_ONLY.of_class(cls, set())


def writes_as_read(cls: type[Model]) -> bool:
    """Return whether every value of a class is written as it was read; False means that some may not be."""
    return _LOSSLESS.of_class(cls, set())


class _Property(ABC):
    """A property of classes that depends on the types of their fields."""

    types: ClassVar[Set[Any]]
    """The types whose values have it."""

    generics: ClassVar[Set[Any]]
    """The generic types whose values have it if those of the arguments have it."""

    def __init__(self) -> None:
        self._known: dict[type[Model], bool] = {}

    @abstractmethod
    def allows_class(self, cls: type[Model]) -> bool:
        """Return whether the configuration and the methods of a class allow it."""

    @abstractmethod
    def allows_constants(self, constants: Iterable[Any]) -> bool:
        """Return whether the values of an enum or a `Literal` have it."""

    @abstractmethod
    def of_annotated(self, annotation: Any, metadata: Sequence[Any], checked: set[type[Model]]) -> bool:
        """Return whether the values of a type with metadata have it."""

    def of_class(self, cls: type[Model], checked: set[type[Model]]) -> bool:
        """Return whether the values of a class have it, cached.

        Args:
            cls: The class.
            checked: The classes that are checked with it. For a recursive one, its other fields decide, which
                is known of all of them together at the end.
        """
        if cls in self._known or cls in checked:
            return self._known.get(cls, True)
        if not resolve_fields(cls):
            return False  # Unknown until its types are defined.
        is_first = not checked
        checked.add(cls)
        fields = declared_fields(cls).values()
        if not self.allows_class(cls) or not all(
            self.of_annotated(field.annotation, field.metadata, checked) for field in fields
        ):
            self._known[cls] = False
            return False
        if is_first:
            self._known.update(dict.fromkeys(checked, True))
        return True

    def of_type(self, annotation: Any, checked: set[type[Model]]) -> bool:
        """Return whether the values of a type have it."""
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self.of_annotated(arguments[0], arguments[1:], checked)
        if origin is Literal or isinstance(annotation, EnumMeta):
            return self.allows_constants(arguments or annotation)
        if arguments:
            parts = (argument for argument in arguments if argument is not ...)
            is_known = origin in self.generics or _is_container(origin)
            return is_known and all(self.of_type(part, checked) for part in parts)
        if isinstance(annotation, type) and issubclass(annotation, Model):
            return self.of_class(annotation, checked)
        return annotation in self.types or _is_container(annotation)


def _is_container(kind: Any) -> bool:
    return hasattr(kind, "__slots_by_key__")


_COLLECTIONS = frozenset({list, tuple, dict, deque, Iterable, Sequence, Mapping, Union, UnionType})


class _JsonOnly(_Property):
    types = frozenset({str, int, float, bool, type(None), None})
    generics = _COLLECTIONS | {set, frozenset}

    def allows_class(self, cls: type[Model]) -> bool:
        return not cls.model_config.get("allow_inf_nan")

    def allows_constants(self, constants: Iterable[Any]) -> bool:
        return True

    def of_annotated(self, annotation: Any, metadata: Sequence[Any], checked: set[type[Model]]) -> bool:
        is_finite = not _allows_infinity(metadata)
        return is_finite and (any(map(_is_ours, metadata)) or self.of_type(annotation, checked))


def _allows_infinity(metadata: Iterable[Any]) -> bool:
    """Return whether the metadata of an annotation accepts infinite numbers and NaN."""
    return any(
        getattr(note, "allow_inf_nan", None) is True
        or (isinstance(note, FieldInfo) and _allows_infinity(note.metadata))
        for note in metadata
    )


def _is_ours(note: Any) -> bool:
    """Return whether the metadata of an annotation is that of a type in `base/wire/types.py`."""
    return type(note).__module__.startswith("openlineage_facets.base.")


class _Lossless(_Property):
    types = frozenset({str, int, bool, type(None), None, list, dict, Any, Timestamp})
    generics = _COLLECTIONS

    def allows_class(self, cls: type[Model]) -> bool:
        """Return whether a class has the configuration, constructor and methods of a generated class."""
        extra = unknown_fields_annotation(cls)
        return (
            {**cls.model_config, "extra": "allow"} == Model.model_config
            and cls.model_config.get("extra") in ("allow", "forbid")
            and is_called_only_to_compose(cls.__init__)
            and extra is not None
            and extra[0] is Model
            and not has_serializers(cls)
            and not field_validators(cls)
            and all(validator.func.__module__ == rules.__name__ for validator in model_validators(cls))
            and not any(field.exclude for field in declared_fields(cls).values())
        )

    def allows_constants(self, constants: Iterable[Any]) -> bool:
        return all(isinstance(constant, str) for constant in constants)

    def of_annotated(self, annotation: Any, metadata: Sequence[Any], checked: set[type[Model]]) -> bool:
        """Return whether a type with metadata is lossless: metadata may replace it, or only check it."""
        is_replaced = any(isinstance(note, WRITE_AS_READ) for note in metadata)
        return (is_replaced or self.of_type(annotation, checked)) and all(map(_is_check, metadata))

    def of_type(self, annotation: Any, checked: set[type[Model]]) -> bool:
        has_other_keys = get_origin(annotation) is dict and get_args(annotation)[0] is not str
        return not has_other_keys and super().of_type(annotation, checked)


def _is_check(note: Any) -> bool:
    """Return whether the metadata of a type is ours, or only accepts or rejects values."""
    return (
        type(note).__module__ == "annotated_types"
        or _is_ours(note)
        or isinstance(note, (Strict, FieldInfo))
        or getattr(note, "__dict__", {}).keys() == {"pattern"}
    )


_JSON_ONLY, _LOSSLESS = _JsonOnly(), _Lossless()
