"""Input of parsers: in comes text, a dict or an object of openlineage-python, out goes JSON.

`json_input` returns it as JSON text, and rejects what JSON cannot represent, with its location, and too many
values. `client_objects` converts objects of openlineage-python.
"""
