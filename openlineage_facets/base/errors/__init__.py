"""What is wrong with a value: in come a location and values, out go findings and the exception `EventError`.

`findings` describes values in messages, `json_pointer` writes locations. Hints come from `name_suggestions`,
for misspelled names and for objects of openlineage-python.
"""
