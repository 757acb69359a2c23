"""Filter groups."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("SELECT customer_id FROM orders GROUP BY customer_id HAVING sum(amount) > 20").write.parquet(
    f"{out}/r"
)
