"""Hypothesis strategies for tags."""

from __future__ import annotations

from hypothesis import strategies as st

from openlineage_facets.tags import Tag

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)

# Few enough that two tags often share one.
keys = st.sampled_from(["team", "Team", "pii", "a b", "é"])
sources = st.sampled_from([None, "USER", "DBT"])
fields = st.sampled_from([None, "email", "id"])

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.booleans() | numbers | text | st.sampled_from(["true", "20", "1.50", "-0", "1e5", "NaN"])


def tags(
    values: st.SearchStrategy[str | int | float | bool] = values, *, on_dataset: bool
) -> st.SearchStrategy[Tag]:
    return st.builds(Tag, keys, values, sources, fields if on_dataset else st.none())
