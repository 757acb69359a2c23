"""Values for readers: in come values of any size, out goes short, redacted text or HTML.

`printable` makes text safe for terminals, `short_values` shortens values for `repr` and says in a line what a
run, job or dataset contains, `notebook_html` creates tables for notebooks.
"""
