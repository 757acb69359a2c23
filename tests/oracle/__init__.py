"""Strict parsing accepts exactly what the JSON Schemas accept, without loss.

`expected_results` validates with the `jsonschema` package and the files in `spec/`; `documents`, `events` and
`mutations` make documents out of the same files; `agreement` compares the result with what the models do.
Nothing here but `agreement` and the tests imports the package under test.
"""
