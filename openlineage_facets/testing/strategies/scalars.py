"""Strategies for single JSON values. Simple values come first because examples shrink towards them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from math import ceil, floor, inf
from typing import Any
from uuid import UUID

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic_core import SchemaValidator, core_schema

from openlineage_facets.base.wire.linear_patterns import UnsupportedPattern, matcher_of
from openlineage_facets.testing.strategies.field_kinds import Scalar

_WORDS = (
    "orders",
    "raw/orders",
    "s3://lake",
    "2025-03-09",
    "10",
    "true",
    "null",
    "größer ✈ 日本語",
    "e\u0301\u200d\u202e\ufeff",
    'a "quoted" \\ text / with \t tabs\r\nand lines',
    "\u0000\u001f\u007f\u0085\u2028\u2029\uffff",
    "<script>'; DROP TABLE orders; --{{x}}%s{0}",
)
"""Texts that often reveal bugs, and some ordinary ones."""

_NAMES = (
    "acme_cost",
    "producer",
    "schema_url",
    "deleted",
    "facets",
    "inputs",
    "type",
    "model_config",
    "__class__",
    "$ref",
    "",
    "a/b~c",
    "ключ",
)
"""Names of unknown fields. Some have a meaning in Python, pydantic or another class."""


def texts(*, min_size: int = 0, max_size: int | None = None) -> SearchStrategy[str]:
    """Return texts of all Unicode characters except lone surrogates, which UTF-8 cannot encode."""
    any_text = st.text(min_size=min_size, max_size=max(min_size, 20) if max_size is None else max_size)
    longest = inf if max_size is None else max_size
    words = [word for word in _WORDS if min_size <= len(word) <= longest]
    return any_text | st.sampled_from(words) if words else any_text


def uris() -> SearchStrategy[str]:
    """Return absolute URIs."""
    examples = st.builds(
        "https://{}.example.com/{}".format,
        st.sampled_from(("git", "schemas")),
        st.text("abcdefghijklmnopqrstuvwxyz0123456789-._~/", max_size=12),
    )
    return st.sampled_from(("https://example.com/v7/etl", "urn:example:etl:7")) | examples


def _date_times() -> SearchStrategy[str]:
    offsets = st.builds("{}{:02}:{:02}".format, st.sampled_from("+-"), st.integers(0, 23), st.integers(0, 59))
    fractions = st.text("0123456789", min_size=1, max_size=12).map(".{}".format)
    return st.builds(
        lambda time, fraction, offset: f"{time.isoformat()}{fraction}{offset}",
        st.integers(_EARLIEST, _LATEST).map(lambda seconds: _CENTURY + timedelta(seconds=seconds)),
        st.just("") | fractions,
        st.just("Z") | offsets,
    )


_CENTURY = datetime(2000, 1, 1)
_EARLIEST = (datetime.min - _CENTURY) // timedelta(seconds=1)
_LATEST = (datetime.max - _CENTURY) // timedelta(seconds=1)


def _uuids() -> SearchStrategy[str]:
    # Hypothesis shrinks and mutates integers better than `uuids()`.
    numbers = st.integers(0, 2**128 - 1)
    return st.builds(
        lambda number, spell: spell(str(UUID(int=number))), numbers, st.sampled_from((str, str, str.upper))
    )


def _factors(limits: Mapping[str, Any], step: Fraction) -> SearchStrategy[int]:
    """Return the integers whose products with `step` are within limits."""
    bounds = {name: Fraction(str(limits[name])) / step for name in ("ge", "gt", "le", "lt") if name in limits}
    least = [ceil(bounds["ge"])] if "ge" in bounds else []
    least += [floor(bounds["gt"]) + 1] if "gt" in bounds else []
    greatest = [floor(bounds["le"])] if "le" in bounds else []
    greatest += [ceil(bounds["lt"]) - 1] if "lt" in bounds else []
    if least and greatest and max(least) > min(greatest):
        return st.nothing()
    return st.integers(max(least, default=None), min(greatest, default=None))


def _integers(limits: Mapping[str, Any]) -> SearchStrategy[int]:
    step = Fraction(limits.get("multiple_of", 1)).numerator
    return _factors(limits, Fraction(step)).map(lambda factor: factor * step)


def _whole_floats(limits: Mapping[str, Any]) -> SearchStrategy[float]:
    """Return integers with a fraction `.0`, which are integers in JSON Schema."""
    low, high = max(-_EXACT, limits.get("ge", -_EXACT)), min(_EXACT, limits.get("le", _EXACT))
    return _integers({**limits, "ge": low, "le": high}).map(float)


_EXACT = 2**53
"""The largest range in which every integer is a float."""


def _numbers(limits: Mapping[str, Any]) -> SearchStrategy[float | int]:
    return _integers(limits) | _floats(limits)


def _floats(limits: Mapping[str, Any]) -> SearchStrategy[float]:
    if "multiple_of" in limits:
        step = Fraction(str(limits["multiple_of"]))
        # pydantic tolerates the rounding of most multiples.
        is_valid = SchemaValidator(core_schema.float_schema(**limits)).isinstance_python
        return _factors(limits, step).map(lambda factor: float(factor * step)).filter(is_valid)
    low, high = limits.get("ge", limits.get("gt")), limits.get("le", limits.get("lt"))
    return st.floats(
        None if low is None else float(low),
        None if high is None else float(high),
        allow_nan=False,
        allow_infinity=False,
    ).filter(lambda number: _within(number, limits))


def _within(number: float, limits: Mapping[str, Any]) -> bool:
    return (
        ("gt" not in limits or number > limits["gt"])
        and ("ge" not in limits or number >= limits["ge"])
        and ("lt" not in limits or number < limits["lt"])
        and ("le" not in limits or number <= limits["le"])
    )


def _strings(limits: Mapping[str, Any]) -> SearchStrategy[str]:
    least, greatest = limits.get("min_length", 0), limits.get("max_length")
    if "pattern" not in limits:
        return texts(min_size=least, max_size=greatest)
    longest, is_match = inf if greatest is None else greatest, pattern_check(limits["pattern"])
    matching = st.from_regex(re.compile(_without_properties(limits["pattern"])), fullmatch=False)
    return matching.filter(lambda text: least <= len(text) <= longest and is_match(text))


def _without_properties(pattern: str) -> str:
    """Return a pattern with some characters in place of properties such as `\\p{Lu}`, which `re` lacks."""
    in_class = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal in_class
        if match["property"]:
            characters = _characters(match["property"])
            return characters if in_class else f"[{characters}]"
        in_class = match[0].startswith("[") or (in_class and match[0] != "]")
        return match[0]

    return re.sub(r"\\p\{(?P<property>[A-Z][a-z]?)\}|\\.|\[\^?\]?|\]", replaced, pattern, flags=re.DOTALL)


def _characters(category: str) -> str:
    """Return the first characters of a general category, escaped for a character class."""
    characters = map(chr, range(0x2200))
    return "".join(re.escape(text) for text in characters if unicodedata.category(text).startswith(category))


def pattern_check(pattern: str) -> Callable[[str], object]:
    """Return a function that matches a pattern as pydantic does.

    In Python, a word character is another one, and `$` also matches before a final newline.
    """
    try:
        return matcher_of(pattern)
    except UnsupportedPattern:  # The class is configured to use Python's engine.
        return re.compile(pattern).search


def json_values() -> SearchStrategy[Any]:
    """Return JSON values of all types, with some nesting."""
    leaves = st.none() | st.booleans() | _numbers({}) | texts()
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(), inner, max_size=3),
        max_leaves=5,
    )


def unknown_names() -> SearchStrategy[str]:
    """Return names of unknown fields."""
    return st.sampled_from(_NAMES) | st.text(max_size=12)


def custom_keys() -> SearchStrategy[str]:
    """Return keys of custom facets, mostly in the recommended form `{prefix}_{name}`."""
    word = st.from_regex("[a-z][a-zA-Z0-9]{0,8}", fullmatch=True)
    wanted = st.builds("{}_{}".format, st.sampled_from(("acme", "myTeam")), word)
    return wanted | wanted | unknown_names()


def scalars(kind: Scalar) -> SearchStrategy[Any]:
    """Return a strategy for values of one JSON type within its limits."""
    if kind.name in _LIMITED:
        return _LIMITED[kind.name](kind.limits)
    return _UNLIMITED[kind.name]()


_LIMITED: Mapping[str, Callable[[Mapping[str, Any]], SearchStrategy[Any]]] = {
    "string": _strings,
    "integer": lambda limits: _integers(limits) | _whole_floats(limits),
    "int": _integers,
    "number": _numbers,
    "float": _floats,
}
_UNLIMITED = {
    "uri": uris,
    "date-time": _date_times,
    "uuid": _uuids,
    "boolean": st.booleans,
    "null": st.none,
    "any": json_values,
}
