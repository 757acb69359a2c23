"""Upstream checkouts of any age from release 0.3.0 on become packages that import, compose and parse."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main, missing_names
from codegen.errors import SchemaError
from codegen.generate import generate
from codegen.load import load
from codegen.write import write
from tests.cases import each
from tests.codegen.historical import EARLIER, STATES, event_of, spec_of
from tests.codegen.importing import importable, unused_name
from tests.conftest import ROOT

Captured = pytest.CaptureFixture[str]

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("shared")]


@each("state", [*STATES, *EARLIER])
def test_a_state_generates_imports_composes_and_parses(state: str, tmp_path: Path) -> None:
    spec = spec_of(state, tmp_path)
    name = unused_name()
    assert main(["--spec", str(spec), "--output", str(tmp_path / name)]) == 0
    with importable(tmp_path):
        package = import_module(name)
        document = event_of(spec)
        parsed = package.RunEvent.from_json(json.dumps(document))
        assert json.loads(parsed.to_json()) == document
        assert type(parsed.run.facets.nominal_time) is package.NominalTimeRunFacet
        assert type(parsed.job.facets.sql) is package.SQLJobFacet
        assert parsed.outputs[0].output_facets.output_statistics.row_count == 3
        composed = compose(package)
        assert package.RunEvent.from_json(composed.to_json()) == composed
        bad = {**document, "outputs": [{"namespace": "s3://lake"}]}
        with pytest.raises(ValueError, match="name"):
            package.RunEvent.from_json(json.dumps(bad))


@each("state", [*STATES, *EARLIER])
def test_the_library_generated_from_a_state_can_be_imported_or_is_refused(state: str, tmp_path: Path) -> None:
    library = tmp_path / "openlineage_facets"
    shutil.copytree(ROOT / "openlineage_facets", library, ignore=shutil.ignore_patterns("__pycache__"))
    spec = load(spec_of(state, tmp_path), proposals=ROOT / "spec" / "proposals")
    files = generate(spec, "openlineage_facets.generated")
    if missing_names(files, library):
        return
    shutil.rmtree(library / "generated")
    write(files, library / "generated")
    names = [path.relative_to(tmp_path).with_suffix("") for path in library.rglob("*.py")]
    modules = [".".join(one.parts) for one in names if not {"spark", "__main__"} & {*one.parts}]
    code = "import sys, importlib\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = subprocess.run(
        [sys.executable, "-c", code, *modules], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def compose(package: Any) -> Any:
    """Return an event of a generated package, composed with its defaults."""
    return package.RunEvent(
        event_type="START",
        producer="https://example.com/etl",
        run=package.Run(facets=[package.NominalTimeRunFacet(nominal_start_time="2026-11-22T00:00:00Z")]),
        job=package.Job(namespace="etl", name="orders", facets=[package.SQLJobFacet(query="SELECT 1")]),
        inputs=[package.InputDataset(namespace="s3://lake", name="orders")],
    )


def test_facets_that_the_core_defined_keep_the_url_of_the_core(tmp_path: Path) -> None:
    spec = spec_of("core 1-0-1", tmp_path)
    documents = {document.path.name: document for document in load(spec).documents}
    assert documents["SQLJobFacet.json"].url == "https://openlineage.io/spec/1-0-1/OpenLineage.json"
    assert documents["SQLJobFacet.json"].schema["properties"] == {"sql": {"$ref": "#/$defs/SQLJobFacet"}}


def test_json_files_that_are_not_schemas_are_ignored_with_a_note(tmp_path: Path, capsys: Captured) -> None:
    spec = spec_of("release 1.47.0", tmp_path)
    assert main(["--spec", str(spec), "--output", str(tmp_path / "facets")]) == 0
    (note,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("note: "))
    assert note == (
        f"note: {spec}: not a JSON Schema, ignored: registry/core/registry.json, and "
        f"{len(list(spec.rglob('*.json'))) - len(load(spec).documents) - 1} others"
    )


def test_references_to_another_version_of_the_core_are_noted(tmp_path: Path) -> None:
    notes = [str(note) for note in load(spec_of("release 1.7.0", tmp_path)).notes]
    assert notes[1] == (
        "facets/OwnershipDatasetFacet.json: refers to https://openlineage.io/spec/1-0-3/OpenLineage.json, "
        "and 2 others; uses https://openlineage.io/spec/2-0-2/OpenLineage.json"
    )


def test_a_core_without_an_id_is_too_old(tmp_path: Path) -> None:
    core = json.loads((spec_of("core 1-0-0", tmp_path) / "OpenLineage.json").read_text(encoding="utf-8"))
    del core["$id"]
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "OpenLineage.json").write_text(json.dumps(core))
    with pytest.raises(SchemaError) as rejected:
        load(tmp_path / "spec")
    assert str(rejected.value) == (
        "OpenLineage.json#/$id: missing; states of the specification before 0.3.0 are not supported, "
        "use a newer one"
    )


def test_proposals_are_added_to_a_spec_without_its_own(tmp_path: Path) -> None:
    spec = spec_of("release 1.47.0", tmp_path)
    assert not any(one.is_proposal for one in load(spec).documents)
    added = [
        one.path for one in load(spec, proposals=ROOT / "spec" / "proposals").documents if one.is_proposal
    ]
    proposals = sorted(
        path.relative_to(ROOT / "spec") for path in (ROOT / "spec" / "proposals").glob("*.json")
    )
    assert sorted(added) == proposals
    own = tmp_path / "own"
    shutil.copytree(ROOT / "spec", own)
    documents = load(own, proposals=ROOT / "spec" / "proposals").documents
    assert sorted(one.path for one in documents if one.is_proposal) == proposals
