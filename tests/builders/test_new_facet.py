"""A new schema file adds a builder method after regeneration."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from codegen.generate import generate
from codegen.write import write
from openlineage_facets.base.containers.builder import EntityBuilder
from tests.codegen.building import Package
from tests.codegen.importing import importable
from tests.conftest import ROOT

pytestmark = pytest.mark.check

PACKAGE = "generated_with_carbon"
CORE_ID = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
CARBON_ID = "https://example.com/facets/1-0-0/CarbonFootprintOutputDatasetFacet.json"
CARBON: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": CARBON_ID,
    "$defs": {
        "CarbonFootprintOutputDatasetFacet": {
            "description": "What writing the dataset emitted.",
            "type": "object",
            "allOf": [
                {"$ref": f"{CORE_ID}#/$defs/OutputDatasetFacet"},
                {
                    "type": "object",
                    "properties": {
                        "gramsOfCo2": {"description": "Carbon dioxide, in grams.", "type": "number"},
                        "gridRegion": {"description": "Where the power came from.", "type": "string"},
                    },
                    "required": ["gramsOfCo2"],
                },
            ],
        }
    },
    "type": "object",
    "properties": {"acme_carbonFootprint": {"$ref": "#/$defs/CarbonFootprintOutputDatasetFacet"}},
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    """Return the package generated from the spec with one additional schema."""
    folder = tmp_path_factory.mktemp("packages")
    spec = shutil.copytree(ROOT / "spec", folder / "spec")
    (spec / "facets" / "CarbonFootprintOutputDatasetFacet.json").write_text(json.dumps(CARBON), "utf-8")
    write(generate(spec, PACKAGE), folder / PACKAGE)
    with importable(folder):
        yield Package(PACKAGE, folder / PACKAGE)


def test_the_builder_of_the_entity_has_a_new_method(package: Package) -> None:
    builders = import_module(f"{package.name}.builders")
    output = builders.OutputDatasetBuilder({"namespace": "s3://lake", "name": "curated/daily"})
    assert isinstance(output, EntityBuilder)
    built = output.acme_carbon_footprint(grams_of_co2=12.5, grid_region="FR").output_statistics(row_count=1)
    facets = built.build().to_dict()["outputFacets"]
    assert facets["acme_carbonFootprint"] == {
        "_producer": facets["outputStatistics"]["_producer"],
        "_schemaURL": f"{CARBON_ID}#/$defs/CarbonFootprintOutputDatasetFacet",
        "gramsOfCo2": 12.5,
        "gridRegion": "FR",
    }
    for other in ("RunBuilder", "JobBuilder", "InputDatasetBuilder", "StaticDatasetBuilder"):
        assert not hasattr(getattr(builders, other), "acme_carbon_footprint")


@pytest.mark.thorough  # Generates everything once more.
def test_only_the_modules_that_list_all_schemas_change(package: Package) -> None:
    before = generate(ROOT / "spec", PACKAGE)
    after = {path.name: path.read_text("utf-8") for path in package.folder.glob("*.py")}
    assert after.keys() - before.keys() == {"carbon_footprint_output_dataset.py"}
    changed = {name for name, source in before.items() if after.get(name) != source}
    assert changed == {"__init__.py", "builders.py", "containers.py", "index.py", "registry.py"}
