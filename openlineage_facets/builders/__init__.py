"""Build the events of a run, a job or a dataset step by step.

>>> build = RunEventBuilder("etl", "orders.daily", producer="https://example.com/v7/etl")
>>> _ = build.tag("team", "dataos").job.sql(query="INSERT INTO daily SELECT ...")
>>> _ = build.input("s3://lake", "raw/orders").schema(fields=[{"name": "amount", "type": "double"}])
>>> started = build.start()
>>> _ = build.output("s3://lake", "curated/daily").output_statistics(row_count=10)
>>> done = build.complete()
"""

from openlineage_facets.builders.entity_builders import (
    DatasetBuilder,
    InputBuilder,
    JobBuilder,
    OutputBuilder,
    RunBuilder,
)
from openlineage_facets.builders.event_builders import DatasetEventBuilder, JobEventBuilder, RunEventBuilder

__all__ = [
    "DatasetBuilder",
    "DatasetEventBuilder",
    "InputBuilder",
    "JobBuilder",
    "JobEventBuilder",
    "OutputBuilder",
    "RunBuilder",
    "RunEventBuilder",
]
