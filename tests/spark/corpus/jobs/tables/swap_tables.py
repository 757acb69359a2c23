"""A new version of a table replaces it by two renames."""

import sys

from pyspark.sql import SparkSession

data, out = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
spark.range(2).withColumnRenamed("id", "sku").write.saveAsTable("prices")
products = spark.read.csv(f"{data}/products.csv", header=True)
products.selectExpr("sku", "cast(price AS double) AS price").write.saveAsTable("prices_new")
spark.sql("ALTER TABLE prices RENAME TO prices_old")
spark.sql("ALTER TABLE prices_new RENAME TO prices")
spark.sql("DROP TABLE prices_old")
