"""The base of every generated class: composing in Python fills in and asserts, reading keeps everything."""

# No postponed annotations here: pydantic reads the type of unknown fields off this class for every
# subclass, and would look up the postponed name in the subclass's module.

from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError, PydanticSerializationError, to_json
from typing_extensions import Self

from openlineage_facets.base.composer import Composer, composer_of, field_types, holds_facets, is_entity
from openlineage_facets.base.errors import EventError, Finding, json_pointer, shown
from openlineage_facets.base.fielddocs import field_docs
from openlineage_facets.base.given import READ_ONCE, cause_of, listed, unnamed
from openlineage_facets.base.jsontext import json_text, json_value
from openlineage_facets.base.keywords import did_you_mean
from openlineage_facets.base.rows import UnreadRows
from openlineage_facets.base.short import Short
from openlineage_facets.base.types import Json

if TYPE_CHECKING:
    from pydantic import Field, GetJsonSchemaHandler, PrivateAttr
    from pydantic._internal._model_construction import ModelMetaclass
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema
    from typing_extensions import dataclass_transform

    # Type checkers take the fields of a pydantic model for assignable, whatever its config says.
    @dataclass_transform(
        kw_only_default=True, frozen_default=True, eq_default=False, field_specifiers=(Field, PrivateAttr)
    )
    class _Frozen(ModelMetaclass): ...
else:
    _Frozen = type(BaseModel)

__all__ = ["Model"]


class Model(BaseModel, metaclass=_Frozen):
    """A frozen value of the OpenLineage specification.

    Constructing one in Python takes each field by its Python name or its wire name, fills in what can
    be known, and raises `EventError` for anything wrong. Reading one (`from_json`) takes wire names
    alone and accepts exactly what the schema does, unknown fields included.
    """

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        defer_build=True,
        protected_namespaces=(),
        ser_json_inf_nan="constants",  # None are composed, nor read but tolerantly, which keeps what came.
        allow_inf_nan=False,
        str_min_length=0,  # Any length will do; to measure it, pydantic looks for lone surrogates.
    )

    if not TYPE_CHECKING:
        __pydantic_extra__: dict[str, Json]

    __defaults__: ClassVar[Mapping[str, Callable[[Any], object]]] = {}
    """What composing fills in: a factory for each wire name, called with the class."""

    __open__: ClassVar[bool] = False
    """Whether composing takes fields that the class does not declare."""

    @classmethod
    def __check_composed__(cls, wire: dict[str, Any]) -> None:
        """Assert what composing promises beyond the schema; raise `EventError` where it fails."""

    # pydantic runs a custom __init__ for every value it reads, but for one marked as the base's own.
    # Marked, composing is this method and reading never leaves pydantic-core.
    if not TYPE_CHECKING:

        def __init__(self, /, *given: Any, **fields: Any) -> None:
            cls = type(self)
            if given:
                raise TypeError(_fields_by_name(cls, given[0]))
            by_python_name, _, optional, _, is_plain, _ = _names(cls)
            if is_plain and fields.keys() <= by_python_name.keys() and _are_ready(fields.values()):
                try:
                    self.__pydantic_validator__.validate_python(
                        fields, self_instance=self, by_alias=False, by_name=True
                    )
                    return
                except ValidationError:
                    pass  # What follows says what is wrong, by wire names.
            wire = {}
            for name, value in fields.items():
                key = by_python_name.get(name)
                if key is None:
                    wire = _without_absent(_by_wire_name(cls, fields), optional)
                    break
                if value is not None or key not in optional:
                    wire[key] = listed(value, key) if type(value) in READ_ONCE else value
            for key, default in cls.__defaults__.items():
                if wire.get(key) is None:
                    wire[key] = default(cls)
            self._compose(wire)

        __init__.__pydantic_base_init__ = True
        __init__.__signature__ = Signature(
            [
                Parameter("self", Parameter.POSITIONAL_ONLY),
                Parameter("fields", Parameter.VAR_KEYWORD, annotation=Any),
            ],
            return_annotation=None,
        )

        def __setattr__(self, name: str, value: object) -> None:
            if name.startswith("_"):
                super().__setattr__(name, value)
            else:
                hint = f"replace({name}=...) gives a changed copy"
                raise AttributeError(f"{type(self).__name__} is immutable; {hint}")

        def __delattr__(self, name: str) -> None:
            if name.startswith("_"):
                super().__delattr__(name)
            else:
                hint = f"replace({name}=None) gives a copy without an optional field"
                raise AttributeError(f"{type(self).__name__} is immutable; {hint}")

    @classmethod
    def from_json(cls, data: str | bytes | bytearray | Mapping[str, Any]) -> Self:
        """Read one value from its wire form, strictly and without loss.

        Args:
            data: JSON text, or a JSON object as `json.loads` gives it.

        Raises:
            EventError: The text is no JSON, or the value is not what the schema says.
        """
        text = json_text(data)
        try:
            value: Self = cls.__pydantic_validator__.validate_json(text, strict=True)
        except ValidationError as first:
            document = json_value(text)
            if document is None:
                raise EventError.of(first, None) from None
            # Of a key that stands twice in one object, the last counts, in maps as everywhere else.
            try:
                value = cls.__pydantic_validator__.validate_json(to_json(document), strict=True)
            except ValidationError as error:
                raise EventError.of(error, document) from None
        return value

    def to_json(self) -> bytes:
        """Return the wire form as compact UTF-8 JSON."""
        serializer = self.__pydantic_serializer__
        try:
            return serializer.to_json(self, by_alias=True, exclude_unset=True)
        except PydanticSerializationError:
            _build_every_class()
            return serializer.to_json(self, by_alias=True, exclude_unset=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the wire form as plain JSON types."""
        serializer = self.__pydantic_serializer__
        try:
            value: dict[str, Any] = serializer.to_python(self, mode="json", by_alias=True, exclude_unset=True)
        except TypeError:
            _build_every_class()
            value = serializer.to_python(self, mode="json", by_alias=True, exclude_unset=True)
        return value

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, checked like a new value.

        Args:
            changes: New values by Python name or wire name; None takes an optional field out.

        Raises:
            EventError: A changed value is wrong.
        """
        cls = type(self)
        names = wire_names(cls)
        kept = {names[name]: self.__dict__[name] for name in self.model_fields_set if name in names}
        wire = {**kept, **(self.__pydantic_extra__ or {}), **_by_wire_name(cls, changes)}
        copy = cls.__new__(cls)
        copy._compose(_without_absent(wire, _names(cls).optional))
        return copy

    def _compose(self, wire: dict[str, Any]) -> None:
        """Assert composed fields, under their wire names, and make this value of them."""
        cls = type(self)
        cls.__check_composed__(wire)
        names = _names(cls)
        if names.identity and "" in map(wire.get, names.identity):
            raise EventError(unnamed(name, "") for name in names.identity if wire.get(name) == "")
        composer = _composer(cls, names)
        if composer and wire.keys() <= names.by_wire_name.keys():
            try:
                composer.validate(wire, self_instance=self)
                for rule in composer.rules:
                    rule(self)
                return
            except (ValidationError, PydanticCustomError):
                pass  # The schema of the whole takes more, and says what is wrong.
        try:
            self.__pydantic_validator__.validate_python(wire, self_instance=self)
        except ValidationError as error:
            raise EventError.of(error, wire) from cause_of(error)
        for name, value in wire.items():
            if type(value) in _ROWS:
                _assert_known(value, self.__dict__.get(names.by_wire_name.get(name, "")), (name,))

    def wire_names_set(self) -> set[str]:
        """Return the wire names of the fields this value holds, unknown ones included."""
        unknown = self.__pydantic_extra__ or {}
        held = {
            wire
            for name, wire in wire_names(type(self)).items()
            if name in self.model_fields_set and (name not in unknown or self.__dict__[name] is not None)
        }
        return held.union(unknown)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: "CoreSchema", handler: "GetJsonSchemaHandler"
    ) -> "JsonSchemaValue":
        described = handler(schema)
        properties = handler.resolve_ref_schema(described).get("properties", {})
        docs = field_docs(cls)
        for name, wire in wire_names(cls).items():
            if name in docs and wire in properties:
                properties[wire].setdefault("description", docs[name])
        for described_field in properties.values():
            if described_field.get("default", "") is None:
                del described_field["default"]  # None stands for an absent field; it is no value of it.
        return described

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        held = [
            (name, value.values() if type(value) is UnreadRows else value)
            for name, value in self.__dict__.items()
            if name in self.model_fields_set
        ]
        wire = wire_names(type(self))
        told = [
            (name, value) for name, value in held if wire[name] not in self.__defaults__ or name == "run_id"
        ]
        return [(name, Short(value)) for name, value in [*told, *(self.__pydantic_extra__ or {}).items()]]


def _fields_by_name(cls: type[Model], given: object) -> str:
    """Return what to say of a field that was given without its name."""
    _, by_wire_name, optional, *_ = _names(cls)
    asked = [name for wire, name in by_wire_name.items() if wire not in optional.union(cls.__defaults__)]
    example = f"{cls.__name__}({', '.join(f'{name}=...' for name in asked) or '...'})"
    return f"{cls.__name__} takes fields by name, as in {example}; found {shown(given)} without a name"


def _build_every_class() -> None:
    """Build the classes whose building was deferred.

    Before 2.14, pydantic cannot write a value, found where any may stand, of a class it has not built yet.
    """
    classes = Model.__subclasses__()
    while classes:
        cls = classes.pop()
        classes += cls.__subclasses__()
        if not cls.__pydantic_complete__:
            cls.model_rebuild()


class _Names(NamedTuple):
    """The wire names of a class's declared fields."""

    by_python_name: dict[str, str]
    by_wire_name: dict[str, str]
    optional: frozenset[str]
    holds_facets: bool
    is_plain: bool
    """Whether composing a value of the class adds nothing to what its fields say."""
    identity: tuple[str, ...]
    """The fields that name an entity."""


_NAMES: dict[type[Model], _Names] = {}


def _names(cls: type[Model]) -> _Names:
    """Return the names of a class, worked out when it is first used."""
    names = _NAMES.get(cls)
    if names is None:
        fields = cls.model_fields
        by_python_name = _names_now(cls) | _later_names(cls)
        by_wire_name = {wire: name for name, wire in by_python_name.items()}
        optional = (by_python_name[name] for name, field in fields.items() if not field.is_required())
        has_facets = holds_facets(cls)
        is_plain = not cls.__defaults__ and cls._compose is Model._compose and not has_facets
        identity = tuple(name for name in ("namespace", "name") if name in by_wire_name and is_entity(cls))
        names = _Names(by_python_name, by_wire_name, frozenset(optional), has_facets, is_plain, identity)
        _NAMES[cls] = names
    return names


def _names_now(cls: type[Model]) -> dict[str, str]:
    """Return the wire names of fields, as far as pydantic knows them."""
    fields = cls.model_fields.items()
    return {name: name if field.alias is None else field.alias for name, field in fields}


def _later_names(cls: type[Model]) -> dict[str, str]:
    """Return the wire names of fields that pydantic has left aside, since they name a class further down."""
    if cls.__pydantic_complete__ or cls.__pydantic_fields_complete__:
        return {}
    try:
        types = field_types(cls)
    except NameError:
        cls.model_rebuild()
        return _names_now(cls)
    notes = {name: getattr(kind, "__metadata__", ()) for name, kind in types.items()}
    aliases = [(name, getattr(note, "alias", None)) for name, held in notes.items() for note in held]
    return {name: alias for name, alias in aliases if alias is not None}


_COMPOSERS: dict[type[Model], Composer | None] = {}


def _composer(cls: type[Model], names: _Names) -> Composer | None:
    """Return what composes a class that holds facets, made when it is first used."""
    if cls not in _COMPOSERS:
        _COMPOSERS[cls] = composer_of(cls, names.by_python_name) if names.holds_facets else None
    return _COMPOSERS[cls]


def _are_ready(values: Iterable[Any]) -> bool:
    """Tell whether composed fields are all there, without plain rows to look into."""
    for value in values:
        kind = type(value)
        if kind in _SCALARS:
            continue
        if kind is list or kind is tuple:
            if not all(isinstance(one, Model) for one in value):
                return False
        elif not isinstance(value, Model):
            return False
    return True


_SCALARS = frozenset({str, int, float, bool})


def wire_names(cls: type[Model]) -> dict[str, str]:
    """Return the wire name of each declared field by its Python name."""
    return _names(cls).by_python_name


def _by_wire_name(cls: type[Model], fields: dict[str, Any]) -> dict[str, Any]:
    """Return composed fields under their wire names, or raise for a name nobody knows."""
    names = wire_names(cls)
    wire: dict[str, Any] = {}
    for name, value in fields.items():
        key = names.get(name)
        if key is None:
            if name not in names.values() and not cls.__open__:
                raise EventError([_unknown(cls, names, (name,))])
            key = name
        if key in wire:
            python = next(one for one, other in names.items() if other == key)
            hint = f"give it as {python!r} or as {key!r}, not both"
            raise EventError([Finding(json_pointer([key]), "one value", "two", hint, "OL014")])
        wire[key] = listed(value, key) if type(value) in READ_ONCE else value
    return wire


def _without_absent(wire: dict[str, Any], optional: frozenset[str]) -> dict[str, Any]:
    """Return composed fields without those that None leaves out."""
    return {name: value for name, value in wire.items() if value is not None or name not in optional}


_ROWS = frozenset({dict, list, tuple})
"""What plain rows come in, or are."""


def _assert_known(given: Any, made: Any, steps: tuple[str | int, ...]) -> None:
    """Refuse unknown fields in the plain rows of which nested values were made."""
    if isinstance(made, Model):
        if isinstance(given, Mapping):
            cls = type(made)
            for name in made.__pydantic_extra__ or ():
                wire = wire_names(cls).get(name)
                known = [wire] if wire else _names(cls).by_wire_name
                raise EventError([_unknown(cls, known, (*steps, name))])
            for name, python in _names(cls).by_wire_name.items():
                _assert_known(given.get(name), made.__dict__[python], (*steps, name))
    elif isinstance(made, tuple) and isinstance(given, (list, tuple)):
        for number, (row, value) in enumerate(zip(given, made, strict=False)):
            if not isinstance(row, Model):
                _assert_known(row, value, (*steps, number))
    elif isinstance(made, dict) and isinstance(given, Mapping):
        for key, value in made.items():
            _assert_known(given.get(key), value, (*steps, key))


def _unknown(cls: type[Model], names: Iterable[str], steps: tuple[str | int, ...]) -> Finding:
    """Return the finding of a field that is none of `names`, at `steps`."""
    hint = did_you_mean(str(steps[-1]), names)
    return Finding(json_pointer(steps), f"a field of {cls.__name__}", "none of that name", hint, "OL014")
