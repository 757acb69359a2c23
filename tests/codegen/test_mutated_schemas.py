"""Whatever a schema file contains, the generator writes classes that build, or reports the error."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import pytest

from codegen.assemble import assemble
from codegen.errors import SchemaError
from codegen.generate import generate
from codegen.load import load
from codegen.name import name
from codegen.normalize import normalize
from codegen.write import write
from tests.codegen.building import Package
from tests.conftest import ROOT

pytestmark = pytest.mark.check

CORE, *FACETS = (
    json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "spec").rglob("*.json"), key=lambda path: (path.stem != "OpenLineage", path))
)

KEYWORDS = (
    "$ref allOf anyOf oneOf not type enum const format properties required additionalProperties items "
    "dependentRequired minimum minLength pattern maxItems description title examples deprecated $defs $id "
    "nonsense default"
).split()

VALUES: list[Any] = [
    *[None, True, False, 0, -1, 1.5, 10**30, "", "x", "string", "object", "array", "a\nb"],
    *[[], {}, [None], ["a"], ["a", "a"], [1, True], [{"type": "string"}], {"a": 1}, {"enum": ["a"]}],
    *[
        {"type": "object"},
        {"type": "string"},
        {"type": ["object", "null"]},
        {"$ref": "#/$defs/X"},
        {"$ref": 5},
    ],
    *[{"anyOf": 5}, {"allOf": []}, {"required": ["a"]}, {"oneOf": [{"type": "string"}, {"type": "null"}]}],
    {"type": "array", "items": {"type": "object", "properties": {"q": {}}}},
]

Path_ = tuple[str | int, ...]


def paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of everything inside `value`."""
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for step, member in members:
        yield (*path, step)
        yield from paths(member, (*path, step))


def at(value: Any, path: Path_) -> Any:
    for step in path:
        value = value[step]
    return value


def mutated(schema: dict[str, Any], choice: random.Random) -> dict[str, Any]:
    """Return a copy with one to three things replaced, taken out, added, or put where another stood."""
    schema = copy.deepcopy(schema)
    for _ in range(choice.randint(1, 3)):
        path = choice.choice(list(paths(schema)))
        parent, step = at(schema, path[:-1]), path[-1]
        what = choice.choice(["replace", "remove", "add", "move"])
        if what == "replace":
            parent[step] = copy.deepcopy(choice.choice(VALUES))
        elif what == "remove":
            del parent[step]
        elif what == "add" and isinstance(parent[step], dict):
            parent[step][choice.choice(KEYWORDS)] = copy.deepcopy(choice.choice(VALUES))
        else:
            parent[step] = copy.deepcopy(at(schema, choice.choice(list(paths(schema)))))
    return schema


def write_mutated(folder: Path, seed: int) -> None:
    """Write a spec of two files, one of them mutated."""
    choice = random.Random(seed)
    core, facet = CORE, choice.choice(FACETS)
    if choice.random() < 0.15:
        core = mutated(core, choice)
    else:
        facet = mutated(facet, choice)
    (folder / "OpenLineage.json").write_text(json.dumps(core), encoding="utf-8")
    (folder / "Mutated.json").write_text(json.dumps(facet), encoding="utf-8")


@pytest.mark.parametrize(
    "seeds", [range(200), pytest.param(range(200, 1200), marks=pytest.mark.thorough)], ids=str
)
def test_a_mutated_schema_is_understood_or_rejected(seeds: range, tmp_path: Path) -> None:
    rejected = 0
    for seed in seeds:
        write_mutated(tmp_path, seed)
        try:
            normalized = normalize(load(tmp_path))
            assemble(normalized, name(normalized))
        except SchemaError as error:
            rejected += 1
            assert len(str(error).splitlines()) == 1  # noqa: PT017
        except Exception as error:
            raise AssertionError(f"seed {seed}: {(tmp_path / 'Mutated.json').read_text()}") from error
    assert 0.2 < rejected / len(seeds) < 0.9, "the mutations are too mild or too wild to show anything"


@pytest.mark.parametrize(
    "seeds",
    [range(10_000, 10_010), pytest.param(range(10_010, 10_040), marks=pytest.mark.thorough)],
    ids=str,
)
def test_every_class_of_an_accepted_schema_builds(seeds: range, tmp_path: Path, import_folder: Path) -> None:
    for seed in seeds:
        write_mutated(tmp_path, seed)
        with suppress(SchemaError):
            write(generate(tmp_path, f"mutated_{seed}"), import_folder / f"mutated_{seed}")
            invalidate_caches()
            for model in Package(f"mutated_{seed}", import_folder / f"mutated_{seed}").models():
                model.model_rebuild()
                assert model.model_json_schema(), seed
