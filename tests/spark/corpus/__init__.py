"""Ordinary PySpark jobs, each with the lineage that a run around it must emit.

A job is a script in `jobs/`. It gets the folder of the input data, a folder for its output and the JDBC URL
of a database as arguments, and contains nothing of this package. The JSON file next to it is the expected
lineage.
`python -m tests.spark.corpus [JOB...]` writes these files; review the difference.
"""
