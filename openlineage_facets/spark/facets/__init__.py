"""Facets that describe a Spark job, its run and its datasets."""
