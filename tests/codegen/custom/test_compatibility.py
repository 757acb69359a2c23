"""Packages of custom facets never break events: neither old packages, nor those of other producers.

`recorded/` contains packages that earlier versions generated from the schemas of `test_packages.py`, as text,
so that no tool takes them for code of this repository.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from codegen.write import differences
from openlineage_facets import Run, custom_facets_v1, parse_event, read_event, register_facets, validate
from openlineage_facets.generated.open_lineage import RunFacet
from openlineage_facets.version import __version__
from tests.cases import each
from tests.codegen.building import contents
from tests.codegen.custom.facets import build, facet_file
from tests.codegen.custom.test_packages import PRODUCER, SCHEMAS, event
from tests.codegen.importing import importable, unused_name
from tests.composing.registration import facets_restored
from tests.composing.test_registered_facets import install, run

RECORDED = Path(__file__).parent / "recorded"


def restore_recorded(layout: str, folder: Path) -> str:
    """Write a recorded package below a folder, under a new name; return the name."""
    name = unused_name()
    (folder / name).mkdir(parents=True)
    for path in (RECORDED / layout).glob("*.py.txt"):
        source = path.read_text(encoding="utf-8").replace("acme_facets", name)
        (folder / name / path.stem).write_text(source, encoding="utf-8")
    return name


@contextmanager
def registered(folder: Path, name: str) -> Iterator[Any]:
    """Register the facets of a package below a folder."""
    with importable(folder), facets_restored():
        package = import_module(name)
        register_facets(*package.FACETS)
        yield package


# -- packages of other versions of the library ---------------------------------------------------------


def test_a_package_of_the_first_documented_layout_works(tmp_path: Path) -> None:
    with registered(tmp_path, restore_recorded("v1", tmp_path)) as acme:
        build_event = acme.RunEventBuilder("etl", "orders", producer=PRODUCER)
        build_event.run.acme_cost(usd=2).acme_team(members=[{"name": "Ada"}], level="silver")
        build_event.input("s3://lake", "orders").acme_score(score=0.5).acme_tier(tier=1)
        started = build_event.start()
        assert parse_event(started.to_json()) == started
        assert type(started.run.facets["acme_team"]) is acme.AcmeTeamRunFacet
        assert validate(started.to_json(), rules=False) == []


def test_events_are_parsed_next_to_a_package_from_before_the_documented_layout(tmp_path: Path) -> None:
    name = restore_recorded("before_v1", tmp_path)
    install(tmp_path, "old", f"{name}:FACETS")
    (tmp_path / "event.json").write_bytes(event(acme_cost={"usd": 1.5}))
    code = """
from openlineage_facets import parse_event
print(parse_event(open("event.json", "rb").read()).run.facets["acme_cost"].usd)
"""
    done = run(tmp_path, "-W", "ignore", "-c", code)  # What it imports may have been moved.
    assert done.stdout == "1.5\n", done.stderr


def test_a_package_imports_from_the_library_only_the_documented_module(tmp_path: Path) -> None:
    folder = build(tmp_path, "acme_facets", SCHEMAS)
    found = {
        module
        for path in folder.glob("*.py")
        for module in re.findall(r"(?:from|import) (openlineage_facets[\w.]*)", path.read_text("utf-8"))
    }
    assert found == {custom_facets_v1.__name__}


def test_every_name_of_the_documented_module_exists() -> None:
    for name in re.findall(r"`(\w+)`", custom_facets_v1.__doc__ or ""):
        if name not in ("oneOf", "FACETS", "custom_facets_v2", "facets"):
            assert getattr(custom_facets_v1, name), name


def test_a_package_says_what_generated_it_and_what_it_requires(tmp_path: Path) -> None:
    folder = build(tmp_path, "acme_facets", {"AcmeCostRunFacet.json": facet_file()})
    source = (folder / "__init__.py").read_text(encoding="utf-8")
    assert f'__generated_with__ = "openlineage-facets {__version__}"\n' in source
    assert f'__requires__ = "openlineage-facets>={__version__}"\n' in source
    other = {path.name: path.read_text("utf-8").replace(__version__, "0.0.1") for path in folder.iterdir()}
    assert list(differences(other, folder)) == []


@contextmanager
def every_warning() -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


# -- classes that cannot be used -----------------------------------------------------------------------

BROKEN = {
    "a name that is gone": ("from openlineage_facets.custom_facets_v1 import", "from json import"),
    "a module that is gone": ("from openlineage_facets.custom_facets_v1 import", "from no_such import"),
    "an error while importing": ("class AcmeCostRunFacet", "1 / 0\n\n\nclass AcmeCostRunFacet"),
    "an exit while importing": ("class AcmeCostRunFacet", "raise SystemExit(3)\n\n\nclass AcmeCostRunFacet"),
    "a secret in the error": (
        "class AcmeCostRunFacet",
        "raise RuntimeError('password=xyzzy')\n\n\nclass AcmeCostRunFacet",
    ),
    "a class that is gone": ("class AcmeCostRunFacet", "class Renamed"),
    "a type that is gone": ("usd: ", "eur: NoSuchType\n    usd: "),
}


@pytest.fixture(scope="module")
def two_facets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the modules of a package with two facets."""
    team = facet_file("AcmeTeamRunFacet", "acme_team", properties={"name": {"type": "string"}})
    schemas = {"AcmeCostRunFacet.json": facet_file(), "AcmeTeamRunFacet.json": team}
    return contents(build(tmp_path_factory.mktemp("two_facets"), "acme_facets", schemas))


@pytest.mark.check
@each("what", BROKEN)
def test_a_class_that_cannot_be_used_leaves_only_its_facets_untyped(
    what: str, two_facets: dict[str, str], tmp_path: Path
) -> None:
    name = unused_name()
    (tmp_path / name).mkdir()
    for file, source in two_facets.items():
        (tmp_path / name / file).write_text(source.replace("acme_facets", name), encoding="utf-8")
    source = two_facets["acme_cost_run.py"]
    assert BROKEN[what][0] in source
    (tmp_path / name / "acme_cost_run.py").write_text(source.replace(*BROKEN[what], 1), encoding="utf-8")
    wire = event(acme_cost={"usd": "much"}, acme_team={"name": "etl"})
    with every_warning() as caught, registered(tmp_path, name) as acme:
        parsed = parse_event(wire)
        assert type(parsed.run.facets["acme_cost"]) is RunFacet
        assert type(parsed.run.facets["acme_team"]) is acme.AcmeTeamRunFacet
        assert read_event(wire).event == parsed
        assert Run(facets=parsed.run.facets).facets == parsed.run.facets
        (finding,) = (one for one in validate(wire) if one.pointer.startswith("/run/facets/acme_cost"))
        assert finding.code == "OL205"
        assert finding.pointer == "/run/facets/acme_cost"
        assert f"{name}.acme_cost_run:AcmeCostRunFacet" in finding.expected
        # The schema of a facet may be at the root of its file; without the class, nobody knows whether it is.
        at_root = event(
            acme_cost={"usd": 1, "_schemaURL": "https://acme.example.com/1-0-0/AcmeCostRunFacet.json"}
        )
        assert not [one for one in validate(at_root) if one.code == "OL203"]
    assert [one.category for one in caught] == [RuntimeWarning]
    assert "facets with the key 'acme_cost' stay untyped" in str(caught[0].message)
    assert "xyzzy" not in str(caught[0].message)


def test_the_command_line_reports_a_class_that_cannot_be_used_as_a_finding(tmp_path: Path) -> None:
    folder = build(tmp_path, "acme_facets", {"AcmeCostRunFacet.json": facet_file()})
    module = folder / "acme_cost_run.py"
    source = module.read_text(encoding="utf-8")
    module.write_text(source.replace("openlineage_facets.custom_facets_v1", "no_such"), encoding="utf-8")
    install(tmp_path, "acme", "acme_facets:FACETS")
    (tmp_path / "event.json").write_bytes(event(acme_cost={"usd": 1}))
    done = run(tmp_path, "-m", "openlineage_facets.cli", "validate", "event.json")
    assert done.returncode == 0
    assert "OL205 /run/facets/acme_cost: expected a class that can be used" in done.stdout
    assert "found ModuleNotFoundError: No module named 'no_such'" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


# -- facets of other producers and versions ------------------------------------------------------------

SAME, UNTYPED, INVALID = "typed", "untyped", "invalid"

URLS = [
    # url, of a valid facet, of an invalid facet, whether the version is reported
    ("https://acme.example.com/schemas/1-0-0/AcmeCostRunFacet.json", SAME, INVALID, False),
    ("http://ACME.example.com/schemas/1-0-0/AcmeCostRunFacet.json#/$defs/X", SAME, INVALID, False),
    ("https://acme.example.com/schemas/main/AcmeCostRunFacet.json", SAME, INVALID, False),
    ("https://acme.example.com/schemas/1-1-0/AcmeCostRunFacet.json", SAME, UNTYPED, True),
    ("https://acme.example.com/schemas/1-0-1/AcmeCostRunFacet.json", SAME, UNTYPED, True),
    ("https://acme.example.com/schemas/2-0-0/AcmeCostRunFacet.json", UNTYPED, UNTYPED, True),
    ("https://acme.example.com/schemas/0-9-0/AcmeCostRunFacet.json", UNTYPED, UNTYPED, True),
    ("https://acme.example.com/schemas/1-0-0/OtherRunFacet.json", UNTYPED, UNTYPED, True),
    ("https://other.example.com/schemas/1-0-0/AcmeCostRunFacet.json", UNTYPED, UNTYPED, True),
    ("https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet", UNTYPED, UNTYPED, True),
    ("not a url", UNTYPED, UNTYPED, True),
]


@pytest.fixture
def acme(tmp_path: Path) -> Iterator[Any]:
    name = unused_name()
    build(tmp_path, name, {"AcmeCostRunFacet.json": facet_file()})
    with registered(tmp_path, name) as package:
        yield package


@each(("url", "valid", "invalid", "is_reported"), URLS)
def test_a_class_applies_to_facets_of_its_schema_and_model(
    acme: Any, url: str, valid: str, invalid: str, is_reported: bool
) -> None:
    for value, expected in ((1.5, valid), ("much", invalid)):
        wire = event(acme_cost={"usd": value, "_schemaURL": url})
        findings = validate(wire)
        errors = [one for one in findings if one.severity == "error"]
        assert bool(errors) == (expected == INVALID)
        assert ("OL205" in {one.code for one in findings}) == is_reported
        result = read_event(wire)
        assert result.event is not None
        facets = result.event.run.facets
        assert type(facets["acme_cost"]) is (acme.AcmeCostRunFacet if expected == SAME else RunFacet)
        if expected == INVALID:
            continue
        parsed = parse_event(wire)
        assert parsed == result.event
        assert json.loads(parsed.to_json()) == json.loads(wire)
        assert Run(facets=parsed.run.facets).facets == parsed.run.facets
        typed = parsed.run.facets.get(acme.AcmeCostRunFacet)
        assert (typed is None) == (expected == UNTYPED)


@pytest.mark.check
def test_of_two_packages_only_the_facets_with_equal_keys_clash(tmp_path: Path) -> None:
    other = facet_file("AcmeOtherRunFacet", "acme_other")
    build(tmp_path, "acme_one", {"AcmeCostRunFacet.json": facet_file()})
    build(tmp_path, "acme_two", {"AcmeCostRunFacet.json": facet_file(), "AcmeOtherRunFacet.json": other})
    install(tmp_path, "one", "acme_one:FACETS")
    install(tmp_path, "two", "acme_two:FACETS")
    (tmp_path / "event.json").write_bytes(event(acme_cost={"usd": 1}, acme_other={"usd": 2}))
    code = """
from openlineage_facets import parse_event
facets = parse_event(open("event.json", "rb").read()).run.facets
print(len({type(facets[key]).__module__.partition(".")[0] for key in ("acme_cost", "acme_other")}))
print(type(facets["acme_other"]).__name__, type(facets["acme_cost"]).__name__)
"""
    done = run(tmp_path, "-c", code)
    assert done.stdout.splitlines()[1:] == ["AcmeOtherRunFacet AcmeCostRunFacet"], done.stderr
    assert done.stderr.count("RuntimeWarning") == 1
    assert "the key 'acme_cost' of" in done.stderr
