"""Tags of pages, in SQL."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.read.json(f"{data}/clicks.json").createOrReplaceTempView("clicks")
spark.sql("SELECT page, tag FROM clicks LATERAL VIEW explode(tags) AS tag").write.parquet(f"{out}/r")
