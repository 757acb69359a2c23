"""Values for readers: in come values of any size, out goes short, redacted text or HTML.

`printable` makes text safe for terminals, `truncated_repr` shortens values for `repr`, `notebook_html`
creates tables for notebooks, `entity_summary` says in a line what a run, job or dataset contains.
"""
