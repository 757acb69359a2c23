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
from ..keywords import ASSERTED_FORMATS
from ..normalize import Schema
from .change import Change, Step
from .side import Side, View


class Comparison:
    """Compares the schemas of two versions.

    Args:
        old: The old version.
        new: The new version.
    """

    def __init__(self, old: Side, new: Side) -> None:
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
        one, other = self._old.view(old), self._new.view(new)
        if one.name != other.name:  # A base with further properties is no longer the whole schema.
            one, other = _as_base(one, other), _as_base(other, one)
        if (id(one.schema), id(other.schema)) in self._pairs:
            return []
        # The schemas are kept, or others would get their ids.
        self._pairs[id(one.schema), id(other.schema)] = one.schema, other.schema
        before, after = self._old.class_of(one.schema), self._new.class_of(other.schema)
        owner = after or owner
        one, other = _split_types(one, other), _split_types(other, one)
        one, other = _with_undeclared(one, other), _with_undeclared(other, one)
        found = self._types(one, other, path, attribute)
        if found:
            return _at_pointer(found, other.schema)
        found = [
            *_renamed_class(before, after, path),
            *_bases(one, other, path),
            *_formats(one.schema, other.schema, path, attribute),
            *self._values(one.schema, other.schema, path, attribute),
            *_constraints(one.schema, other.schema, path),
            *self._properties(one, other, path, owner),
            *_rules(one, other, path),
            *self._additional(one.schema, other.schema, path, owner),
            *self._branches(one.schema, other.schema, path, owner),
        ]
        found += self._items(one.schema, other.schema, path, owner, attribute)
        return _at_pointer(found, other.schema)

    def _types(self, one: View, other: View, path: str, attribute: str) -> list[Change]:
        if one.name or other.name:
            if one.name == other.name:
                return []
            text = f"{_at(path)} {one.name or self._old.described(one.schema)} -> "
            return [Change("type", text + (other.name or self._new.described(other.schema)), Step.MODEL)]
        if _has_alternatives(one.schema) and _has_alternatives(other.schema):
            return []  # These are compared one by one.
        before, after = self._old.json_types(one.schema), self._new.json_types(other.schema)
        if before == after:
            return []
        text = f"{_at(path)} {self._old.described(one.schema)} -> {self._new.described(other.schema)}"
        is_wider = not after or (bool(before) and before <= _with_integers(after))
        effect = ""
        if attribute and before | {"null"} == after:
            effect = f"{attribute} may be None"
        elif attribute:
            effect = f"{attribute} is {self._new.described(other.schema)}"
        return [Change("type", text, Step.ADDITION if is_wider else Step.MODEL, effect)]

    def _properties(self, one: View, other: View, path: str, owner: str) -> Iterator[Change]:
        removed = [name for name in one.properties if name not in other.properties]
        added = [name for name in other.properties if name not in one.properties]
        for name in list(removed):
            near = self._renamed(name, one, added, other)
            if near is not None:
                removed.remove(name)
                added.remove(near)
                text = f"{_join(path, name)} -> {near} ({self._new.described(other.properties[near])})"
                is_other = _attribute(name) != _attribute(near)
                effect = f"{owner}.{_attribute(name)} becomes {owner}.{_attribute(near)}" if is_other else ""
                yield Change("renamed?", text, Step.MODEL, effect)
        for name in removed:
            text = f"{_join(path, name)} {self._old.described(one.properties[name])}"
            yield Change("removed", text, Step.MODEL, f"{owner}.{_attribute(name)} is removed")
        for name in added:
            is_required = name in other.required
            kind = self._new.described(other.properties[name])
            text = f"{_join(path, name)} {kind}, {'required' if is_required else 'optional'}"
            effect = f"{owner} requires the argument {_attribute(name)}" if is_required else ""
            step = Step.MODEL if is_required else Step.ADDITION
            yield Change("added", text, step, effect, pointer=other.properties[name].pointer)
        for name, part in one.properties.items():
            if name in other.properties:
                place = _join(path, name)
                yield from _required(one, other, name, place, owner)
                attribute = f"{owner}.{_attribute(name)}"
                yield from self.changes(part, other.properties[name], place, owner, attribute)
                if not part.deprecated and other.properties[name].deprecated:
                    yield Change("deprecated", place, Step.ADDITION)
                elif part.deprecated and not other.properties[name].deprecated:
                    yield Change("restored", f"{place} is no longer deprecated", Step.ADDITION)
        undeclared = sorted((one.required ^ other.required) - one.properties.keys() - other.properties.keys())
        for name in undeclared:
            yield from _required(one, other, name, _join(path, name), owner)

    def _renamed(self, name: str, one: View, added: list[str], other: View) -> str | None:
        """Return the added property that a removed one was probably renamed to."""
        kind = self._old.described(one.properties[name])
        same = [
            near
            for near in added
            if self._new.described(other.properties[near]) == kind
            and (near in other.required) == (name in one.required)
        ]
        ratios = {
            near: SequenceMatcher(None, name.lower(), near.lower(), autojunk=False).ratio() for near in same
        }
        near = max(same, key=lambda near: ratios[near], default=None)
        if near is None:
            return None
        is_part = name.lower() in near.lower() or near.lower() in name.lower()
        return near if is_part or ratios[near] > 0.6 else None

    def _values(self, one: Schema, other: Schema, path: str, attribute: str) -> Iterator[Change]:
        if one.values is None and other.values is None:
            return
        before, after = self._old.class_of(one), self._new.class_of(other)
        is_lost = bool(before) and not after
        effect = f"{before} is removed" if is_lost else ""
        if after and not before and attribute:
            effect = f"{attribute} is {after}"
        if one.values is None or other.values is None:
            is_tighter = one.values is None
            values = other.values if one.values is None else one.values
            text = f"{_at(path)} {'only' if is_tighter else 'no longer only'} {_values_text(values or ())}"
            yield Change("enum", text, _tightened(is_tighter), effect, is_lost)
            return
        removed = tuple(value for value in one.values if value not in other.values)
        added = tuple(value for value in other.values if value not in one.values)
        if removed:
            yield Change("enum", f"{_at(path)} without {_values_text(removed)}", Step.MODEL, effect)
        if added:
            yield Change("enum", f"{_at(path)} with {_values_text(added)}", Step.ADDITION, effect)

    def _additional(self, one: Schema, other: Schema, path: str, owner: str) -> Iterator[Change]:
        before, after = _additional(self._old, one), _additional(self._new, other)
        if one.key_pattern != other.key_pattern and other.additional is not None:
            text = f"{_at(path)} keys match {other.key_pattern or 'anything'}"
            yield Change("pattern", text, _tightened(other.key_pattern is not None))
        if isinstance(before, Schema) and isinstance(after, Schema):
            yield from self.changes(before, after, _join(path, "*"), owner)
        elif before != after and not (before is True and after is True):
            is_tighter = after is False or before is True
            texts = [_additional_text(part) for part in (before, after)]
            text = f"{_at(path)} additional properties: {texts[0]} -> {texts[1]}"
            yield Change("tightened" if is_tighter else "relaxed", text, _tightened(is_tighter))

    def _items(self, one: Schema, other: Schema, path: str, owner: str, attribute: str) -> Iterator[Change]:
        before, after = self._old.demanded(one.items), self._new.demanded(other.items)
        if before is not None and after is not None:
            yield from self.changes(before, after, f"{path}[]", owner, attribute)
        elif after is not None:
            yield Change("tightened", f"{_at(path)} items {self._new.described(after)}", Step.MODEL)
        elif before is not None:
            yield Change("relaxed", f"{_at(path)} items {self._old.described(before)}", Step.ADDITION)

    def _branches(self, one: Schema, other: Schema, path: str, owner: str) -> Iterator[Change]:
        before = _by_type(one.one_of or one.any_of, self._old)
        after = _by_type(other.one_of or other.any_of, self._new)
        if not before and not after:
            return
        counted, now_counted = self._old.is_counted(one), self._new.is_counted(other)
        old_texts = [self._old.branch_text(branch) for branch in before]
        new_texts = [self._new.branch_text(branch) for branch in after]
        old_kinds = [self._old.json_types(branch) for branch in before]
        new_kinds = [self._new.json_types(branch) for branch in after]
        pairs = _paired(old_texts, new_texts, old_kinds, new_kinds)
        if len(pairs) < max(len(before), len(after)) or counted != now_counted:
            texts = (_alternatives_text(old_texts, counted), _alternatives_text(new_texts, now_counted))
            is_wider = bool(before) and len(pairs) == len(before) and not now_counted
            step = Step.ADDITION if is_wider else Step.MODEL
            yield Change("alternatives", f"{_at(path)} {' -> '.join(texts)}", step)
        for number, (old, new) in enumerate(pairs, start=1):
            yield from self.changes(before[old], after[new], f"{path}|{number}", owner)


def _has_alternatives(schema: Schema) -> bool:
    return bool(schema.one_of or schema.any_of)


def _split_types(one: View, other: View) -> View:
    """Return a view with an alternative for each of several types, if the other one has alternatives."""
    schema = one.schema
    if len(schema.types) < 2 or not _has_alternatives(other.schema) or schema.values is not None:
        return one
    return replace(one, schema=Schema(schema.document, schema.pointer, any_of=schema.of_each_type()))


def _by_type(branches: tuple[Schema, ...], side: Side) -> tuple[Schema, ...]:
    """Return alternatives, with one for each of several types and for each alternative inside them."""
    found: list[Schema] = []
    for branch in branches:
        inner = branch.one_of or branch.any_of
        if inner and not side.is_counted(replace(branch, one_of=inner, any_of=())):
            found += _by_type(inner, side)
        elif len(branch.types) > 1 and branch.values is None and not inner:
            found += branch.of_each_type()
        else:
            found.append(branch)
    return tuple(found)


def _paired(
    old: list[str], new: list[str], old_kinds: list[frozenset[str]], new_kinds: list[frozenset[str]]
) -> list[tuple[int, int]]:
    """Return the positions of alternatives to compare: equal ones, those of one JSON type, and the others.

    The others are only compared if there are as many.
    """
    pairs: list[tuple[int, int]] = []
    left, right = list(range(len(old))), list(range(len(new)))
    for number in list(left):
        match = next((position for position in right if new[position] == old[number]), None)
        if match is not None:
            pairs.append((number, match))
            left.remove(number)
            right.remove(match)
    for number in list(left):
        kind = old_kinds[number]
        is_only = len(kind) == 1 and [old_kinds[position] for position in left].count(kind) == 1
        alike = [position for position in right if new_kinds[position] == kind]
        if is_only and len(alike) == 1:
            pairs.append((number, alike[0]))
            left.remove(number)
            right.remove(alike[0])
    if len(left) == len(right):
        pairs += zip(left, right, strict=True)
    return sorted(pairs)


def _alternatives_text(texts: list[str], is_counted: bool) -> str:
    text = " or ".join(texts) or "any"
    return f"exactly one of {text}" if is_counted else text


def _with_integers(types: frozenset[str]) -> frozenset[str]:
    return types | {"integer"} if "number" in types else types


def _renamed_class(before: str, after: str, path: str) -> Iterator[Change]:
    """Yield the change of the name of the class that is generated for a value."""
    if before and after and before != after:
        text = f"{_at(path)} class {before} -> {after}"
        yield Change("class", text, Step.NONE, f"{before} becomes {after}", breaks_code=True)


def _bases(one: View, other: View, path: str) -> Iterator[Change]:
    if one.bases != other.bases:
        text = f"{_at(path)} extends {_listed(one.bases)} -> {_listed(other.bases)}"
        yield Change("base", text, Step.MODEL)


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(names) or "nothing"


def _formats(one: Schema, other: Schema, path: str, attribute: str) -> Iterator[Change]:
    if one.format != other.format:
        was_asserted, is_asserted = (part.format in ASSERTED_FORMATS for part in (one, other))
        text = f"{_at(path)} format {one.format or 'none'} -> {other.format or 'none'}"
        if not (was_asserted or is_asserted):  # As in JSON Schema, it only describes the value.
            yield Change("format", f"{text}, which classes do not enforce", Step.NONE)
            return
        kinds = ["a Timestamp" if part.format == "date-time" else "a str" for part in (one, other)]
        is_other_type = bool(attribute) and kinds[0] != kinds[1]
        effect = f"{attribute} is {kinds[1]}, no longer {kinds[0]}" if is_other_type else ""
        yield Change("format", text, _tightened(is_asserted), effect, is_other_type)


def _as_base(one: View, other: View) -> View:
    """Return a schema that is only a base of the core as an object that extends it, if the other one does."""
    return replace(one, name="", bases=(one.name,)) if one.name and one.name in other.bases else one


def _at_pointer(changes: list[Change], schema: Schema) -> list[Change]:
    """Return changes with the place of a schema, unless they have that of one inside it."""
    return [change if change.pointer else replace(change, pointer=schema.pointer) for change in changes]


def _values_text(values: tuple[Any, ...]) -> str:
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems"})


def _constraints(one: Schema, other: Schema, path: str) -> Iterator[Change]:
    before, after = _canonical_constraints(one), _canonical_constraints(other)
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if old is None or new is None:
            is_tighter = old is None
        elif isinstance(old, str) or isinstance(new, str):
            is_tighter = True
        else:
            is_tighter = new > old if name in _LOWER else new < old
        text = f"{_at(path)} {name} {'none' if old is None else old} -> {'none' if new is None else new}"
        yield Change("tightened" if is_tighter else "relaxed", text, _tightened(is_tighter))


def _canonical_constraints(schema: Schema) -> dict[str, int | float | str]:
    """Return the constraints of a schema that have an effect, bounds of integers as inclusive ones."""
    found = dict(schema.constraints)
    for name in ("minLength", "minItems"):
        if found.get(name) == 0:
            del found[name]
    if set(schema.types) - {"null"} == {"integer"}:
        for name, exclusive, step in (
            ("minimum", "exclusiveMinimum", 1),
            ("maximum", "exclusiveMaximum", -1),
        ):
            rounded = math.ceil if step > 0 else math.floor
            bounds = [rounded(bound) for bound in [found.pop(name, None)] if isinstance(bound, (int, float))]
            excluded = found.pop(exclusive, None)
            if isinstance(excluded, (int, float)):
                bounds.append((math.floor(excluded) if step > 0 else math.ceil(excluded)) + step)
            if bounds:
                found[name] = max(bounds) if step > 0 else min(bounds)
    return found


def _required(one: View, other: View, name: str, place: str, owner: str) -> Iterator[Change]:
    if name in other.required and name not in one.required:
        effect = f"{owner} requires the argument {_attribute(name)}"
        yield Change("required", f"{place} is now required", Step.MODEL, effect)
    elif name in one.required and name not in other.required:
        effect = f"{owner}.{_attribute(name)} may be None"
        yield Change("optional", f"{place} is no longer required", Step.ADDITION, effect)


def _rules(one: View, other: View, path: str) -> Iterator[Change]:
    for rule in sorted(other.rules - one.rules, key=str):
        yield Change("tightened", f"{_at(path)} {_rule_text(rule)}", Step.MODEL)
    for rule in sorted(one.rules - other.rules, key=str):
        yield Change("relaxed", f"{_at(path)} no longer: {_rule_text(rule)}", Step.ADDITION)


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


def _additional(side: Side, schema: Schema) -> Schema | bool:
    """Return what a schema demands of additional properties, whether it allows them if it demands nothing."""
    if isinstance(schema.additional, Schema):
        return side.demanded(schema.additional) or True
    return schema.additional is not False


def _additional_text(value: Schema | bool) -> str:
    return "typed" if isinstance(value, Schema) else "allowed" if value else "forbidden"


def _tightened(is_tighter: bool) -> Step:
    return Step.MODEL if is_tighter else Step.ADDITION


def _at(path: str) -> str:
    return path or "the object"


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _attribute(name: str) -> str:
    return attribute_names([name])[name]
