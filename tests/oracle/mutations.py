"""Change a document in ways that often, but not always, make it invalid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from tests.oracle import values
from tests.oracle.documents import EVENT_PARTS, Maker
from tests.oracle.schemas import PROPOSALS, RELEASED, Place, core

DEEP = (3, 10, 40, 120)
"""How many levels a mutation nests."""

DEEPEST = 150
"""How many levels a document may nest in all. JSON leaves readers free to set a limit; ours is higher."""


class Spot(NamedTuple):
    """One value of a document, by what holds it."""

    holder: Any
    step: Any

    @property
    def value(self) -> Any:
        return self.holder[self.step]

    def put(self, value: Any) -> None:
        self.holder[self.step] = value


Mutation = Callable[[Random, Any], None]
"""Changes a document in place."""

Replacement = Callable[[Random, Any], Any]
"""Returns what replaces a value."""


def mutated(random: Random, document: Any) -> Any:
    """Return a copy of a document with one change, seldom with two or three, or something else entirely."""
    if random.random() < 0.01:
        return values.anything(random)
    for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
        changed = deepcopy(document)
        random.choices(_MUTATIONS, _WEIGHTS)[0](random, changed)
        if depth_of(changed) <= DEEPEST:
            document = changed
    return document


def depth_of(document: Any) -> int:
    """Return how many levels of objects and arrays a document nests."""
    depth = 0
    level = [document]
    while level:
        depth += 1
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
    return depth


def spots(document: Any) -> Iterator[Spot]:
    """Yield every value below the top of a document, outermost first."""
    queue = [document]
    for holder in queue:
        steps = list(holder) if isinstance(holder, dict) else range(len(holder))
        for step in steps:
            yield Spot(holder, step)
            if isinstance(holder[step], (dict, list)):
                queue.append(holder[step])


def _object(random: Random, document: Any) -> dict[str, Any]:
    """Pick an object of a document."""
    objects = [spot.value for spot in spots(document) if isinstance(spot.value, dict)]
    chosen: dict[str, Any] = random.choice([document, *objects])
    return chosen


FACET_FIELDS = (
    ("run", "facets", "RunFacet"),
    ("job", "facets", "JobFacet"),
    ("dataset", "facets", "DatasetFacet"),
    ("inputs", "facets", "DatasetFacet"),
    ("outputs", "facets", "DatasetFacet"),
    ("inputs", "inputFacets", "InputDatasetFacet"),
    ("outputs", "outputFacets", "OutputDatasetFacet"),
)
"""The maps of facets of an event: its part, their field there, and their base facet."""


def _facet_maps(document: Any) -> list[tuple[str, dict[str, Any]]]:
    """Find the maps of facets of an event, as far as its shape is still that of one."""
    found = []
    for part, name, base in FACET_FIELDS:
        value = document.get(part)
        for entity in value if isinstance(value, list) else [value]:
            if isinstance(entity, dict) and isinstance(entity.get(name), dict):
                found.append((base, entity[name]))
    return found


def _drop(random: Random, document: Any) -> None:
    holder = _object(random, document)
    if holder:
        del holder[random.choice(list(holder))]


def _add_unknown(random: Random, document: Any) -> None:
    key = values.unknown_key(random)
    if key not in EVENT_PARTS:
        _object(random, document).setdefault(key, values.anything(random))


def _replacing(found_in: Callable[[Any], list[Spot]], replacement: Replacement) -> Mutation:
    """Return a mutation that replaces one value of those found in a document."""

    def mutate(random: Random, document: Any) -> None:
        found = found_in(document)
        if found:
            spot = random.choice(found)
            spot.put(replacement(random, spot.value))

    return mutate


def _spots_of(*types: type) -> Callable[[Any], list[Spot]]:
    """Return what finds the values of some types."""
    return lambda document: [spot for spot in spots(document) if isinstance(spot.value, types)]


def _other_type(random: Random, value: Any) -> Any:
    return random.choice((None, True, False, 0, 10, 1.5, 10.0, "10", "", [], {}, [value], {"": value}))


def _empty(random: Random, value: Any) -> Any:
    return type(value)() if value is not None else ""


def _times_and_ids(document: Any) -> list[Spot]:
    return [
        spot
        for spot in _spots_of(str)(document)
        if isinstance(spot.step, str) and spot.step.endswith(("Time", "lastUpdated", "runId"))
    ]


def _format(random: Random, document: Any) -> None:
    """Break a date-time or a UUID by a hair."""
    found = _times_and_ids(document)
    if found:
        spot = random.choice(found)
        near = values.NEARLY_UUIDS if spot.step.endswith("Id") else values.NEARLY_DATE_TIMES
        spot.put(_nudged(random, spot.value) if random.random() < 0.3 else random.choice(near))


def _nudged(random: Random, text: str) -> str:
    """Return text with one character inserted, taken out or replaced."""
    at = random.randrange(len(text) + 1)
    new = random.choice(
        ("", "0", "9", "-", ":", ".", "Z", "T", "_", " ", "\n", "é", "٣", text[at : at + 1].swapcase())
    )
    return text[:at] + new + text[at + random.choice((0, 1, 1)) :]


def _misspell(random: Random, document: Any) -> None:
    """Rename a key as typing does: by case, by snake case, by one character."""
    holder = _object(random, document)
    if not holder:
        return
    key = random.choice(list(holder))
    snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in key)
    new = random.choice((key.lower(), key.upper(), snake, f"_{key}", key.lstrip("_"), _nudged(random, key)))
    holder[new] = holder.pop(key)


def _swap_values(random: Random, document: Any) -> None:
    holder = _object(random, document)
    if len(holder) > 1:
        one, other = random.sample(list(holder), 2)
        holder[one], holder[other] = holder[other], holder[one]


def _swap_far(random: Random, document: Any) -> None:
    """Replace one part of the document by another."""
    found = list(spots(document))
    if len(found) > 1:
        one, other = random.sample(found, 2)
        one.put(deepcopy(other.value))


def _number(random: Random, value: Any) -> Any:
    return random.choice((values.number(random), str(value), None, not value, [value], -1, 0))


def _filled_lists(document: Any) -> list[Spot]:
    return [spot for spot in _spots_of(list)(document) if spot.value]


def _repeated(random: Random, value: Any) -> Any:
    """Make a list long, or hold something twice."""
    times = random.choice((2, 2, 2, 20, 200)) if len(str(value)) < 300 else 2
    return [deepcopy(item) for _ in range(times) for item in value]


def _spoil_item(random: Random, document: Any) -> None:
    """Put something foreign into a list."""
    lists = [spot.value for spot in spots(document) if isinstance(spot.value, list)]
    if lists:
        chosen = random.choice(lists)
        chosen.insert(random.randrange(len(chosen) + 1), values.anything(random, 1))


def _long_text(random: Random, text: str) -> str:
    return (text or "ä") * random.choice((2, 100, 5_000))


def _deepen(random: Random, document: Any) -> None:
    """Nest a value in itself, level upon level."""
    recursive = [
        spot
        for spot in spots(document)
        if isinstance(spot.value, dict) and any(name in spot.value for name in _RECURSIVE)
    ]
    depth = random.choice(DEEP)
    if recursive and random.random() < 0.8:
        spot = random.choice(recursive)
        name = next(name for name in _RECURSIVE if name in spot.value)
        nested = deepcopy(spot.value)
        if len(str(nested)) > 2_000:
            return
        for _ in range(depth // 2):
            held = spot.value[name]
            nested = {**spot.value, name: [nested] if isinstance(held, list) else nested}
        spot.put(nested)
        return
    found = list(spots(document))
    chosen = random.choice(found) if found else None
    value = deepcopy(chosen.value) if chosen else None
    for _ in range(depth):
        value = {"deeper": value} if random.random() < 0.5 else [value]
    if random.random() < 0.3 and chosen:
        chosen.put(value)
    else:
        _object(random, document)["acme_deep"] = value


_RECURSIVE = ("fields", "left", "children", "dependencies", "inputs")
"""Fields that may contain objects of the class that has them."""


def _other_kind(random: Random, document: Any) -> None:
    """Make it look like another kind of event, or like two at once."""
    name = random.choice(EVENT_PARTS)
    if name in document and random.random() < 0.3:
        del document[name]
        return
    maker = Maker(random)
    definition = {"run": "Run", "job": "Job", "dataset": "StaticDataset"}[name]
    made = maker.make(core(definition))
    document[name] = made if random.random() < 0.6 else values.anything(random, 1)


def _deleted(random: Random, document: Any) -> None:
    """Call a facet deleted, or almost."""
    found = [
        facet for _, facets in _facet_maps(document) for facet in facets.values() if isinstance(facet, dict)
    ]
    if not found:
        return
    facet = random.choice(found)
    facet["_deleted"] = random.choice((True, True, True, False, None, "true", 1, 0))
    if random.random() < 0.5:
        for name in [name for name in facet if not name.startswith("_") and random.random() < 0.7]:
            del facet[name]


def _schema_url(random: Random, document: Any) -> None:
    """Have a facet claim another schema."""
    maps = _facet_maps(document)
    found = [
        (base, key, facet)
        for base, facets in maps
        for key, facet in facets.items()
        if isinstance(facet, dict)
    ]
    if not found:
        return
    base, key, facet = random.choice(found)
    proposal = PROPOSALS.get(Place(base, key)) or next(iter(PROPOSALS.values()))
    facet["_schemaURL"] = random.choice(
        (
            proposal.url,
            proposal.document,
            proposal.file,
            f"{proposal.file}#",
            f"https://example.com/{proposal.file}?x#/$defs/a",
            f"https://example.com/x#/{proposal.file}",
            f"https://example.com/{proposal.file}/",
            f"https://example.com/My{proposal.file}",
            proposal.url.lower(),
            "",
            "#",
            7,
            None,
        )
    )


def _move_facet(random: Random, document: Any) -> None:
    """Put a facet under the key of another, or into another map."""
    maps = _facet_maps(document)
    found = [facet for _, facets in maps for facet in facets.values()]
    if not found:
        return
    base, target = random.choice(maps)
    keys = [place.key for place in RELEASED if place.base == base]
    target[random.choice([*keys, *RELEASED_KEYS, "acme_facet"])] = deepcopy(random.choice(found))


RELEASED_KEYS = tuple(place.key for place in RELEASED)

_ANYWHERE = _spots_of(object)

_WEIGHTED: dict[Mutation, int] = {
    _drop: 8,
    _add_unknown: 8,
    _replacing(_ANYWHERE, _other_type): 10,
    _replacing(_ANYWHERE, lambda random, value: None): 4,
    _replacing(_ANYWHERE, _empty): 4,
    _format: 8,
    _replacing(_spots_of(str), _nudged): 6,
    _misspell: 5,
    _swap_values: 4,
    _swap_far: 4,
    _replacing(_spots_of(int, float), _number): 6,
    _replacing(_filled_lists, _repeated): 3,
    _spoil_item: 4,
    _replacing(_spots_of(str), _long_text): 2,
    _deepen: 3,
    _other_kind: 5,
    _deleted: 6,
    _schema_url: 5,
    _move_facet: 6,
}

_MUTATIONS = tuple(_WEIGHTED)
_WEIGHTS = tuple(_WEIGHTED.values())
