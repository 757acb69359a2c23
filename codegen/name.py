"""Names in Python for names on the wire: valid, free of collisions, never numbered."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable

_MODEL_NAMES = frozenset(
    """
    construct copy dict from_json from_orm json model_computed_fields model_config model_construct model_copy
    model_dump model_dump_json model_extra model_fields model_fields_set model_json_schema
    model_parametrized_name model_post_init model_rebuild model_validate model_validate_json
    model_validate_strings mro parse_file parse_obj parse_raw replace schema schema_json self to_dict to_json
    update_forward_refs validate wire_names_set
    """.split()
)
"""Attributes of pydantic's BaseModel and of our own Model, which a field of that name would hide."""

_CONTAINER_NAMES = frozenset(
    """
    base_facet facets get items keys of_facets self slots values with_facets without written_as_mapping
    """.split()
)
"""Attributes of a facet container, and the parameters of its constructor."""

_BUILDER_NAMES = frozenset(
    "build build_news delete facet has_news mark_sent restored_on_error self tag".split()
)
"""Methods of every entity builder."""

_BODY_NAMES = frozenset(
    """
    bool datetime dict float forbid_together int keep_nulls_apart keep_unknown_apart model_validator object
    require_with str tuple
    """.split()
)
"""Names that class bodies use: a field called `str` would be what the next annotation means by it."""

_CLASS_NAMES = frozenset(
    """
    Annotated Any BaseModel Branch ClassVar Enum EventModel Exactly FILLED_IN FacetMap FacetModel Field
    Integer Iterable Json JsonObject Literal Mapping Maybe Model Number OneOf Optional RunModel Self StrEnum
    StrictBool StrictStr TYPE_CHECKING Timestamp TypeAlias UUID Union UriText UuidText
    """.split()
)
"""Names that generated modules import."""

_MODULE_NAMES = frozenset({"annotations", "containers", "registry", "builders"})
"""Modules that are generated from no single schema."""


def snake_case(name: str) -> str:
    """Return `name` as a valid lower-case identifier: `runId` -> `run_id`, `addedDVs` -> `added_dvs`."""
    text = re.sub(r"([A-Z]+s)(?=$|[A-Z_])", lambda match: match[1].capitalize(), _ascii(name))
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", text)
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text)
    return _identifier(text.lower(), "field")


def pascal_case(name: str) -> str:
    """Return `name` as a valid class name: `inputFields` -> `InputFields`."""
    words = re.split(r"[^0-9A-Za-z]+", _ascii(name))
    return _identifier("".join(word[:1].upper() + word[1:] for word in words if word), "Model")


def singular(name: str) -> str:
    """Return the name of one entry of `name`: `owners` -> `owner`, `entries` -> `entry`."""
    if re.search(r"[^aeiou]ies$", name):
        return name[:-3] + "y"
    if re.search(r"(ss|x|ch|sh)es$", name):
        return name[:-2]
    return name[:-1] if re.search(r"[^s]s$", name) else f"{name}Item"


def attribute_names(wires: Iterable[str], inherited: Collection[str] = ()) -> dict[str, str]:
    """Return a Python name for each wire name, an underscore behind those that would hide something."""
    taken = set(inherited)
    names: dict[str, str] = {}
    # A property already spelled as Python spells it keeps its name; the others make way.
    for wire in sorted(wires, key=lambda wire: (snake_case(wire) != wire, wire)):
        name = snake_case(wire)
        while name in taken or name in _MODEL_NAMES or name in _BODY_NAMES or keyword.iskeyword(name):
            name += "_"
        taken.add(name)
        names[wire] = name
    return names


def slot_names(keys: Iterable[str]) -> dict[str, str]:
    """Return a Python name for each facet key of a container."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    for key in sorted(keys, key=lambda key: (snake_case(key) != key, key)):
        name = snake_case(key)
        while name in taken or name in _CONTAINER_NAMES or keyword.iskeyword(name):
            name += "_"
        taken.add(name)
        names[key] = name
    return names


def method_names(slots: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the builder method for each facet key of each container field of an entity.

    Where two containers of one entity share a key, the field's entity comes in front for the second:
    `data_quality_metrics` is the dataset's, `input_data_quality_metrics` the read's.
    """
    taken: set[str] = set()
    names: dict[tuple[str, str], str] = {}
    for field, key in slots:
        name = snake_case(key)
        if name in taken:
            name = f"{field.removesuffix('_facets')}_{name}"
        while name in taken or name in _BUILDER_NAMES or keyword.iskeyword(name):
            name += "_"
        taken.add(name)
        names[field, key] = name
    return names


def class_name(name: str) -> str:
    """Return the class name of a definition, with `Model` behind it where the name means something else."""
    text = name if re.fullmatch(r"[A-Z][0-9A-Za-z]*", name) else pascal_case(name)
    return (
        f"{text}Model" if text in _CLASS_NAMES or keyword.iskeyword(text) or hasattr(builtins, text) else text
    )


def module_name(stem: str) -> str:
    """Return the module name of a schema file: `ParentRunFacet` -> `parent_run`."""
    name = snake_case(stem.removesuffix("Facet") or stem)
    if name in _MODULE_NAMES:
        name = snake_case(stem)
    return f"{name}_" if name in _MODULE_NAMES or keyword.iskeyword(name) else name


def member_names(values: Iterable[str]) -> tuple[str, ...]:
    """Return an enumeration member name for each value."""
    taken: set[str] = set()
    names = []
    for value in values:
        name = _identifier(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", _ascii(value)).upper(), "VALUE")
        while name in taken or name in {"MRO", "NAME", "VALUE"} or keyword.iskeyword(name):
            name += "_"
        taken.add(name)
        names.append(name)
    return tuple(names)


def _ascii(name: str) -> str:
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()


def _identifier(text: str, fallback: str) -> str:
    """Return `text` with all that no identifier may hold taken out."""
    text = re.sub(r"[^0-9A-Za-z]+", "_", _ascii(text)).strip("_")
    if not text:
        return fallback.lower() + "_" if fallback == "field" else fallback
    return f"{fallback}_{text}" if text[0].isdigit() else text
