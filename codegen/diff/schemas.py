"""Compare two schemas: the values that they allow, property by property."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from .. import ir
from ..identifiers import attribute_names
from ..keywords import with_integers
from ..normalize import Schema
from .alternatives import choice_of, effect_of_choices, paired
from .change import (
    BOTH,
    OTHER,
    READERS,
    RELAXED,
    TIGHTENED,
    WRITERS,
    Change,
    Step,
    at,
    changing,
    narrowed,
    narrowing,
    values_text,
)
from .constraints import differing_constraints, differing_formats, differing_rules, differing_unenforced
from .version import SchemaVersion, View

_MOST_NAMES = 40_000
"""How many pairs of a removed and an added property are compared by name: it takes less than a second."""


class Comparison:
    """Compares the schemas of two versions.

    Args:
        old: The old version.
        new: The new version.
        is_counted: Whether what it compares is in alternatives of which a value must match exactly one.
    """

    def __init__(self, old: SchemaVersion, new: SchemaVersion, *, is_counted: bool = False) -> None:
        self._old = old
        self._new = new
        self._pairs: dict[tuple[int, int], tuple[Schema, Schema]] = {}
        # A change has another effect in such alternatives, so that what is also elsewhere is compared twice.
        self._of_counted = self if is_counted else Comparison(old, new, is_counted=True)

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
            *differing_unenforced(old_view.schema, new_view.schema, path),
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
            is_wider = not new_kinds or (bool(kinds) and kinds <= new_kinds)
            is_tighter = not kinds or (bool(new_kinds) and new_kinds <= kinds)
            is_other = old.name != new.name or not (is_wider or is_tighter)
            text = f"{at(path)} {self._old.described(old.schema)} -> {self._new.described(new.schema)}"
            effect = self._effect(old.schema, new.schema, attribute)
            yield Change("type", text, *(OTHER if is_other else narrowing(is_tighter)), effect)
            if not shared or old.name != new.name:
                return
            old, new = (replace(view, schema=view.schema.of_types(shared)) for view in (old, new))
        old, new = _with_undeclared(old, new), _with_undeclared(new, old)
        yield from _bases(old, new, path)
        yield from differing_formats(old.schema, new.schema, path, attribute)
        yield from self._values(old.schema, new.schema, path, attribute)
        yield from differing_constraints(old.schema, new.schema, path, only_integers="number" not in shared)
        if "object" in shared:
            yield from self._properties(old, new, path, owner)
            yield from differing_rules(old, new, path)
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
        for name in list(removed) if len(removed) * len(added) <= _MOST_NAMES else ():
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
            if values is not None and values != ir.Constants([None]):  # Null is the only value of its type.
                is_tighter = old.values is None
                text = f"{at(path)} {'only' if is_tighter else 'no longer only'} {values_text(values)}"
                yield Change("enum", text, *narrowing(is_tighter), effect, is_lost)
            return
        removed = tuple(value for value in old.values if value not in new.values)
        added = tuple(value for value in new.values if value not in old.values)
        if removed:
            yield Change("enum", f"{at(path)} without {values_text(removed)}", *TIGHTENED, effect, is_lost)
        if added:
            yield Change("enum", f"{at(path)} with {values_text(added)}", *RELAXED, effect, is_lost)
        if is_lost and not (removed or added):
            text = f"{at(path)} class {before} -> none"
            yield Change("class", text, Step.NONE, (), effect, breaks_code=True)

    def _additional(self, old: Schema, new: Schema, path: str, owner: str) -> Iterator[Change]:
        before, after = _additional(self._old, old), _additional(self._new, new)
        if old.key_pattern != new.key_pattern and before and after:
            text = f"{at(path)} keys match {new.key_pattern or 'anything'}"
            yield Change("pattern", text, *changing(old.key_pattern, new.key_pattern))
        if isinstance(before, Schema) and isinstance(after, Schema):
            yield from self.changes(before, after, _join(path, "*"), owner)
        elif before != after:
            texts = ("typed" if isinstance(part, Schema) else _ALLOWED[part] for part in (before, after))
            text = f"{at(path)} additional properties: {' -> '.join(texts)}"
            yield narrowed(text, after is False or before is True)

    def _items(self, old: Schema, new: Schema, path: str, owner: str, attribute: str) -> Iterator[Change]:
        before, after = self._old.demanded(old.items), self._new.demanded(new.items)
        if before is not None and after is not None:
            yield from self.changes(before, after, f"{path}[]", owner, attribute)
        elif after is not None:
            yield narrowed(f"{at(path)} items {self._new.described(after)}", True)
        elif before is not None:
            yield narrowed(f"{at(path)} items {self._old.described(before)}", False)

    def _branches(self, old: Schema, new: Schema, path: str, owner: str, attribute: str) -> Iterator[Change]:
        before, after = choice_of(old, self._old), choice_of(new, self._new)
        pairs = paired(before.alternatives, after.alternatives)
        is_single = len(before.alternatives) == len(after.alternatives) == 1
        if len(pairs) < max(len(before.alternatives), len(after.alternatives)) or (
            before.is_counted != after.is_counted
        ):
            text, effect = f"{at(path)} {before} -> {after}", self._effect(old, new, attribute)
            yield Change("alternatives", text, *effect_of_choices(before, after, pairs), effect)
        for number, (alternative, other) in enumerate(pairs, start=1):
            is_counted = before.is_counted and after.is_counted
            is_counted = is_counted and (before.counts(alternative) or after.counts(other))
            comparison = self._of_counted if is_counted else self
            place = (path, owner, attribute) if is_single else (f"{path}|{number}", owner)
            for change in comparison.changes(alternative.schema, other.schema, *place):
                yield (
                    replace(change, step=Step.MODEL, breaks=BOTH) if is_counted and change.breaks else change
                )


def _renamed_class(before: str, after: str, path: str) -> Iterator[Change]:
    """Yield the change of the name of the class that is generated for a value."""
    if before and after and before != after:
        text = f"{at(path)} class {before} -> {after}"
        yield Change("class", text, Step.NONE, (), f"{before} becomes {after}", breaks_code=True)


def _bases(old: View, new: View, path: str) -> Iterator[Change]:
    if old.bases != new.bases:
        before, after = (" and ".join(view.bases) or "nothing" for view in (old, new))
        yield Change("base", f"{at(path)} extends {before} -> {after}", *OTHER)


def _as_base(one: View, other: View) -> View:
    """Return a schema that is only a base of the core as an object that extends it, if the other one does."""
    return replace(one, name="", bases=(one.name,)) if one.name and one.name in other.bases else one


def _required(old: View, new: View, name: str, place: str, owner: str) -> Iterator[Change]:
    if name in new.required and name not in old.required:
        effect = f"{owner} requires the argument {_attribute(name)}"
        yield Change("required", f"{place} is now required", *TIGHTENED, effect)
    elif name in old.required and name not in new.required:
        effect = f"{owner}.{_attribute(name)} may be None"
        yield Change("optional", f"{place} is no longer required", *RELAXED, effect)


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


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _attribute(name: str) -> str:
    return attribute_names([name])[name]
