"""Datasets that a DataFrame reads.

No Spark job is run and no files are listed that Spark has not listed. Unknown sources are skipped and logged
once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from openlineage_facets.spark.connect import ClientInputs, client_inputs
from openlineage_facets.spark.datasets.plan_sources import plan_sources
from openlineage_facets.spark.datasets.sources import Source
from openlineage_facets.spark.jvm.session import has_jvm
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.plans.analyzed_plan import analyzed_plan
from openlineage_facets.spark.spark_dataset import SparkDataset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def inputs_of(df: DataFrame) -> list[SparkDataset]:
    """Return the distinct datasets that a DataFrame reads, in order of first occurrence.

    Args:
        df: The DataFrame. In Spark Connect, only inputs known to the client are returned.
    """
    return datasets_of(sources_of(df))


def sources_of(df: DataFrame) -> list[Source]:
    """Return what each leaf of the plan of a DataFrame reads.

    Args:
        df: The DataFrame. In Spark Connect, there is one source for each input known to the client.
    """
    try:
        if not has_jvm(df.sparkSession):
            return client_sources(_inputs_known_to_client(df))
        plan = analyzed_plan(df)
        return [] if plan is None else plan_sources(df.sparkSession, plan)
    except Exception as error:  # Lineage never breaks the job.
        log_once("cannot find the inputs of a DataFrame: reading its plan failed", error)
        return []


def datasets_of(sources: Iterable[Source]) -> list[SparkDataset]:
    """Return the distinct datasets of sources, in order of first occurrence."""
    distinct: dict[tuple[str, str], SparkDataset] = {}
    for source in sources:
        for dataset in source.datasets:
            distinct.setdefault((dataset.namespace, dataset.name), dataset)
    return list(distinct.values())


def client_sources(inputs: ClientInputs) -> list[Source]:
    """Return one source for each input that a client of Spark Connect knows, and one for what it does not."""
    sources = [Source((dataset,)) for dataset in inputs.datasets]
    if inputs.incomplete or inputs.has_local_rows:
        sources.append(Source((), has_unknown_rows=True))
    return sources


def _inputs_known_to_client(df: DataFrame) -> ClientInputs:
    inputs = client_inputs(df)
    if inputs.incomplete:
        log_once(
            "cannot find all inputs of a DataFrame: Spark Connect does not report what views, SQL text and "
            "sources without a path read; name them with dataset=(namespace, name)"
        )
    return inputs
