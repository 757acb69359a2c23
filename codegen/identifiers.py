"""Python identifiers for wire names: valid, distinct, and different from names with a meaning in Python."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Container, Iterable
from itertools import pairwise

_MODEL_NAMES = frozenset(
    """
    construct copy dict from_json from_orm json model_computed_fields model_config model_construct model_copy
    model_dump model_dump_json model_extra model_fields model_fields_set model_json_schema
    model_parametrized_name model_post_init model_rebuild model_validate model_validate_json
    model_validate_strings mro parse_file parse_obj parse_raw register replace schema schema_json self
    to_dict to_json to_json_text update_forward_refs validate
    """.split()
)
"""Attributes of pydantic's BaseModel, of our Model and of their metaclass, which a field would hide."""

_CONTAINER_NAMES = frozenset(
    """
    facets get items keys self values with_facets without
    """.split()
)
"""Attributes of a facet container, and the parameters of its constructor."""

_BUILDER_NAMES = frozenset(
    "build build_changes delete facet has_changes mark_sent restored_on_error self tag".split()
)
"""Methods of every entity builder."""

_BODY_NAMES = frozenset(
    """
    bool datetime dict float forbid_together int keep_nulls_apart keep_unknown_apart model_validator object
    or_empty property require_any require_one require_with str tuple
    """.split()
)
"""Names that class bodies use: after a field `str`, the annotation `str` would mean that field."""

_CLASS_NAMES = frozenset(
    """
    Annotated Any BaseModel Branch ClassVar EntityModel Enum EventModel Exactly FILLED_IN FacetMap FacetModel
    Field Integer Iterable Json JsonObject Literal Mapping Maybe Model Number OneOf Optional RunModel Self
    StrEnum StrictBool StrictStr TYPE_CHECKING Timestamp TypeAlias TypeAliasType UUID Union UriText UuidText
    """.split()
)
"""Names that generated modules import."""

_MODULE_NAMES = frozenset({"annotations", "containers", "index", "registry", "builders"})
"""Modules that are not generated from a single schema."""


def snake_case(name: str) -> str:
    """Return `name` as a valid lower-case identifier: `runId` -> `run_id`, `addedDVs` -> `added_dvs`."""
    return _identifier(_split_words(name).lower(), "field")


def pascal_case(name: str) -> str:
    """Return `name` as a valid class name: `inputFields` -> `InputFields`."""
    words = _python_characters(name).split("_")
    return _identifier("".join(word[:1].upper() + word[1:] for word in words), "Model")


def singular(name: str) -> str:
    """Return the name of one entry of `name`: `owners` -> `owner`, `entries` -> `entry`."""
    if re.search(r"[^aeiou]ies$", name):
        return name[:-3] + "y"
    if re.search(r"(ss|x|ch|sh)es$", name):
        return name[:-2]
    return name[:-1] if re.search(r"[^s]s$", name) else f"{name}Item"


def attribute_names(wires: Iterable[str], inherited: Collection[str] = ()) -> dict[str, str]:
    """Return a Python name for each wire name, with an underscore appended if it would hide something."""
    distinct = _Distinct(_MODEL_NAMES | _BODY_NAMES, inherited)
    return {wire: distinct(snake_case(wire)) for wire in _python_style_first(wires)}


def slot_names(keys: Iterable[str]) -> dict[str, str]:
    """Return a Python name for each facet key of a container."""
    distinct = _Distinct(_CONTAINER_NAMES)
    return {key: distinct(snake_case(key)) for key in _python_style_first(keys)}


def _python_style_first(wires: Iterable[str]) -> list[str]:
    """Return wire names, those first that are Python names already: they keep theirs."""
    return sorted(wires, key=lambda wire: (snake_case(wire) != wire, wire))


def method_names(slots: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the builder method for each facet key of each container field of an entity.

    If two containers of one entity share a key, the second method is prefixed with the field's entity:
    `data_quality_metrics` adds the dataset's facet, `input_data_quality_metrics` the input's.
    """
    distinct = _Distinct(_BUILDER_NAMES)
    names: dict[tuple[str, str], str] = {}
    for field, key in slots:
        name = snake_case(key)
        if name in distinct.taken:
            name = f"{field.removesuffix('_facets')}_{name}"
        names[field, key] = distinct(name)
    return names


def module_aliases(modules: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """Return the name under which to import each module: its own, with an underscore if that is taken."""
    distinct = _Distinct((), taken)
    return {module: distinct(module) for module in sorted(modules)}


def class_name(name: str) -> str:
    """Return the class name of a definition, with `Model` appended if the name has another meaning.

    A name without upper and lower case, such as Chinese ones, could be that of the field with this class.
    """
    text = pascal_case(name)
    is_taken = text in _CLASS_NAMES or keyword.iskeyword(text) or hasattr(builtins, text)
    return f"{text}Model" if is_taken or text == snake_case(text) else text


def module_name(stem: str) -> str:
    """Return the module name of a schema file: `ParentRunFacet` -> `parent_run`."""
    name = snake_case(stem.removesuffix("Facet") or stem)
    if name in _MODULE_NAMES:
        name = snake_case(stem)
    return f"{name}_" if name in _MODULE_NAMES or keyword.iskeyword(name) else name


def member_names(values: Iterable[str]) -> tuple[str, ...]:
    """Return an enumeration member name for each value."""
    distinct = _Distinct({"MRO", "NAME", "VALUE"})
    return tuple(
        distinct(
            _identifier(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", _python_characters(value)).upper(), "VALUE")
        )
        for value in values
    )


class _Distinct:
    """Makes names distinct: `name`, `name_`, `name__`, then `name_3`, `name_4`.

    Args:
        reserved: Names not to use.
        taken: More names not to use.
    """

    def __init__(self, reserved: Container[str], taken: Collection[str] = ()) -> None:
        self.taken = set(taken)
        self._reserved = reserved
        self._next: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        count = self._next.get(name, 0)
        while self._is_taken(candidate := name + "_" * count if count < 3 else f"{name}_{count}"):
            count += 1
        self._next[name] = count
        self.taken.add(candidate)
        return candidate

    def _is_taken(self, name: str) -> bool:
        return name in self.taken or name in self._reserved or keyword.iskeyword(name)


def _split_words(name: str) -> str:
    """Return `name` with an underscore between its words: `runId` -> `run_Id`, `addedDVs` -> `added_Dvs`."""
    text = _python_characters(name)
    # Each expression starts at one place of a run of capitals only, which keeps it linear.
    text = re.sub(r"(?<![A-Z])([A-Z]+s)(?=$|[A-Z_])", lambda match: match[1].capitalize(), text)
    shape = "".join(char if char.isascii() else "A" if char.isupper() else "a" for char in text)
    ends = (match.start() for match in re.finditer(r"(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])", shape))
    places = [0, *ends, len(text)]
    return "_".join(text[start:end] for start, end in pairwise(places))


def _python_characters(name: str) -> str:
    """Return `name` as Python reads identifiers, with `_` for each character that is no letter or digit.

    Identifiers may contain combining characters, too, but datamodel-code-generator replaces them.
    """
    text = re.sub(r"\W", "_", unicodedata.normalize("NFKC", name))
    if f"a{text}".isidentifier():  # All but a few letters and digits, which are looked for one by one.
        return text
    return "".join(char if f"a{char}".isidentifier() else "_" for char in text)


def _identifier(text: str, fallback: str) -> str:
    """Return `text` as an identifier that does not begin with an underscore.

    Changing the case can change how Python reads a character, so this is the last step.
    """
    text = re.sub(r"_+", "_", _python_characters(text)).strip("_")
    if not text:
        return fallback.lower() + "_" if fallback == "field" else fallback
    return text if text.isidentifier() else f"{fallback}_{text}"
