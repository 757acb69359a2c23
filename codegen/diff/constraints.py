"""Compare the constraints of two schemas: bounds, patterns, formats, rules, and keywords without effect."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from .. import ir
from ..keywords import ASSERTED_FORMATS
from ..normalize import Schema
from .change import OTHER, Broken, Change, Step, at, changing, narrowed, narrowing, values_text
from .version import View


def differing_constraints(old: Schema, new: Schema, path: str, *, only_integers: bool) -> Iterator[Change]:
    """Yield the differences of bounds and patterns."""
    patterns = (dict(schema.constraints).get("pattern") for schema in (old, new))
    before, after = (_bounds(schema, only_integers) for schema in (old, new))
    for name in dict.fromkeys([*before, *after]):
        bound, new_bound = before.get(name), after.get(name)
        if bound != new_bound:
            texts = " -> ".join(_bound_text(name, value) for value in (bound, new_bound))
            is_tighter = new_bound is not None and (bound is None or new_bound > bound)
            yield narrowed(f"{at(path)} {name} {texts}", is_tighter)
    pattern, new_pattern = patterns
    if pattern != new_pattern:
        text = f"{at(path)} pattern {pattern or 'none'} -> {new_pattern or 'none'}"
        is_other = pattern is not None and new_pattern is not None
        yield Change("pattern", text, *OTHER) if is_other else narrowed(text, pattern is None)


_Bound = tuple["int | float", bool]
"""A lower bound, or an upper one of the negated values, and whether it is exclusive."""


def _bounds(schema: Schema, only_integers: bool) -> dict[str, _Bound]:
    """Return the bounds of a schema that have an effect, those of integers as inclusive ones."""
    bounds: dict[str, _Bound] = {}
    for keyword, value in schema.constraints:
        name = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}.get(keyword, keyword)
        if isinstance(value, str) or (keyword in ("minLength", "minItems") and value == 0):
            continue
        bound, is_exclusive = value if name.startswith("min") else -value, name != keyword
        if only_integers:
            bound, is_exclusive = math.floor(bound) + 1 if is_exclusive else math.ceil(bound), False
        bounds[name] = max(bounds.get(name, (bound, is_exclusive)), (bound, is_exclusive))
    return bounds


def _bound_text(name: str, bound: _Bound | None) -> str:
    if bound is None:
        return "none"
    value, is_exclusive = bound
    return f"{value if name.startswith('min') else -value}{' (exclusive)' if is_exclusive else ''}"


def differing_formats(old: Schema, new: Schema, path: str, attribute: str) -> Iterator[Change]:
    """Yield the difference of formats, with its effect on the attribute."""
    if old.format != new.format:
        text = f"{at(path)} format {old.format or 'none'} -> {new.format or 'none'}"
        if not ASSERTED_FORMATS & {old.format, new.format}:  # As in JSON Schema, it only describes the value.
            yield Change("format", f"{text}, which classes do not enforce", Step.NONE)
            return
        before, after = ("a Timestamp" if part.format == "date-time" else "a str" for part in (old, new))
        is_other_type = bool(attribute) and before != after
        effect = f"{attribute} is {after}, no longer {before}" if is_other_type else ""
        asserted = (part.format if part.format in ASSERTED_FORMATS else None for part in (old, new))
        yield Change("format", text, *changing(*asserted), effect, is_other_type)


def differing_rules(old: View, new: View, path: str) -> Iterator[Change]:
    """Yield the differences of the rules about several properties."""
    for rule in sorted(new.rules - old.rules, key=str):
        yield narrowed(f"{at(path)} {_rule_text(rule)}", True)
    for rule in sorted(old.rules - new.rules, key=str):
        yield narrowed(f"{at(path)} no longer: {_rule_text(rule)}", False)


def _rule_text(rule: ir.Rule) -> str:
    if isinstance(rule, ir.ForbidTogether):
        return f"not all of {', '.join(rule.names)}"
    if isinstance(rule, ir.RequireOneOf):
        listed = " or ".join(" and ".join(names) for names in rule.alternatives)
        return f"{'exactly' if rule.exactly_one else 'at least'} one of {listed}"
    return f"{rule.name} requires {', '.join(rule.needed)}"


def differing_unenforced(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    """Yield the differences of keywords that classes do not enforce."""
    before, after = (schema.document.unenforced_at(schema.pointer) for schema in (old, new))
    for keyword in dict.fromkeys([*before, *after]):
        if before.get(keyword) != after.get(keyword):
            texts = (values_text((side[keyword],)) if keyword in side else "none" for side in (before, after))
            text = f"{at(path)} {keyword} {' -> '.join(texts)}, which classes do not enforce"
            yield Change("keyword", text, *_of_keyword(keyword, before.get(keyword), after.get(keyword)))


_BOUND = re.compile(r"(?:m|exclusiveM)(in|ax)(?:imum|Length|Items|Properties|Contains)")


def _of_keyword(keyword: str, before: Any, after: Any) -> tuple[Step, Broken]:
    """Return the effect of another value of a keyword, None where it is absent."""
    bound = _BOUND.fullmatch(keyword)
    if before is not None and after is not None:
        if bound:
            return narrowing((after > before) == (bound[1] == "in"))
        if keyword == "multipleOf" and (after % before == 0 or before % after == 0):
            return narrowing(after % before == 0)
    return changing(before, after)
