"""Validate events against JSON Schemas: any version of the specification, and custom facets."""
