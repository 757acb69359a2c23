"""Compare two schemas: the values that they allow, property by property."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from .. import ir
from ..identifiers import attribute_names
from ..keywords import ASSERTED_FORMATS, with_integers
from ..normalize import Schema
from .change import BOTH, OTHER, READERS, RELAXED, TIGHTENED, WRITERS, Broken, Change, Step
from .version import SchemaVersion, View


class Comparison:
    """Compares the schemas of two versions.

    Args:
        old: The old version.
        new: The new version.
    """

    def __init__(self, old: SchemaVersion, new: SchemaVersion) -> None:
        self._old = old
        self._new = new
        self._pairs: dict[tuple[int, int], tuple[Schema, Schema]] = {}

    def changes(self, old: Schema, new: Schema, path: str, owner: str, attribute: str = "") -> list[Change]:
        """Return the differences between two schemas.

        Args:
            old: The old schema.
            new: The new schema.
            path: Where the value is, such as `fields[]`.
            owner: The class that has the attributes, for the effect on Python code.
            attribute: The attribute that has the value, with its class; "" for the whole object.
        """
        old_view, new_view = self._old.view(old), self._new.view(new)
        if old_view.name != new_view.name:  # A base with further properties is no longer the whole schema.
            old_view, new_view = _as_base(old_view, new_view), _as_base(new_view, old_view)
        if (id(old_view.schema), id(new_view.schema)) in self._pairs:
            return []
        # The schemas are kept, or others would get their ids.
        self._pairs[id(old_view.schema), id(new_view.schema)] = old_view.schema, new_view.schema
        before, after = self._old.class_of(old_view.schema), self._new.class_of(new_view.schema)
        owner = after or owner
        changes = [
            *_renamed_class(before, after, path),
            *_unenforced(old_view.schema, new_view.schema, path),
            *self._differences(old_view, new_view, path, owner, attribute),
        ]
        pointer = new_view.schema.pointer
        return [change if change.pointer else replace(change, pointer=pointer) for change in changes]

    def _differences(self, old: View, new: View, path: str, owner: str, attribute: str) -> Iterator[Change]:
        """Yield the difference of the types, and those between the values of the types that both allow."""
        kinds, new_kinds = (
            with_integers(version.json_types(view.schema))
            for version, view in ((self._old, old), (self._new, new))
        )
        is_counted = self._old.is_counted(old.schema) or self._new.is_counted(new.schema)
        is_any_once = bool(kinds) != bool(new_kinds)
        if (old.schema.branches or new.schema.branches) and (is_counted or not is_any_once):
            yield from self._branches(old.schema, new.schema, path, owner, attribute)
            return
        shared = kinds & new_kinds
        if kinds != new_kinds or old.name != new.name:
            is_wider = old.name == new.name and (not new_kinds or (bool(kinds) and kinds <= new_kinds))
            text = f"{_at(path)} {self._old.described(old.schema)} -> {self._new.described(new.schema)}"
            effect = self._effect(old.schema, new.schema, attribute)
            yield Change("type", text, *(RELAXED if is_wider else OTHER), effect)
            if not shared or old.name != new.name:
                return
            old, new = (replace(view, schema=view.schema.of_types(shared)) for view in (old, new))
        old, new = _with_undeclared(old, new), _with_undeclared(new, old)
        yield from _bases(old, new, path)
        yield from _formats(old.schema, new.schema, path, attribute)
        yield from self._values(old.schema, new.schema, path, attribute)
        yield from _constraints(old.schema, new.schema, path, only_integers="number" not in shared)
        if "object" in shared:
            yield from self._properties(old, new, path, owner)
            yield from _rules(old, new, path)
            yield from self._additional(old.schema, new.schema, path, owner)
        yield from self._items(old.schema, new.schema, path, owner, attribute)

    def _effect(self, old: Schema, new: Schema, attribute: str) -> str:
        """Return what other JSON types mean for the attribute."""
        before, after = self._old.json_types(old), self._new.json_types(new)
        if not attribute or before == after:
            return ""
        is_nullable = before | {"null"} == after
        return f"{attribute} {'may be None' if is_nullable else f'is {self._new.described(new)}'}"

    def _properties(self, old: View, new: View, path: str, owner: str) -> Iterator[Change]:
        before, after = _additional(self._old, old.schema), _additional(self._new, new.schema)
        removed = [name for name in old.properties if name not in new.properties]
        added = [name for name in new.properties if name not in old.properties]
        for name in list(removed):
            near = self._renamed(name, old, added, new)
            if near is not None:
                removed.remove(name)
                added.remove(near)
                text = f"{_join(path, name)} -> {near} ({self._new.described(new.properties[near])})"
                is_other = _attribute(name) != _attribute(near)
                effect = f"{owner}.{_attribute(name)} becomes {owner}.{_attribute(near)}" if is_other else ""
                yield Change("renamed?", text, *OTHER, effect)
        for name in removed:
            text = f"{_join(path, name)} {self._old.described(old.properties[name])}"
            breaks = BOTH if after is False else READERS
            yield Change("removed", text, Step.MODEL, breaks, f"{owner}.{_attribute(name)} is removed")
            if isinstance(after, Schema):
                yield from self.changes(old.properties[name], after, _join(path, name), owner)
        for name in added:
            text = f"{_join(path, name)} {self._new.described(new.properties[name])}, "
            pointer = new.properties[name].pointer
            if name in new.required:
                effect = f"{owner} requires the argument {_attribute(name)}"
                breaks = BOTH if before is False else WRITERS
                yield Change("added", f"{text}required", Step.MODEL, breaks, effect, pointer=pointer)
            else:
                breaks = READERS if before is False else ()
                yield Change("added", f"{text}optional", Step.ADDITION, breaks, pointer=pointer)
            if isinstance(before, Schema):
                yield from self.changes(before, new.properties[name], _join(path, name), owner)
        for name, one in old.properties.items():
            if name in new.properties:
                other, place = new.properties[name], _join(path, name)
                yield from _required(old, new, name, place, owner)
                yield from self.changes(one, other, place, owner, f"{owner}.{_attribute(name)}")
                if one.deprecated and not other.deprecated:
                    yield Change("restored", f"{place} is no longer deprecated", Step.ADDITION)
                elif other.deprecated and not one.deprecated:
                    yield Change("deprecated", place, Step.ADDITION)
        for name in sorted((old.required ^ new.required) - old.properties.keys() - new.properties.keys()):
            yield from _required(old, new, name, _join(path, name), owner)

    def _renamed(self, name: str, old: View, added: list[str], new: View) -> str | None:
        """Return the added property that a removed one was probably renamed to."""
        kind = self._old.described(old.properties[name])
        ratios = {
            near: SequenceMatcher(None, name.lower(), near.lower(), autojunk=False).ratio()
            for near in added
            if self._new.described(new.properties[near]) == kind
            and (near in new.required) == (name in old.required)
        }
        near = max(ratios, key=ratios.__getitem__, default="")
        is_part = name.lower() in near.lower() or near.lower() in name.lower()
        return near if ratios and (is_part or ratios[near] > 0.6) else None

    def _values(self, old: Schema, new: Schema, path: str, attribute: str) -> Iterator[Change]:
        before, after = self._old.class_of(old), self._new.class_of(new)
        is_lost = bool(before) and not after
        effect = f"{before} is removed" if is_lost else ""
        if after and not before and attribute:
            effect = f"{attribute} is {after}"
        if old.values is None or new.values is None:
            values = old.values or new.values
            if values is not None:
                is_tighter = old.values is None
                text = f"{_at(path)} {'only' if is_tighter else 'no longer only'} {_values_text(values)}"
                yield Change("enum", text, *_narrowing(is_tighter), effect, is_lost)
            return
        removed = tuple(value for value in old.values if value not in new.values)
        added = tuple(value for value in new.values if value not in old.values)
        if removed:
            yield Change("enum", f"{_at(path)} without {_values_text(removed)}", *TIGHTENED, effect)
        if added:
            yield Change("enum", f"{_at(path)} with {_values_text(added)}", *RELAXED, effect)

    def _additional(self, old: Schema, new: Schema, path: str, owner: str) -> Iterator[Change]:
        before, after = _additional(self._old, old), _additional(self._new, new)
        if old.key_pattern != new.key_pattern and before and after:
            text = f"{_at(path)} keys match {new.key_pattern or 'anything'}"
            yield Change("pattern", text, *_narrowing(new.key_pattern is not None))
        if isinstance(before, Schema) and isinstance(after, Schema):
            yield from self.changes(before, after, _join(path, "*"), owner)
        elif before != after:
            texts = ("typed" if isinstance(part, Schema) else _ALLOWED[part] for part in (before, after))
            text = f"{_at(path)} additional properties: {' -> '.join(texts)}"
            yield _narrowed(text, after is False or before is True)

    def _items(self, old: Schema, new: Schema, path: str, owner: str, attribute: str) -> Iterator[Change]:
        before, after = self._old.demanded(old.items), self._new.demanded(new.items)
        if before is not None and after is not None:
            yield from self.changes(before, after, f"{path}[]", owner, attribute)
        elif after is not None:
            yield _narrowed(f"{_at(path)} items {self._new.described(after)}", True)
        elif before is not None:
            yield _narrowed(f"{_at(path)} items {self._old.described(before)}", False)

    def _branches(self, old: Schema, new: Schema, path: str, owner: str, attribute: str) -> Iterator[Change]:
        before, after = _alternatives(old, self._old), _alternatives(new, self._new)
        branches = [(self._old.branch_text(branch), self._old.json_types(branch)) for branch in before]
        new_branches = [(self._new.branch_text(branch), self._new.json_types(branch)) for branch in after]
        counted, now_counted = self._old.is_counted(old), self._new.is_counted(new)
        pairs = _paired(branches, new_branches)
        if len(pairs) < max(len(before), len(after)) or counted != now_counted:
            texts = _branches_text(branches, counted), _branches_text(new_branches, now_counted)
            is_wider = len(pairs) == len(before) and not now_counted
            text, effect = f"{_at(path)} {' -> '.join(texts)}", self._effect(old, new, attribute)
            yield Change("alternatives", text, *(RELAXED if is_wider else OTHER), effect)
        for number, (position, new_position) in enumerate(pairs, start=1):
            yield from self.changes(before[position], after[new_position], f"{path}|{number}", owner)


def _alternatives(schema: Schema, version: SchemaVersion) -> tuple[Schema, ...]:
    """Return a schema for each of several types, and for each alternative."""
    if not schema.branches:
        return schema.of_each_type()
    single: list[Schema] = []
    for branch in schema.branches:
        is_single = bool(branch.branches) and version.is_counted(replace(branch, exactly_one=True))
        single += [branch] if is_single else _alternatives(branch, version)
    return tuple(single)


Branches = list[tuple[str, frozenset[str]]]
"""The text of each alternative, and its JSON types."""


def _paired(old: Branches, new: Branches) -> list[tuple[int, int]]:
    """Return the positions of alternatives to compare: equal ones, those of one JSON type, and the others.

    The others are only compared if there are as many.
    """
    pairs: list[tuple[int, int]] = []
    left, right = list(range(len(old))), list(range(len(new)))

    def pair(position: int, other: int) -> None:
        pairs.append((position, other))
        left.remove(position)
        right.remove(other)

    for position, (text, _) in enumerate(old):
        same = [other for other in right if new[other][0] == text]
        if same:
            pair(position, same[0])
    for position in list(left):
        kinds = old[position][1]
        same = [other for other in right if kinds <= with_integers(new[other][1])]
        if len(kinds) == len(same) == 1 and sum(old[another][1] == kinds for another in left) == 1:
            pair(position, same[0])
    if len(left) == len(right):
        pairs += zip(left, right, strict=True)
    return sorted(pairs)


def _branches_text(branches: Branches, is_counted: bool) -> str:
    text = " or ".join(text for text, _ in branches) or "any"
    return f"exactly one of {text}" if is_counted else text


def _unenforced(old: Schema, new: Schema, path: str) -> Iterator[Change]:
    """Yield the differences of keywords that classes do not enforce."""
    before, after = (schema.document.unenforced_at(schema.pointer) for schema in (old, new))
    for keyword in dict.fromkeys([*before, *after]):
        if before.get(keyword) != after.get(keyword):
            texts = (
                _values_text((side[keyword],)) if keyword in side else "none" for side in (before, after)
            )
            text = f"{_at(path)} {keyword} {' -> '.join(texts)}, which classes do not enforce"
            yield Change("keyword", text, *_narrowing(keyword in after))


def _renamed_class(before: str, after: str, path: str) -> Iterator[Change]:
    """Yield the change of the name of the class that is generated for a value."""
    if before and after and before != after:
        text = f"{_at(path)} class {before} -> {after}"
        yield Change("class", text, Step.NONE, (), f"{before} becomes {after}", breaks_code=True)


def _bases(old: View, new: View, path: str) -> Iterator[Change]:
    if old.bases != new.bases:
        before, after = (" and ".join(view.bases) or "nothing" for view in (old, new))
        yield Change("base", f"{_at(path)} extends {before} -> {after}", *OTHER)


def _formats(old: Schema, new: Schema, path: str, attribute: str) -> Iterator[Change]:
    if old.format != new.format:
        text = f"{_at(path)} format {old.format or 'none'} -> {new.format or 'none'}"
        if not ASSERTED_FORMATS & {
            old.format,
            new.format,
        }:  # As in JSON Schema, it only describes the value.
            yield Change("format", f"{text}, which classes do not enforce", Step.NONE)
            return
        before, after = ("a Timestamp" if part.format == "date-time" else "a str" for part in (old, new))
        is_other_type = bool(attribute) and before != after
        effect = f"{attribute} is {after}, no longer {before}" if is_other_type else ""
        yield Change("format", text, *_narrowing(new.format in ASSERTED_FORMATS), effect, is_other_type)


def _as_base(one: View, other: View) -> View:
    """Return a schema that is only a base of the core as an object that extends it, if the other one does."""
    return replace(one, name="", bases=(one.name,)) if one.name and one.name in other.bases else one


def _values_text(values: tuple[Any, ...]) -> str:
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


def _constraints(old: Schema, new: Schema, path: str, *, only_integers: bool) -> Iterator[Change]:
    patterns = (dict(schema.constraints).get("pattern") for schema in (old, new))
    before, after = (_bounds(schema, only_integers) for schema in (old, new))
    for name in dict.fromkeys([*before, *after]):
        bound, new_bound = before.get(name), after.get(name)
        if bound != new_bound:
            texts = " -> ".join(_bound_text(name, value) for value in (bound, new_bound))
            is_tighter = new_bound is not None and (bound is None or new_bound > bound)
            yield _narrowed(f"{_at(path)} {name} {texts}", is_tighter)
    pattern, new_pattern = patterns
    if pattern != new_pattern:
        text = f"{_at(path)} pattern {pattern or 'none'} -> {new_pattern or 'none'}"
        yield _narrowed(text, new_pattern is not None)


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


def _required(old: View, new: View, name: str, place: str, owner: str) -> Iterator[Change]:
    if name in new.required and name not in old.required:
        effect = f"{owner} requires the argument {_attribute(name)}"
        yield Change("required", f"{place} is now required", *TIGHTENED, effect)
    elif name in old.required and name not in new.required:
        effect = f"{owner}.{_attribute(name)} may be None"
        yield Change("optional", f"{place} is no longer required", *RELAXED, effect)


def _rules(old: View, new: View, path: str) -> Iterator[Change]:
    for rule in sorted(new.rules - old.rules, key=str):
        yield _narrowed(f"{_at(path)} {_rule_text(rule)}", True)
    for rule in sorted(old.rules - new.rules, key=str):
        yield _narrowed(f"{_at(path)} no longer: {_rule_text(rule)}", False)


def _rule_text(rule: ir.Rule) -> str:
    if isinstance(rule, ir.ForbidTogether):
        return f"not all of {', '.join(rule.names)}"
    if isinstance(rule, ir.RequireOneOf):
        listed = " or ".join(" and ".join(names) for names in rule.alternatives)
        return f"{'exactly' if rule.exactly_one else 'at least'} one of {listed}"
    return f"{rule.name} requires {', '.join(rule.needed)}"


def _with_undeclared(one: View, other: View) -> View:
    """Return a view with the properties that it requires, but does not declare, if the other one does."""
    schema = one.schema
    kind = schema.additional if isinstance(schema.additional, Schema) else None
    kind = kind or Schema(schema.document, schema.pointer)
    names = [name for name in other.properties if name in one.required and name not in one.properties]
    return replace(one, properties={**one.properties, **dict.fromkeys(names, kind)}) if names else one


def _additional(version: SchemaVersion, schema: Schema) -> Schema | bool:
    """Return what a schema demands of additional properties, whether it allows them if it demands nothing."""
    if isinstance(schema.additional, Schema):
        return version.demanded(schema.additional) or True
    return schema.additional is not False


_ALLOWED = {True: "allowed", False: "forbidden"}


def _narrowed(text: str, is_tighter: bool) -> Change:
    """Return the change of a constraint that allows fewer or more values."""
    return Change("tightened" if is_tighter else "relaxed", text, *_narrowing(is_tighter))


def _narrowing(is_tighter: bool) -> tuple[Step, Broken]:
    return TIGHTENED if is_tighter else RELAXED


def _at(path: str) -> str:
    return path or "the object"


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _attribute(name: str) -> str:
    return attribute_names([name])[name]
