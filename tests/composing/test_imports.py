"""Modules are loaded on first use: importing a facet loads only its module."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cases import each

GENERATED = "openlineage_facets.generated"


def modules_after(statement: str) -> set[str]:
    """Return the names of all modules that a fresh interpreter has loaded after a statement."""
    script = f"import json, sys\n{statement}\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    return set(json.loads(done.stdout))


def facet_modules(loaded: set[str]) -> set[str]:
    """Return the generated modules of facets among the loaded ones, by their short names."""
    below = {name.removeprefix(f"{GENERATED}.") for name in loaded if name.startswith(f"{GENERATED}.")}
    return below - {"open_lineage", "containers", "registry"}


def test_importing_the_package_loads_nothing_below_it() -> None:
    loaded = modules_after("import openlineage_facets; dir(openlineage_facets)")
    ours = {name for name in loaded if name.startswith("openlineage_facets")}
    assert ours == {"openlineage_facets", "openlineage_facets.version"}
    assert not any(name.partition(".")[0] in ("pydantic", "pydantic_core") for name in loaded)


def test_importing_names_of_the_core_loads_no_facet() -> None:
    names = "RunEvent, Run, producer, EventError, Timestamp, parse_event"
    assert facet_modules(modules_after(f"from openlineage_facets import {names}")) == set()


def test_importing_and_composing_a_facet_loads_only_its_module() -> None:
    loaded = modules_after(
        "from openlineage_facets import Job, Run, RunEvent\n"
        "from openlineage_facets.facets import SQLJobFacet, parent_run\n"
        "job = Job(namespace='etl', name='orders', facets=[SQLJobFacet(query='SELECT 1')])\n"
        "RunEvent(run=Run(), job=job).to_json()"
    )
    assert facet_modules(loaded) == {"sql_job", "parent_run"}


def test_importing_the_facets_module_loads_no_facet() -> None:
    names = "from openlineage_facets import producer; import openlineage_facets.facets as facets"
    loaded = modules_after(f"{names}; dir(facets)")
    assert facet_modules(loaded) == set()
    assert "pydantic" not in loaded


def test_optional_dependencies_are_not_loaded() -> None:
    loaded = modules_after(
        "from openlineage_facets import *\n"
        "from openlineage_facets.facets import *\n"
        "run = Run(facets=[NominalTimeRunFacet(nominal_start_time='2026-11-21T00:00:00Z')])\n"
        "parse_event(RunEvent(run=run, job=Job(namespace='a', name='b')).to_json())\n"
    )
    optional = {"pyspark", "pyarrow", "pandas", "numpy", "jsonschema", "datamodel_code_generator", "ruff"}
    assert loaded & optional == set()
    assert not any(name.partition(".")[0] == "codegen" for name in loaded)


def test_every_exported_name_is_there() -> None:
    import openlineage_facets
    import openlineage_facets.facets

    for package in (openlineage_facets, openlineage_facets.facets):
        assert dir(package) == list(package.__all__)
        assert len(set(package.__all__)) == len(package.__all__)
        for name in package.__all__:
            assert getattr(package, name) is not None
            assert getattr(package, name) is getattr(package, name)


@each("module", ["openlineage_facets", "openlineage_facets.facets"])
def test_an_unknown_name_is_an_import_error(module: str) -> None:
    with pytest.raises(ImportError, match="NoSuchFacet"):
        exec(f"from {module} import NoSuchFacet", {})
