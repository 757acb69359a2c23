"""Replace one partition."""

import sys

from pyspark.sql import SparkSession

data = sys.argv[1]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("CREATE TABLE per_status (id BIGINT, status STRING) USING parquet PARTITIONED BY (status)")
spark.sql(
    "INSERT OVERWRITE per_status PARTITION (status = 'open') SELECT id FROM orders WHERE status = 'open'"
)
