"""Tables of jobs, datasets, runs, facets and edges, computed from records."""
