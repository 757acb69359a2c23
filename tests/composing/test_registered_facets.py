"""Custom facets that are registered in code or by an installed package are parsed typed and checked."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import (
    EventError,
    Job,
    Run,
    RunEvent,
    parse_event,
    read_event,
    register_facets,
    validate,
)
from openlineage_facets.base.containers import registered_facets
from openlineage_facets.base.model.composing import composer_of
from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import RunFacets
from openlineage_facets.generated.open_lineage import RunFacet
from openlineage_facets.validation.schemas.schema_set import SchemaSet
from tests.cases import each
from tests.codegen.custom.facets import build, facet_file
from tests.composing.registration import facets_restored
from tests.conftest import ROOT

URL = "https://acme.example.com/schemas/1-0-0/{0}.json#/$defs/{0}"


class AcmeCostRunFacet(RunFacet):
    """The cost of a run."""

    __schema_url__ = URL.format("AcmeCostRunFacet")
    __facet_key__ = "acme_cost"

    usd: float


class OtherCostRunFacet(RunFacet):
    """Another facet with the same key."""

    __schema_url__ = URL.format("OtherCostRunFacet")
    __facet_key__ = "acme_cost"


class AcmeSqlRunFacet(RunFacet):
    """A facet with the key of a published one."""

    __schema_url__ = URL.format("AcmeSqlRunFacet")
    __facet_key__ = "nominalTime"


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    with facets_restored():
        yield


@pytest.fixture
def wire() -> bytes:
    run = Run(facets=[AcmeCostRunFacet(usd=1.5, producer="https://acme.example.com")])
    job = Job(namespace="etl", name="orders")
    return RunEvent(event_type="START", run=run, job=job, producer="https://acme.example.com").to_json()


def test_a_registered_facet_is_typed_also_if_events_were_parsed_before(wire: bytes) -> None:
    assert type(parse_event(wire).run.facets["acme_cost"]) is RunFacet
    register_facets(AcmeCostRunFacet)
    for parsed in (parse_event(wire), read_event(wire).event, RunEvent.from_json(wire)):
        assert parsed is not None
        assert type(parsed.run.facets["acme_cost"]) is AcmeCostRunFacet
        assert parsed.to_json() == wire


def test_an_invalid_registered_facet_is_a_finding(wire: bytes) -> None:
    invalid = wire.replace(b'"usd":1.5', b'"usd":"much"')
    assert validate(invalid, rules=False) == []
    register_facets(AcmeCostRunFacet)
    (finding,) = validate(invalid, rules=False)
    assert finding.pointer == "/run/facets/acme_cost/usd"
    with pytest.raises(EventError, match="expected a number"):
        parse_event(invalid)


def test_a_key_similar_to_a_registered_one_is_that_of_another_custom_facet(wire: bytes) -> None:
    keys = (b"acme_costs", b"acme_Cost", b"acmeCost", b"acme_cots")
    events = [wire.replace(b"acme_cost", key) for key in keys]
    before = [[finding.code for finding in validate(event)] for event in events]
    register_facets(AcmeCostRunFacet)
    assert [[finding.code for finding in validate(event)] for event in events] == before


@pytest.mark.usefixtures("shared")
def test_an_invalid_registered_facet_is_a_finding_next_to_an_older_core(wire: bytes, shared: Path) -> None:
    schemas = SchemaSet.load([shared / "published" / "2-0-0"])
    older = wire.replace(b"/spec/2-0-2/", b"/spec/2-0-0/").replace(b'"usd":1.5', b'"usd":"much"')
    assert validate(older, rules=False, schemas=schemas) == []
    register_facets(AcmeCostRunFacet)
    (finding,) = validate(older, rules=False, schemas=schemas)
    assert finding.pointer == "/run/facets/acme_cost/usd"


def test_another_class_under_a_registered_key_is_rejected_when_composing(wire: bytes) -> None:
    composer_of.cache_clear()
    Run.from_json({"runId": parse_event(wire).run.run_id})  # Builds the class, whose validator may compose.
    Run(facets=[AcmeCostRunFacet(usd=1.5, producer="https://acme.example.com")])
    register_facets(AcmeCostRunFacet)
    other = OtherCostRunFacet(schema_url=AcmeCostRunFacet.__schema_url__)
    with pytest.raises(EventError, match="expected an AcmeCostRunFacet, found an OtherCostRunFacet"):
        Run(facets=[other])


def base_facet(version: str = "1-0-0", **fields: Any) -> RunFacet:
    """Return a cost as a base facet, as it is composed without its class."""
    return RunFacet(schema_url=AcmeCostRunFacet.__schema_url__.replace("1-0-0", version), **fields)


def test_a_base_facet_under_a_registered_key_gets_the_class(wire: bytes) -> None:
    parsed = parse_event(wire).run
    assert parsed.facets is not None
    register_facets(AcmeCostRunFacet)
    for run in (
        Run(facets={"acme_cost": base_facet(usd=1.5)}),
        Run(facets=dict(parsed.facets)),
        Run(facets=RunFacets().with_facets(parsed.facets)),
        RunEventBuilder("etl", "orders").run.facet(base_facet(usd=1.5), "acme_cost").build(),
    ):
        assert run.facets["acme_cost"] == AcmeCostRunFacet(usd=1.5, producer=run.facets["acme_cost"].producer)


def test_a_base_facet_that_is_invalid_for_the_registered_class_is_rejected() -> None:
    register_facets(AcmeCostRunFacet)
    with pytest.raises(EventError) as rejected:
        Run(facets={"acme_cost": base_facet(usd="much")})
    assert str(rejected.value) == (
        "/facets/acme_cost: expected an AcmeCostRunFacet, found a RunFacet; "
        'as an AcmeCostRunFacet, it is invalid: /usd: expected a number, found "much"'
    )


def test_a_base_facet_of_another_version_stays_one_if_the_class_does_not_apply() -> None:
    register_facets(AcmeCostRunFacet)
    for version in ("1-1-0", "2-0-0"):
        facet = base_facet(version, usd="much")
        assert Run(facets={"acme_cost": facet}).facets["acme_cost"] is facet  # type: ignore[index]


@each(
    ("facet", "error", "message"),
    [
        (
            OtherCostRunFacet,
            ValueError,
            f"the key 'acme_cost' of {__name__}.OtherCostRunFacet is that of {__name__}.AcmeCostRunFacet "
            "in RunFacets; register one of them",
        ),
        (
            AcmeSqlRunFacet,
            ValueError,
            f"the key 'nominalTime' of {__name__}.AcmeSqlRunFacet is that of "
            "openlineage_facets.facets.NominalTimeRunFacet in RunFacets; choose another key",
        ),
        (RunFacet, TypeError, "RunFacet has no facet key"),
        (Run, TypeError, "expected a facet class"),
        ("AcmeCostRunFacet", TypeError, "expected a facet class"),
    ],
)
def test_a_facet_that_cannot_be_registered_changes_nothing(
    facet: type[RunFacet], error: type[Exception], message: str, wire: bytes
) -> None:
    register_facets(AcmeCostRunFacet)
    with pytest.raises(error, match=message):
        register_facets(facet)
    assert type(parse_event(wire).run.facets["acme_cost"]) is AcmeCostRunFacet


# -- installed packages ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a package of facets."""
    folder = tmp_path_factory.mktemp("packages")
    build(folder, "acme_facets", {"AcmeCostRunFacet.json": facet_file()})
    return folder


@pytest.fixture
def site(package: Path, tmp_path: Path) -> Path:
    """Return a folder with an installed package that announces its facets."""
    shutil.copytree(package / "acme_facets", tmp_path / "acme_facets")
    install(tmp_path, "acme", "acme_facets:FACETS")
    return tmp_path


def install(site: Path, name: str, value: str) -> None:
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[openlineage_facets.facets]\n{name} = {value}\n")


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={"PYTHONPATH": f"{ROOT}:{site}", "PATH": "/usr/bin:/bin"},
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_command_line_checks_facets_of_installed_packages_and_lists_others(
    site: Path, wire: bytes
) -> None:
    events = wire.replace(b'"usd":1.5', b'"usd":"much"'), wire.replace(b"acme_cost", b"acme_tier")
    (site / "events.ndjson").write_bytes(b"\n".join(events))
    done = run(site, "-m", "openlineage_facets.cli", "validate", "events.ndjson")
    assert done.returncode == 1
    assert '/run/facets/acme_cost/usd: expected a number, found "much"' in done.stdout
    assert (
        "custom facets without a schema, not checked: acme_tier of a run (1); "
        "install their packages, or pass --schemas" in done.stdout
    )


def test_a_facet_of_another_version_is_reported(wire: bytes) -> None:
    versions = ("1-0-0", "1-0-1", "0-9-0", "v2")
    events = [wire.replace(b"/1-0-0/AcmeCost", f"/{version}/AcmeCost".encode()) for version in versions]
    assert "OL205" not in {finding.code for event in events for finding in validate(event)}
    register_facets(AcmeCostRunFacet)
    reported = [[finding for finding in validate(event) if finding.code == "OL205"] for event in events]
    assert list(map(len, reported)) == [0, 1, 1, 1]
    for (finding,) in reported[1:]:
        assert finding.pointer == "/run/facets/acme_cost/_schemaURL"
        assert finding.expected == "version 1-0-0, that of the installed AcmeCostRunFacet"
        assert finding.hint.startswith("install the package with that version of AcmeCostRunFacet")


def test_a_version_that_is_validated_with_its_own_schema_is_not_reported(wire: bytes) -> None:
    register_facets(AcmeCostRunFacet)
    newer = facet_file(version="2-0-0", properties={"usd": {"type": "string"}})
    newer["$id"] = "https://acme.example.com/schemas/2-0-0/AcmeCostRunFacet.json"
    schemas = SchemaSet({newer["$id"]: newer})
    event = wire.replace(b"/1-0-0/AcmeCost", b"/2-0-0/AcmeCost").replace(b'"usd":1.5', b'"usd":"1.5"')
    assert validate(event, schemas=schemas) == []
    other = event.replace(b"/2-0-0/AcmeCost", b"/2-0-1/AcmeCost")
    assert "OL205" in {finding.code for finding in validate(other, schemas=schemas)}


BROKEN = ["no_such_module:FACETS", "json:loads", "acme_facets:MISSING", "json:__name__"]


@pytest.mark.check
def test_entry_points_that_cannot_be_loaded_are_reported_once_and_the_others_work(
    site: Path, wire: bytes
) -> None:
    for number, value in enumerate(BROKEN):
        install(site, f"broken{number}", value)
    (site / "event.json").write_bytes(wire)
    code = """
from openlineage_facets import parse_event
for _ in range(2):
    event = parse_event(open("event.json", "rb").read())
print(type(event.run.facets["acme_cost"]).__module__, event.run.facets["acme_cost"].usd)
"""
    done = run(site, "-c", code)
    assert done.stdout == "acme_facets.acme_cost_run 1.5\n"
    assert done.stderr.count("RuntimeWarning") == len(BROKEN)
    for number, value in enumerate(BROKEN):
        origin = f"the entry point 'broken{number}' of broken{number} ({value})"
        assert f"facets of {origin} were not registered" in done.stderr
    assert "found 'json'" in done.stderr


def redefined_cost_facet() -> type[RunFacet]:
    """Return a new class with module and name of `AcmeCostRunFacet`, as of a notebook cell run again."""
    namespace = {"__module__": __name__, "__annotations__": {"usd": str}}
    fields = {name: vars(AcmeCostRunFacet)[name] for name in ("__schema_url__", "__facet_key__")}
    return type("AcmeCostRunFacet", (RunFacet,), {**namespace, **fields})


def test_a_class_that_is_defined_and_registered_again_replaces_the_earlier_one(wire: bytes) -> None:
    register_facets(AcmeCostRunFacet)
    parse_event(wire)
    redefined = redefined_cost_facet()
    register_facets(redefined)
    run = Run(facets=[redefined(usd="much")])
    assert run.facets.get(redefined) == redefined(usd="much")
    parsed = Run.from_json(run.to_json())
    assert type(parsed.facets["acme_cost"]) is redefined
    with pytest.raises(EventError, match="expected a string"):
        parse_event(wire)


class TenantEvent(RunEvent):
    """An event class of the user."""

    tenant: str | None = None


def test_an_event_class_of_the_user_parses_facets_that_are_registered_later(
    wire: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert type(TenantEvent.from_json(wire).run.facets["acme_cost"]) is RunFacet
    register_facets(AcmeCostRunFacet)
    assert type(TenantEvent.from_json(wire).run.facets["acme_cost"]) is AcmeCostRunFacet
    with monkeypatch.context() as patch:
        patch.setattr(registered_facets, "_forget", lambda: pytest.fail("classes are built again"))
        register_facets(AcmeCostRunFacet)


def test_a_facet_that_is_registered_while_another_thread_builds_a_class_is_typed(wire: bytes) -> None:
    is_building, is_registered = threading.Event(), threading.Event()

    class Slow:
        """A type after those of the facets, whose schema waits for the registration."""

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            is_building.set()
            is_registered.wait(timeout=0.3)
            return handler.generate_schema(str)

    class SlowRun(Run):
        slow: Slow | None = None

    run = parse_event(wire).run.to_json()
    build = threading.Thread(target=lambda: SlowRun.from_json(run))
    build.start()
    assert is_building.wait(timeout=30)
    register_facets(AcmeCostRunFacet)
    is_registered.set()
    build.join()
    assert type(SlowRun.from_json(run).facets_or_empty["acme_cost"]) is AcmeCostRunFacet


SLOW_PACKAGE = """
import time
from openlineage_facets import register_facets
from openlineage_facets.custom_facets_v1 import RunFacet
time.sleep(0.5)  # It imports other packages.
class AcmeCostRunFacet(RunFacet):
    __facet_key__ = "acme_cost"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet"
    usd: float
register_facets(AcmeCostRunFacet)
DEFAULT = AcmeCostRunFacet(usd=0)
FACETS = (AcmeCostRunFacet,)
"""


@pytest.mark.check
@pytest.mark.parametrize(
    "statement",
    [
        "import acme_slow",
        pytest.param("Run(facets={'acme_other': RunFacet()})", marks=pytest.mark.thorough),
        pytest.param("parse_event(wire)", marks=pytest.mark.thorough),
    ],
    ids=["import", "compose", "parse"],
)
def test_a_package_that_another_thread_imports_is_waited_for(
    statement: str, tmp_path: Path, wire: bytes
) -> None:
    (tmp_path / "acme_slow.py").write_text(SLOW_PACKAGE)
    install(tmp_path, "acme", "acme_slow:FACETS")
    code = f"""
import threading, time
from openlineage_facets import Run, parse_event, register_facets
from openlineage_facets.facets import RunFacet
wire = {wire!r}
first = threading.Thread(target=lambda: exec({statement!r}, globals()), daemon=True)
first.start()
time.sleep(0.2)
parsed = []
parse = threading.Thread(target=lambda: parsed.append(parse_event(wire)), daemon=True)
parse.start()
for thread in (first, parse):
    thread.join(timeout=20)
print(*(type(event.run.facets["acme_cost"]).__name__ for event in (*parsed, parse_event(wire))))
"""
    done = run(tmp_path, "-c", code)
    assert (done.stdout, done.stderr) == ("AcmeCostRunFacet AcmeCostRunFacet\n", "")


def test_a_class_that_is_defined_again_has_a_hint() -> None:
    register_facets(AcmeCostRunFacet)
    hint = r"if AcmeCostRunFacet was defined again, call register_facets\(AcmeCostRunFacet\); otherwise use"
    with pytest.raises(EventError, match=hint):
        Run(facets=[redefined_cost_facet()(usd="much")])
