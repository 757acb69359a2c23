"""Logical and physical plans of Spark as Python objects."""
