"""Query a file directly."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.sql(f"SELECT status, count(*) AS orders FROM parquet.`{data}/orders` GROUP BY status").write.parquet(
    f"{out}/status"
)
