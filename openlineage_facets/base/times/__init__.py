"""Times as text: in comes an RFC 3339 date-time, out goes the same text.

`Timestamp` is a `datetime` that keeps its text. `parse_instant` returns a tuple that compares exactly, for
ordering many events. `uuid7` creates run ids that sort by time.
"""
