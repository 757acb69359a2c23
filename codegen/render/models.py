"""Render the module of one schema file: the only module that calls datamodel-code-generator.

datamodel-code-generator turns each class of the intermediate representation, written as a JSON Schema, into a
pydantic class: it orders and lays out fields, aliases them, translates constraints and deprecations into
arguments of `Field`, and imports what it uses. What JSON Schema cannot express comes in through its public
extension points: class names through `custom_class_name_generator`, and strict types, docstrings and
constructor signatures as `extra_template_data` for the template in `templates/`.
"""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import Any

from datamodel_code_generator import InputFileType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType, TargetPydanticVersion

from .. import ir
from ..dependencies import dependencies_first
from ..errors import GeneratorError
from ..identifiers import member_names, snake_case
from ..keywords import CONSTRAINTS, FIELD_ARGUMENTS
from .annotations import Annotations, admits_null, discriminator, or_none
from .source_text import (
    constructor_docstring,
    definition_module,
    docstring,
    first_sentence,
    header,
    indented,
    library_module,
)

TEMPLATES = Path(__file__).parent / "templates"

_BASES = {
    "BaseFacet": ("FacetModel", ("_producer", "_schemaURL")),
    "BaseEvent": ("EventModel", ("eventTime", "producer", "schemaURL")),
    "Run": ("RunModel", ("runId",)),
    "Job": ("EntityModel", ()),
    "Dataset": ("EntityModel", ()),
}
"""The core classes with a hand-written base, and the fields that composing fills in."""

_MODEL = "openlineage_facets.base.model.model"

_IMPORTS = """
    collections.abc.Iterable collections.abc.Mapping datetime.datetime enum.Enum typing.Annotated typing.Any
    typing.Literal typing.TYPE_CHECKING uuid.UUID pydantic.Field pydantic.StrictBool pydantic.StrictStr
    pydantic.model_validator typing_extensions.TypeAlias typing_extensions.TypeAliasType
""".split()
"""What a module may need; the formatter removes unused imports."""

_LIBRARY_IMPORTS = {
    "containers.facet_map": "FacetMap or_empty",
    "model.rules": (
        "forbid_together keep_nulls_apart keep_unknown_apart require_any require_one require_with"
    ),
    "model.spec_models": "EntityModel EventModel FacetModel RunModel",
    "times.timestamp": "Timestamp",
    "wire.types": ("Branch Exactly FILLED_IN Integer Json JsonObject Maybe Number OneOf UriText UuidText"),
}
"""What a module may need of the library."""


def render_module(module: ir.Module, library: ir.Library, package: str) -> str:
    """Return the source of a module, not yet formatted."""
    return _ModuleRenderer(module, library, package).render()


class _ModuleRenderer:
    def __init__(self, module: ir.Module, library: ir.Library, package: str) -> None:
        self._module = module
        self._library = library
        self._package = package
        self._write = Annotations(module.name, library)

    def render(self) -> str:
        classes = list(self._module.classes.values())
        others = [
            line
            for definition in self._module.definitions
            if isinstance(definition, ir.Enumeration)
            for line in _enumeration(definition)
        ]
        others += [line for alias in self._aliases() for line in self._alias(alias)]
        templates = {cls.name: self._template_data(cls) for cls in classes}
        body = self._classes(classes, templates) if classes else self._without_classes()
        return "\n".join([body, "", *others, ""])

    def _without_classes(self) -> str:
        """Return the header and the imports of a module without classes."""
        imports = (path.rpartition(".") for path in self._imports())
        lines = [f"from {module} import {name}" for module, _, name in imports]
        return "\n".join([header(self._module, self._library), "from __future__ import annotations", *lines])

    def _classes(self, classes: list[ir.Class], templates: dict[str, dict[str, Any]]) -> str:
        """Return the classes as datamodel-code-generator writes them."""
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": {cls.name: _schema(cls) for cls in classes},
        }
        aliases = {
            f"{owner.name}.{field.wire}": field.python
            for owner in classes
            for field in owner.fields
            if field.python != field.wire
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            source = generate(
                json.dumps(schema),
                input_file_type=InputFileType.JsonSchema,
                output_model_type=DataModelType.PydanticV2BaseModel,
                target_python_version=PythonVersion.PY_310,
                target_pydantic_version=TargetPydanticVersion.V2_11,
                base_class=f"{library_module(_MODEL, self._library)}.Model",
                custom_class_name_generator=lambda name: name,
                custom_template_dir=TEMPLATES,
                extra_template_data=defaultdict(dict, templates),
                aliases=aliases,
                additional_imports=self._imports(),
                custom_file_header=header(self._module, self._library),
                field_extra_keys={"deprecated"},
                formatters=[],
                skip_root_model=True,
                use_annotated=True,
                disable_timestamp=True,
                allow_remote_refs=False,
            )
        if not isinstance(source, str):
            raise GeneratorError(f"{self._module.path}: datamodel-code-generator returned no source")
        return source

    def _imports(self) -> list[str]:
        library = self._library
        return [
            *_IMPORTS,
            *(
                f"{library_module(f'openlineage_facets.base.{module}', library)}.{name}"
                for module, names in _LIBRARY_IMPORTS.items()
                for name in names.split()
            ),
            *(f"{self._package}.containers.{name}" for name in sorted(self._write.containers)),
            *(
                f"{definition_module(name, library, self._package)}.{name.name}"
                for name in sorted(self._write.foreign)
            ),
        ]

    def _aliases(self) -> list[ir.Alias]:
        """Return the aliases, each after those it uses: unlike annotations they are evaluated on import."""
        aliases = {
            ir.Named(self._module.name, definition.name): definition
            for definition in self._module.definitions
            if isinstance(definition, ir.Alias)
        }
        return [
            aliases[name]
            for name in dependencies_first(
                aliases,
                # The type of a recursive one is text, which is evaluated later.
                lambda name: () if aliases[name].is_recursive else ir.named_in(aliases[name].type),
            )
        ]

    def _alias(self, alias: ir.Alias) -> list[str]:
        text = self._write.held(alias.type)
        text = "Literal[None]" if text == "None" else text  # `None | None` is not a valid expression.
        arguments = [f"{FIELD_ARGUMENTS[name]}={value!a}" for name, value in alias.constraints]
        if isinstance(alias.type, ir.Union):
            field = discriminator(alias.type, self._library)
            arguments += [f"discriminator={field!a}"] if field else []
        if arguments:
            text = f"Annotated[{text}, Field({', '.join(arguments)})]"
        definition = f"{alias.name}: TypeAlias = {text}"
        if alias.is_recursive:
            definition = f"{alias.name} = TypeAliasType({alias.name!a}, {text!a})"
        return [definition, *(docstring(alias.doc, indent=0) if alias.doc else []), ""]

    def _template_data(self, definition: ir.Class) -> dict[str, Any]:
        """Return what the template needs in addition to the JSON Schema of a class."""
        fields = definition.fields
        return {
            "name": definition.name,
            "bases": self._base_names(definition),
            "head": indented([*docstring(definition.doc), *self._attributes(definition)]),
            "types": {
                field.python: self._write.held(field.type, optional=not field.required) for field in fields
            },
            "defaults": {field.python: self._default(definition, field) for field in fields},
            "docs": {field.python: indented(docstring(field.doc) if field.doc else []) for field in fields},
            "foot": indented(
                [*self._checks(definition), *self._accessors(definition), *self._signature(definition)]
            ),
        }

    def _default(self, definition: ir.Class, field: ir.Field) -> str:
        if not field.required:
            return " = None"
        is_filled_in = self._module.is_core and field.wire in _BASES.get(definition.name, ("", ()))[1]
        return " = FILLED_IN" if is_filled_in else ""

    def _base_names(self, definition: ir.Class) -> str:
        if definition.bases:
            return ", ".join(self._write.reference(base) for base in definition.bases)
        if self._module.is_core and definition.name in _BASES:
            return _BASES[definition.name][0]
        return "Model"

    def _attributes(self, definition: ir.Class) -> list[str]:
        """Return what the class overrides of its base, which annotates it: pydantic evaluates annotations."""
        lines = []
        if definition.schema_url:
            lines.append(f"__schema_url__ = {definition.schema_url!a}")
        if definition.facet_key is not None:
            lines.append(f"__facet_key__ = {definition.facet_key!a}")
        if definition.extras is None:
            lines.append("model_config = {'extra': 'forbid'}")
        elif self._is_open(definition):
            lines.append("__open__ = True")
        if definition.extras not in (None, ir.Scalar("any")):
            lines.append(f"__pydantic_extra__: dict[str, {self._write.held(definition.extras)}]")
        return ["", *lines, ""] if lines else [""]

    def _is_open(self, definition: ir.Class) -> bool:
        """Return whether composing takes any field: a schema describes the others, or there are no fields."""
        if definition.extras == ir.Scalar("any"):
            return not self._library.all_fields(ir.Named(self._module.name, definition.name))
        return definition.extras is not None

    def _checks(self, definition: ir.Class) -> list[str]:
        lines = self._unknown_fields(definition)
        for number, rule in enumerate(definition.rules, start=1):
            if isinstance(rule, ir.ForbidTogether):
                call = f"forbid_together({', '.join(map(ascii, rule.names))})"
            elif isinstance(rule, ir.RequireOneOf):
                function = "require_one" if rule.exactly_one else "require_any"
                call = f"{function}({', '.join(map(ascii, rule.alternatives))})"
            else:
                call = f"require_with({', '.join(map(ascii, (rule.name, *rule.needed)))})"
            # Named after the class: a rule of the same name in a subclass would replace that of its base.
            name = f"_{snake_case(definition.name)}_rule_{number}"
            lines += ["", f"{name} = model_validator(mode='after')({call})"]
        return lines

    def _unknown_fields(self, definition: ir.Class) -> list[str]:
        """Return what keeps unknown fields apart from all declared ones with that Python name."""
        renamed = [
            field
            for field in self._library.all_fields(ir.Named(self._module.name, definition.name))
            if field.python != field.wire
        ]
        nullable = [
            field
            for field in renamed
            if field.type == ir.Scalar("any") or admits_null(field.type, self._library)
        ]
        if not any(
            field in nullable or not field.required for field in definition.fields if field in renamed
        ):
            return []
        mode, function = ("wrap", "keep_nulls_apart") if nullable else ("after", "keep_unknown_apart")
        return ["", f"_keep_unknown_apart = model_validator(mode='{mode}')({function})"]

    def _accessors(self, definition: ir.Class) -> list[str]:
        """Return properties for the optional lists and containers of core classes, which are never None."""
        lines: list[str] = []
        for field in definition.fields if self._module.is_core else ():
            if field.required or not isinstance(field.type, (ir.ListOf, ir.Container)):
                continue
            held = self._write.held(field.type)
            value, kind = f"self.{field.python}", "container"
            if isinstance(field.type, ir.ListOf):
                returned, kind = f"{value} or ()", "tuple"
            else:
                returned = f"or_empty({value}, {held})"
            lines += [
                "",
                "@property",
                f"def {field.python}_or_empty(self) -> {held}:",
                f'    """`{field.python}`, or an empty {kind} if absent."""',
                f"    return {returned}",
            ]
        return lines

    def _signature(self, definition: ir.Class) -> list[str]:
        """Return the constructor's signature for type checkers; at run time the base's is used."""
        name = ir.Named(self._module.name, definition.name)
        family = (name, *self._library.ancestors[name])
        core = self._library.core.name
        filled = {
            wire
            for base in family
            if base.module == core and base.name in _BASES
            for wire in _BASES[base.name][1]
        }
        fields = self._library.all_fields(name)
        required = [field for field in fields if field.required and field.wire not in filled]
        optional = [field for field in fields if not field.required or field.wire in filled]

        accepted = partial(self._write.accepted, mappings=definition.facet_key is not None)
        parameters = [f"{field.python}: {accepted(field.type)}," for field in required]
        parameters += [f"{field.python}: {or_none(accepted(field.type))} = None," for field in optional]
        is_base_facet = definition.schema_url and definition.facet_key is None and name.name.endswith("Facet")
        if is_base_facet or self._is_open(definition):
            parameters.append(
                f"**{'fields_' if any(field.python == 'fields' for field in fields) else 'fields'}: Any,"
            )
        star = ["*,"] if required or optional else []
        docs = {field.python: field.doc for field in [*required, *optional]}
        return [
            "",
            "if TYPE_CHECKING:",
            "    def __init__(",
            *(f"        {line}" for line in ["self,", *star, *parameters]),
            "    ) -> None:",
            *indented(indented(constructor_docstring(definition.doc, docs))),
        ]


def _schema(definition: ir.Class) -> dict[str, Any]:
    """Return a class as the JSON Schema of its fields: names, constraints, deprecations."""
    return {
        "type": "object",
        "properties": {field.wire: _property(field) for field in definition.fields},
        # An optional field is one that may be absent, not one that may be null: see its type and default.
        "required": [field.wire for field in definition.fields],
    }


def _property(field: ir.Field) -> dict[str, Any]:
    deprecated = {"deprecated": first_sentence(field.doc)[0] or True} if field.deprecated else {}
    if not field.constraints:
        return deprecated
    (*_, kind) = CONSTRAINTS[field.constraints[0][0]]
    if kind == "number" and all(isinstance(bound, int) for _, bound in field.constraints):
        kind = "integer"  # The bounds of a number become floats, which would round large integers.
    return {"type": kind, **dict(field.constraints), **deprecated}


def _enumeration(enumeration: ir.Enumeration) -> list[str]:
    members = zip(member_names(enumeration.values), enumeration.values, strict=True)
    # As text a member is its value, in every version of Python.
    body = [
        *docstring(enumeration.doc),
        "",
        "__str__ = str.__str__",
        *(f"{name} = {value!a}" for name, value in members),
    ]
    return ["", "", f"class {enumeration.name}(str, Enum):", *indented(body)]
