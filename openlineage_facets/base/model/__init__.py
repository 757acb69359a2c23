"""Values of one class: in come keyword arguments or JSON, out go immutable values or `EventError`.

`model` is the base of every class, `spec_models` that of facets, entities and events. `composing` validates
keyword arguments; `class_building` builds classes on first use. `rules` has validators of generated classes,
`hand_written_facets` what only these need. `pydantic_errors` translates errors,
`union_errors` chooses those of unions.
"""
