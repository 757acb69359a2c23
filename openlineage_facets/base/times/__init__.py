"""Times as text: in comes an RFC 3339 date-time, out goes the same text.

`timestamp` has a `datetime` that keeps its text. `rfc3339` returns instants that compare exactly, to order
many events. `uuid7` creates run ids that sort by time.
"""
