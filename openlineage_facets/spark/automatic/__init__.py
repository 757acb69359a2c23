"""Capture what a job does with Spark's own methods, while a run is active."""
