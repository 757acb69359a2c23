"""Steps with names."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.parquet(f"{data}/orders").createOrReplaceTempView("orders")
spark.sql("""
    WITH per_day AS (SELECT day, sum(amount) AS amount FROM orders GROUP BY day),
         ranked AS (SELECT *, rank() OVER (ORDER BY amount DESC) AS place FROM per_day)
    SELECT day, amount FROM ranked WHERE place <= 3
""").write.parquet(f"{out}/r")
