"""Lineage of the reads, writes and SQL statements of one run."""
