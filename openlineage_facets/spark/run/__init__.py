"""`SparkRun`: the lifecycle and the events of one run of a PySpark job."""
