"""Run an unmodified job inside a `SparkRun`."""
