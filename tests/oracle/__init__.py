"""The proof that strict reading accepts exactly what the JSON Schemas accept, and loses nothing of it.

`judge` says what is right, by the `jsonschema` package and the files under spec/; `documents`, `events` and
`mutations` make documents out of the same files; `agreement` compares the verdict with what the models do.
Nothing here but `agreement` and the tests imports the package under test.
"""
