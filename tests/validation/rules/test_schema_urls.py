"""Schema URLs and the rules for them."""

from __future__ import annotations

from openlineage_facets.base.containers.known_facets import FacetEntry
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.event_document import Document, FacetLabel
from openlineage_facets.validation.ruleset import RuleSet, built_in_rules
from openlineage_facets.validation.standard_facets import (
    ENTITY_OF_CONTAINER,
    SPEC_URL,
    SchemaUrl,
    is_custom,
    spec_version,
    standard_facets_at,
)
from tests.cases import each

RULES = RuleSet(built_in_rules())
_FIELDS = {
    "RunFacets": ("run", "facets"),
    "JobFacets": ("job", "facets"),
    "DatasetFacets": ("inputs", "facets"),
    "InputDatasetFacets": ("inputs", "inputFacets"),
    "OutputDatasetFacets": ("outputs", "outputFacets"),
}


def codes(container: str, key: str, url: str) -> set[str]:
    """Return the codes found for a facet with only a schema URL."""
    entity, field = _FIELDS[container]
    value = {field: {key: {"_schemaURL": url}}}
    event = {"run": {}, "job": {}, entity: [value] if entity.endswith("s") else value}
    return {finding.code for finding in RULES.check(Document(event))}


@each(
    ("url", "branch"),
    [
        ("https://raw.githubusercontent.com/acme/lineage/main/A.json", "main"),
        ("https://raw.githubusercontent.com/acme/lineage/refs/heads/next/1-0-0/A.json", "next"),
        ("https://raw.githubusercontent.com/acme/lineage/refs/tags/v1/A.json", None),
        ("https://raw.githubusercontent.com/acme/lineage/v1.0/main/A.json", None),
        ("https://raw.githubusercontent.com/acme/lineage/1d34bb5f2/A.json", None),
        ("https://github.com/acme/lineage/blob/master/A.json", "master"),
        ("https://github.com/acme/lineage/raw/HEAD/A.json", "HEAD"),
        ("https://gitlab.example.com/acme/team/lineage/-/raw/develop/A.json", "develop"),
        ("https://bitbucket.org/acme/lineage/src/main/A.json", "main"),
        ("https://acme.example.com/latest/A.json", "latest"),
        ("https://acme.example.com/main/1-0-0/A.json", None),
        ("https://openlineage.io/spec/1-0-5/OpenLineage.json", None),
    ],
)
def test_branch_of_a_schema_url(url: str, branch: str | None) -> None:
    assert SchemaUrl.parse(url).branch == branch


@each(
    ("url", "has_version"),
    [
        ("https://acme.example.com/1-0-0/A.json", True),
        ("https://acme.example.com/v2/A.json", True),
        ("https://acme.example.com/2/A.json", True),
        ("https://acme.example.com/schemas/A-1.0.json", True),
        ("https://acme.example.com/schemas/A.v3.json", True),
        ("https://acme.example.com/A.json?version=3", True),
        ("https://acme.example.com/2024.01/A.json", True),
        ("https://raw.githubusercontent.com/a/b/6e2ae88e3c1b4f1f9ad35ea0a5f8f1e8ef0b1ad1/A.json", True),
        ("https://acme.example.com/schemas/A.json", False),
        ("https://acme1-0.example.com/schemas/A.json", False),
        ("https://acme.example.com/facade/A.json", False),
        ("https://acme.example.com/s3/A2.json", False),
    ],
)
def test_version_of_a_schema_url(url: str, has_version: bool) -> None:
    assert SchemaUrl.parse(url).has_version is has_version


@each(
    ("url", "version"),
    [
        ("https://openlineage.io/spec/facets/1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet", (1, 1, 0)),
        ("https://openlineage.io/spec/2-0-2/OpenLineage.json", (2, 0, 2)),
        ("https://acme.example.com/spec/2-0-2/OpenLineage.json", None),
    ],
)
def test_version_of_a_published_schema(url: str, version: object) -> None:
    assert spec_version(url) == version


@each("entry", FACETS, ids=lambda entry: f"{entry.container}-{entry.name}")
def test_standard_facet_on_the_wrong_entity_is_reported_and_on_the_right_one_is_not(
    entry: FacetEntry,
) -> None:
    assert codes(entry.container, entry.key, entry.schema_url) == set()
    for container in ENTITY_OF_CONTAINER:
        if not standard_facets_at(FacetLabel(container, entry.key, None)):
            assert codes(container, entry.key, entry.schema_url) & {"OL107", "OL108"}, container


@each("key", ["documentation", "acme_cost"])
@each("deleted", [True, False])
def test_only_a_tombstone_may_have_the_schema_url_of_a_base_facet(key: str, deleted: bool) -> None:
    url = f"{SPEC_URL}2-0-2/OpenLineage.json#/$defs/JobFacet"
    event = {"job": {"facets": {key: {"_schemaURL": url, "_deleted": deleted}}}}
    assert ("OL207" in {finding.code for finding in RULES.check(Document(event))}) is not deleted


@each(
    "key",
    "acme_cost bigQuery_statistics spark_unknown dbt_version airflow_mappedTask debug_info "
    "text rest sqs".split(),
)
def test_key_with_a_prefix_or_another_short_word_is_a_custom_facet(key: str) -> None:
    assert all(is_custom(FacetLabel(container, key, None)) for container in ENTITY_OF_CONTAINER)


@each(
    ("container", "key", "code"),
    [
        ("RunFacets", "parentRun", "OL106"),
        ("RunFacets", "ParentRunFacet", "OL106"),
        ("RunFacets", "nominal_time", "OL106"),
        ("RunFacets", "processingEngine", "OL106"),
        ("RunFacets", "tag", "OL106"),
        ("JobFacets", "job_type", "OL106"),
        ("JobFacets", "SQL", "OL106"),
        ("JobFacets", "sourceCodeLocaton", "OL106"),
        ("DatasetFacets", "datasource", "OL106"),
        ("DatasetFacets", "columnLinage", "OL106"),
        ("DatasetFacets", "datasetVersion", "OL106"),
        ("RunFacets", "sql", "OL108"),
        ("JobFacets", "nominalTime", "OL108"),
        ("DatasetFacets", "outputStatistics", "OL108"),
        ("RunFacets", "cost", "OL101"),
        ("DatasetFacets", "x", "OL101"),
    ],
)
def test_unknown_key_is_reported_by_exactly_one_rule(container: str, key: str, code: str) -> None:
    url = "https://acme.example.com/1-0-0/A.json#/$defs/AcmeRunFacet"
    assert code in codes(container, key, url)
    assert len(codes(container, key, url) & {"OL101", "OL106", "OL107", "OL108"}) == 1
