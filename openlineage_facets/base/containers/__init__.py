"""The facets of an entity: in come facets, out goes an immutable mapping from facet key to facet.

`facet_map` is the base of containers, `facet_placement` checks what is put into them. `known_facets` has the
facets of the specification and what a wrong key was meant for, `registered_facets` adds custom ones, and
`facet_fit` decides by URLs which facets their classes apply to. `builder` is the base of builders, which
collect facets for one entity.
"""
