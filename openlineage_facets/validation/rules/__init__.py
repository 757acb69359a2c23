"""The rules beyond the schema, one subject a module; each module is found by itself."""
