"""Compare two versions of schemas: the changes, the required version step, the effect on Python code."""
