"""What generated classes inherit and call. Each package imports only those before it:

- `redaction` and `times` convert text, and need nothing else.
- `display` shows values, `errors` describes what is wrong with them, `json` converts input to JSON text.
- `wire` describes to pydantic what JSON Schema accepts, and how values are written.
- `model` composes and parses values of one class, `containers` the facets of an entity.
"""
