"""The wire format for pydantic: in come annotations and schemas of classes, out go schemas of their JSON.

`types` has the scalars, which accept what JSON Schema accepts. `wire_serialization` writes values without
absent fields. `lazy_items` keeps nested items as JSON until they are used, `json_schemas` checks JSON without
creating objects. `pydantic_internals` reads what pydantic does not document.
"""
