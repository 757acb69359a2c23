"""Turns the JSON Schemas in `spec/` into the package `openlineage_facets.generated`."""
