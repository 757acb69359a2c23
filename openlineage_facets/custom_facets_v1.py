"""What packages of custom facets import: the names that `openlineage-facets generate` uses.

Its names stay, with the same meaning, so that a generated package works with every later version of this
library. What cannot stay compatible gets a new module, `custom_facets_v2`, next to this one.

| names | use |
| --- | --- |
| `RunFacet`, `ParentRunFacet`, `Run` and all others of `facets` | bases and fields of facets |
| `Model` | the base of objects inside facets |
| `Maybe`, `OneOf`, `Branch`, `Exactly` | fields that may be absent, `oneOf`, constants |
| `Integer`, `Number`, `Json`, `JsonObject`, `Timestamp`, `UriText`, `UuidText` | types of fields |
| `FacetMap` | the facets of other entities in a field |
| `forbid_together`, `require_with`, `require_any`, `require_one` | rules about several fields |
| `keep_nulls_apart`, `keep_unknown_apart` | lossless reading of renamed fields |
| `FacetEntry` | entries of `FACETS` |
| `EntityBuilder`, `builders` | builders |
| `load_export` | classes that are loaded on first use |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets import builders as builders
    from openlineage_facets.base.containers.builder import EntityBuilder as EntityBuilder
    from openlineage_facets.base.containers.facet_map import FacetMap as FacetMap
    from openlineage_facets.base.containers.known_facets import FacetEntry as FacetEntry
    from openlineage_facets.base.lazy_imports import load_export as load_export
    from openlineage_facets.base.model.model import Model as Model
    from openlineage_facets.base.model.rules import forbid_together as forbid_together
    from openlineage_facets.base.model.rules import keep_nulls_apart as keep_nulls_apart
    from openlineage_facets.base.model.rules import keep_unknown_apart as keep_unknown_apart
    from openlineage_facets.base.model.rules import require_any as require_any
    from openlineage_facets.base.model.rules import require_one as require_one
    from openlineage_facets.base.model.rules import require_with as require_with
    from openlineage_facets.base.times.timestamp import Timestamp as Timestamp
    from openlineage_facets.base.wire.types import Branch as Branch
    from openlineage_facets.base.wire.types import Exactly as Exactly
    from openlineage_facets.base.wire.types import Integer as Integer
    from openlineage_facets.base.wire.types import Json as Json
    from openlineage_facets.base.wire.types import JsonObject as JsonObject
    from openlineage_facets.base.wire.types import Maybe as Maybe
    from openlineage_facets.base.wire.types import Number as Number
    from openlineage_facets.base.wire.types import OneOf as OneOf
    from openlineage_facets.base.wire.types import UriText as UriText
    from openlineage_facets.base.wire.types import UuidText as UuidText
    from openlineage_facets.generated import *  # noqa: F403
else:
    _EXPORTS = {
        "Branch": "base.wire.types",
        "EntityBuilder": "base.containers.builder",
        "Exactly": "base.wire.types",
        "FacetEntry": "base.containers.known_facets",
        "FacetMap": "base.containers.facet_map",
        "Integer": "base.wire.types",
        "Json": "base.wire.types",
        "JsonObject": "base.wire.types",
        "Maybe": "base.wire.types",
        "Model": "base.model.model",
        "Number": "base.wire.types",
        "OneOf": "base.wire.types",
        "Timestamp": "base.times.timestamp",
        "UriText": "base.wire.types",
        "UuidText": "base.wire.types",
        "builders": "builders",
        "forbid_together": "base.model.rules",
        "keep_nulls_apart": "base.model.rules",
        "keep_unknown_apart": "base.model.rules",
        "load_export": "base.lazy_imports",
        "require_any": "base.model.rules",
        "require_one": "base.model.rules",
        "require_with": "base.model.rules",
    }

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name not in _EXPORTS:
            value = getattr(import_module("openlineage_facets.generated"), name)
        else:
            module = import_module(f"openlineage_facets.{_EXPORTS[name]}")
            value = module if name == "builders" else getattr(module, name)
        globals()[name] = value
        return value
