"""Functions over one named window."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql(
    "SELECT id, amount - lag(amount) OVER w AS change, "
    "first_value(status) IGNORE NULLS OVER w AS first_status, "
    "sum(amount) OVER (PARTITION BY customer_id ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving "
    "FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY day, id)"
).write.parquet(f"{out}/r")
