"""Cut the plan twice, once with files, and join the result with itself."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setCheckpointDir(f"{out}/checkpoints")
totals = (
    spark.read.parquet(f"{data}/orders")
    .groupBy("customer_id")
    .agg(F.sum("amount").alias("total"))
    .checkpoint()
)
large = totals.where("total > 1").localCheckpoint(eager=False)
large.alias("a").join(large.alias("b"), F.expr("a.customer_id = b.customer_id")).select(
    "a.customer_id", (F.col("b.total") / 2).alias("half")
).write.parquet(f"{out}/halves")
