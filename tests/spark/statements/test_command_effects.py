"""What a command reads and writes, as Spark's listener reports it some time after the command."""

from __future__ import annotations

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from openlineage_facets.facets import SchemaDatasetFacet
from openlineage_facets.spark.analyzed_plan import analyzed_plan
from openlineage_facets.spark.datasets import targets
from openlineage_facets.spark.datasets.targets import table_target
from openlineage_facets.spark.statements.command_effects import effects_of, executed_plan


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO made VALUES (1)",
        "INSERT OVERWRITE made VALUES (1)",
        "CREATE TABLE made USING parquet AS SELECT 1L AS id",
        "CREATE TABLE made USING parquet LOCATION '{folder}' AS SELECT 1L AS id",
    ],
)
def test_the_table_is_known_after_it_was_dropped(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, statement: str
) -> None:
    if statement.startswith("INSERT"):
        spark.sql("CREATE TABLE made (id bigint) USING parquet")
    query = statement.format(folder=tmp_path_factory.mktemp("folder"))
    plan = executed_plan(analyzed_plan(spark.sql(query)))
    before = effects_of(spark, plan)[0].dataset
    spark.sql("DROP TABLE made")
    after = effects_of(spark, plan)[0].dataset
    assert (after.namespace, after.name, after.table) == (before.namespace, before.name, before.table)
    schema = next(facet for facet in after.facets if isinstance(facet, SchemaDatasetFacet))
    assert [field.name for field in schema.fields or []] == ["id"]


def test_a_table_dropped_while_it_is_looked_up_is_a_new_one(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark.range(3).write.saveAsTable("made")
    expected = table_target(spark, "made")
    look_up = targets.table_of_session_catalog

    def dropped(session: SparkSession, parts: list[str]) -> object:
        session.sql("DROP TABLE IF EXISTS made")
        return look_up(session, parts)

    monkeypatch.setattr(targets, "table_of_session_catalog", dropped)
    found = table_target(spark, "made")
    with pytest.raises(AnalysisException):
        spark.table("made")
    assert (found.namespace, found.name) == (expected.namespace, expected.name)
