"""Values of one class: in come keyword arguments or JSON, out go immutable values or `EventError`.

`model` is the base of every class, `spec_models` that of facets, entities and events. `composing` validates
keyword arguments; `class_building` builds classes on first use. `rules` has validators of generated classes,
`custom_fields` and `read_json` what only hand-written facets need. `pydantic_errors` translates errors,
`union_errors` chooses those of unions.
"""
