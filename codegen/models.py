"""Render the classes of one schema file: the only module that calls datamodel-code-generator.

The IR is handed over as one self-contained JSON Schema, each property with the annotation it gets, so
that the tool neither fetches nor guesses anything. Its template (templates/) only lays lines out.
"""

from __future__ import annotations

import json
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

from datamodel_code_generator import InputFileType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType, TargetPydanticVersion

from codegen import ir
from codegen.annotations import IMPORTS, Annotations, names_in
from codegen.docstring import docstring, first_sentence
from codegen.errors import SchemaError
from codegen.header import header
from codegen.name import member_names, snake_case
from codegen.shape import FIELD_ARGUMENTS
from codegen.unions import admits_null, discriminator

TEMPLATES = Path(__file__).parent / "templates"

_BASES = {
    "BaseFacet": ("FacetModel", ("_producer", "_schemaURL")),
    "BaseEvent": ("EventModel", ("eventTime", "producer", "schemaURL")),
    "Run": ("RunModel", ("runId",)),
}
"""The core classes with hand-written behaviour below them, and the fields that composing fills in."""

_MODEL = "openlineage_facets.base.model.Model"

_IMPORTS = [
    "collections.abc.Iterable",
    "collections.abc.Mapping",
    "datetime.datetime",
    "typing.Annotated",
    "typing.Any",
    "typing.ClassVar",
    "typing.Literal",
    "typing.TYPE_CHECKING",
    "uuid.UUID",
    "pydantic.Field",
    "pydantic.model_validator",
    "typing_extensions.TypeAlias",
    "openlineage_facets.base.entities.EventModel",
    "openlineage_facets.base.entities.FacetModel",
    "openlineage_facets.base.entities.RunModel",
    "openlineage_facets.base.rules.forbid_together",
    "openlineage_facets.base.rules.keep_nulls_apart",
    "openlineage_facets.base.rules.keep_unknown_apart",
    "openlineage_facets.base.types.FILLED_IN",
    "openlineage_facets.base.rules.require_with",
]
"""What any module may need; the formatter takes out what one does not use."""


def render_module(module: ir.Module, library: ir.Library, package: str) -> str:
    """Return the source of a module, not yet formatted."""
    return _ModuleRenderer(module, library, package).render()


class _ModuleRenderer:
    def __init__(self, module: ir.Module, library: ir.Library, package: str) -> None:
        self._module = module
        self._library = library
        self._package = package
        self._write = Annotations(module.name, library)
        self._lines: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self._renamed: dict[str, str] = {}
        # The tool has rules of its own for class names; it gets names it leaves alone, the template ours.
        self._handles = {one.name: f"Handle{number:04}" for number, one in enumerate(module.definitions)}

    def render(self) -> str:
        aliases = [line for one in self._aliases_in_order() for line in self._alias(one)]
        definitions = {
            self._handles[one.name]: self._definition(one)
            for one in self._module.definitions
            if not isinstance(one, ir.Alias)
        }
        body = self._classes(definitions) if definitions else self._without_classes()
        return "\n".join([body, "", *aliases, ""])

    def _without_classes(self) -> str:
        """Return what stands above the aliases of a module that has nothing else."""
        imports = (path.rpartition(".") for path in [*_IMPORTS, *self._imports()])
        lines = [f"from {module} import {name}" for module, _, name in imports]
        return "\n".join([header(self._module), "from __future__ import annotations", *lines])

    def _classes(self, definitions: dict[str, Any]) -> str:
        """Return the classes as datamodel-code-generator lays them out."""
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": definitions,
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            source = generate(
                json.dumps(schema),
                input_file_type=InputFileType.JsonSchema,
                output_model_type=DataModelType.PydanticV2BaseModel,
                target_python_version=PythonVersion.PY_310,
                target_pydantic_version=TargetPydanticVersion.V2_11,
                base_class=_MODEL,
                custom_template_dir=TEMPLATES,
                extra_template_data=self._lines,
                aliases=self._renamed,
                additional_imports=[*_IMPORTS, *self._imports()],
                custom_file_header=header(self._module),
                field_extra_keys={"deprecated"},
                formatters=[],
                skip_root_model=True,
                use_annotated=True,
                use_subclass_enum=True,
                disable_timestamp=True,
                allow_remote_refs=False,
            )
        assert isinstance(source, str)
        return source

    def _imports(self) -> list[str]:
        return [
            *(f"{IMPORTS[name]}.{name}" for name in sorted(self._write.names)),
            *(f"{self._package}.containers.{name}" for name in sorted(self._write.containers)),
            *(f"{self._package}.{name.module}.{name.name}" for name in sorted(self._write.foreign, key=str)),
        ]

    def _definition(self, definition: ir.Class | ir.Enumeration) -> dict[str, Any]:
        if isinstance(definition, ir.Class):
            return self._class(definition)
        self._lines[self._handles[definition.name]] = {
            "name": definition.name,
            # In text, a member is its value, whatever the version of Python.
            "head": _indented([*docstring(definition.doc), "", "__str__ = str.__str__"]),
        }
        members = list(member_names(definition.values))
        return {"type": "string", "enum": list(definition.values), "x-enum-varnames": members}

    def _aliases_in_order(self) -> list[ir.Alias]:
        """Return the aliases, each after those it uses: unlike annotations they are values, made at once."""
        aliases = {one.name: one for one in self._module.definitions if isinstance(one, ir.Alias)}
        done: dict[str, ir.Alias] = {}

        def visit(name: str, trail: tuple[str, ...]) -> None:
            if name in trail:
                raise SchemaError(
                    self._module.path,
                    aliases[name].pointer,
                    "contains itself without an object in between; give it one",
                )
            if name not in done:
                for used in names_in(aliases[name].type):
                    if used.module == self._module.name and used.name in aliases:
                        visit(used.name, (*trail, name))
                done[name] = aliases[name]

        for name in aliases:
            visit(name, ())
        return list(done.values())

    def _alias(self, alias: ir.Alias) -> list[str]:
        text = self._write.held(alias.type)
        text = "Literal[None]" if text == "None" else text  # None itself makes no union with None.
        arguments = [f"{FIELD_ARGUMENTS[name]}={value!a}" for name, value in alias.constraints]
        if isinstance(alias.type, ir.Union):
            field = discriminator(alias.type, self._library)
            arguments += [f"discriminator={field!a}"] if field else []
        if arguments:
            text = f"Annotated[{text}, Field({', '.join(arguments)})]"
        return [
            f"{alias.name}: TypeAlias = {text}",
            *(docstring(alias.doc, indent=0) if alias.doc else []),
            "",
        ]

    def _class(self, definition: ir.Class) -> dict[str, Any]:
        handle = self._handles[definition.name]
        own = {
            "type": "object",
            "properties": {one.wire: self._property(one) for one in definition.fields},
            # The tool's own optional fields admit null; ours say so in their annotation.
            "required": [one.wire for one in definition.fields],
        }
        for one in definition.fields:
            if one.python != one.wire:
                self._renamed[f"{handle}.{one.wire}"] = one.python
        self._lines[handle] = {
            "name": definition.name,
            "bases": self._base_names(definition),
            "head": _indented([*docstring(definition.doc), *self._attributes(definition)]),
            "after": {one.python: self._default(definition, one) for one in definition.fields},
            "docs": {
                one.python: _indented(docstring(one.doc) if one.doc else []) for one in definition.fields
            },
            "foot": _indented([*self._checks(definition), *self._signature(definition)]),
        }
        # The tool needs to know the bases of this module alone, to put them first.
        local = [
            {"$ref": f"#/$defs/{self._handles[base.name]}"}
            for base in definition.bases
            if base.module == self._module.name
        ]
        return {**own, "allOf": local} if local else own

    def _default(self, definition: ir.Class, one: ir.Field) -> str:
        if not one.required:
            return " = None"
        is_filled_in = self._module.is_core and one.wire in _BASES.get(definition.name, ("", ()))[1]
        return " = FILLED_IN" if is_filled_in else ""

    def _base_names(self, definition: ir.Class) -> str:
        if definition.bases:
            return ", ".join(self._write.reference(base) for base in definition.bases)
        if self._module.is_core and definition.name in _BASES:
            return _BASES[definition.name][0]
        return "Model"

    def _property(self, one: ir.Field) -> dict[str, Any]:
        deprecated = {"deprecated": first_sentence(one.doc)[0] or True} if one.deprecated else {}
        kind = self._write.held(one.type, optional=not one.required)
        return {"type": "null", "x-python-type": kind, **dict(one.constraints), **deprecated}

    def _attributes(self, definition: ir.Class) -> list[str]:
        lines = []
        if definition.schema_url:
            lines.append(f"__schema_url__: ClassVar[str] = {definition.schema_url!a}")
        if definition.facet_key is not None:
            lines.append(f"__facet_key__: ClassVar[str | None] = {definition.facet_key!a}")
        if definition.extras is None:
            lines.append("model_config = {'extra': 'forbid'}")
        elif definition.extras != ir.Scalar("any"):
            lines.append("__open__: ClassVar[bool] = True")
            lines.append(f"__pydantic_extra__: dict[str, {self._write.held(definition.extras)}]")
        return ["", *lines, ""] if lines else [""]

    def _checks(self, definition: ir.Class) -> list[str]:
        lines = []
        renamed = [one for one in definition.fields if one.python != one.wire and not one.required]
        if any(admits_null(one.type, self._library) or one.type == ir.Scalar("any") for one in renamed):
            lines += ["", "_keep_unknown_apart = model_validator(mode='wrap')(keep_nulls_apart)"]
        elif renamed:
            lines += ["", "_keep_unknown_apart = model_validator(mode='after')(keep_unknown_apart)"]
        for number, rule in enumerate(definition.rules, start=1):
            if isinstance(rule, ir.ForbidTogether):
                call = f"forbid_together({', '.join(map(ascii, rule.names))})"
            else:
                call = f"require_with({', '.join(map(ascii, (rule.name, *rule.needed)))})"
            # The class in front: a subclass's rule of the same name would replace its base's.
            name = f"_{snake_case(definition.name)}_rule_{number}"
            lines += ["", f"{name} = model_validator(mode='after')({call})"]
        return lines

    def _signature(self, definition: ir.Class) -> list[str]:
        """Return the constructor as type checkers shall see it; at run time it is the base's."""
        name = ir.Named(self._module.name, definition.name)
        family = (name, *self._library.ancestors(name))
        core = next(module.name for module in self._library.modules if module.is_core)
        filled = {
            wire
            for one in family
            if one.module == core and one.name in _BASES
            for wire in _BASES[one.name][1]
        }
        fields = self._library.all_fields(name)
        required = [one for one in fields if one.required and one.wire not in filled]
        optional = [one for one in fields if one not in required]

        def accepted(one: ir.Field) -> str:
            has_rows = definition.facet_key is not None and isinstance(one.type, (ir.ListOf, ir.MapOf))
            return self._write.row(one.type) if has_rows else self._write.accepted(one.type)

        parameters = [f"{one.python}: {accepted(one)}," for one in required]
        parameters += [f"{one.python}: {_or_none(accepted(one))} = None," for one in optional]
        is_base_facet = definition.schema_url and definition.facet_key is None and name.name.endswith("Facet")
        if is_base_facet or definition.extras not in (None, ir.Scalar("any")):
            parameters.append(
                f"**{'fields_' if any(one.python == 'fields' for one in fields) else 'fields'}: Any,"
            )
        star = ["*,"] if required or optional else []
        return [
            "",
            "if TYPE_CHECKING:",
            "    def __init__(",
            *(f"        {one}" for one in ["self,", *star, *parameters]),
            "    ) -> None: ...",
        ]


def _or_none(text: str) -> str:
    return text if "None" in text.split(" | ") else f"{text} | None"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]
