"""Schemas put together at random from everything the generator understands, and documents near to them."""

from __future__ import annotations

import random
from typing import Any

NAMES = ["a", "b", "theC", "theD"]
SCALARS: list[Any] = [None, True, False, 0, 1, 2, 1.0, 1.5, "", "a", "b", "ab", "2026-11-21T08:30:00Z"]


class RandomSchemas:
    """Definitions made from a seed, and documents near enough to them that some are valid.

    Attributes:
        definitions: The schemas by name; later ones refer to earlier ones.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.definitions: dict[str, Any] = {}
        for number in range(5):
            self.definitions[f"Thing{number}X"] = self._schema(depth=0)

    def _one(self, options: list[Any]) -> Any:
        return self._random.choice(options)

    def _perhaps(self, chance: float) -> bool:
        return self._random.random() < chance

    def _schema(self, depth: int) -> dict[str, Any]:
        kinds = [
            "scalar",
            "object",
            "object",
            "values",
            "reference",
            "list",
            "map",
            "choice",
            "extended",
            "any",
        ]
        return getattr(self, f"_{self._one(kinds if depth < 3 else ['scalar', 'values', 'any'])}")(depth)

    def _any(self, depth: int) -> dict[str, Any]:
        return {}

    def _scalar(self, depth: int) -> dict[str, Any]:
        kind = self._one(["string", "integer", "number", "boolean", "null"])
        schema: dict[str, Any] = {"type": kind}
        if self._perhaps(0.3):
            schema["type"] = [kind, "null"] if kind != "null" else "null"
        if kind == "string" and self._perhaps(0.4):
            schema |= self._one(
                [{"minLength": 1}, {"maxLength": 1}, {"pattern": "^a"}, {"format": "date-time"}]
            )
        if kind in ("integer", "number") and self._perhaps(0.4):
            schema |= self._one([{"minimum": 1}, {"maximum": 1}, {"exclusiveMinimum": 0.5}])
        return schema

    def _values(self, depth: int) -> dict[str, Any]:
        some = [value for value in SCALARS if not isinstance(value, float)]
        values = self._one(
            [["a", "b"], ["a", "ab"], [0, 1], [True, False], ["a", None], self._random.sample(some, 2)]
        )
        return self._one([{"enum": values}, {"const": values[0]}])

    def _reference(self, depth: int) -> dict[str, Any]:
        if not self.definitions:
            return self._scalar(depth)
        return {"$ref": f"#/$defs/{self._one(list(self.definitions))}"}

    def _list(self, depth: int) -> dict[str, Any]:
        schema = {"type": "array", "items": self._schema(depth + 1)}
        return schema | self._one([{}, {}, {"minItems": 1}, {"maxItems": 1}])

    def _map(self, depth: int) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self._schema(depth + 1)}

    def _object(self, depth: int) -> dict[str, Any]:
        names = self._random.sample(NAMES, self._random.randint(1, 3))
        schema = {"type": "object", "properties": {name: self._schema(depth + 1) for name in names}}
        if self._perhaps(0.6):
            schema["required"] = self._random.sample(NAMES, self._random.randint(1, 2))
        if self._perhaps(0.2):
            schema["additionalProperties"] = self._one([False, True, self._schema(depth + 1)])
            schema["required"] = [name for name in schema.get("required", ()) if name in names]
        if self._perhaps(0.15):
            schema["dependentRequired"] = {self._one(NAMES): [self._one(NAMES)]}
        if self._perhaps(0.15):
            schema["not"] = {"required": self._random.sample(NAMES, 2)}
        return schema

    def _choice(self, depth: int) -> dict[str, Any]:
        return {self._one(["oneOf", "anyOf"]): [self._schema(depth + 1) for _ in range(2)]}

    def _extended(self, depth: int) -> dict[str, Any]:
        bases = [name for name, schema in self.definitions.items() if _can_be_extended(schema)]
        if not bases:
            return self._object(depth)
        chosen = self._random.sample(bases, min(len(bases), self._one([1, 1, 2])))
        own = {"type": "object", "properties": {self._one(["own", "ownMore"]): self._schema(depth + 1)}}
        if self._perhaps(0.5):
            own["required"] = [self._one([*NAMES, "own", "ownMore"])]
        return {"type": "object", "allOf": [*({"$ref": f"#/$defs/{name}"} for name in chosen), own]}

    def document(self, schema: dict[str, Any]) -> Any:
        """Return a document that may or may not be valid by `schema`."""
        if self._perhaps(0.1):
            return self._one([*SCALARS, [], {}, ["a"], {"a": 1}])
        if "$ref" in schema:
            return self.document(self.definitions[schema["$ref"].removeprefix("#/$defs/")])
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema:
                return self._merged([self.document(part) for part in schema[keyword]])
        if "allOf" in schema:
            return self._merged([self.document(part) for part in schema["allOf"]], everything=True)
        if "enum" in schema or "const" in schema:
            return self._one([*schema.get("enum", [schema.get("const")]), self._one(SCALARS)])
        if schema.get("type") == "array":
            return [self.document(schema["items"]) for _ in range(self._random.randint(0, 2))]
        if schema.get("type") == "object":
            return self._members(schema)
        return self._one(SCALARS)

    def _members(self, schema: dict[str, Any]) -> dict[str, Any]:
        properties = schema.get("properties", {})
        extras = schema.get("additionalProperties")
        names = [
            name
            for name in dict.fromkeys([*NAMES, *properties])
            if self._perhaps(0.9 if name in schema.get("required", ()) else 0.4)
        ]
        return {
            name: self.document(properties.get(name) or (extras if isinstance(extras, dict) else {}))
            for name in names
        }

    def _merged(self, documents: list[Any], *, everything: bool = False) -> Any:
        objects = [one for one in documents if isinstance(one, dict)]
        if objects and (everything or self._perhaps(0.3)):
            return {name: value for one in objects for name, value in one.items()}
        return self._one(documents)


def _can_be_extended(schema: dict[str, Any]) -> bool:
    return "allOf" in schema or ("properties" in schema and schema.get("additionalProperties", True) is True)
