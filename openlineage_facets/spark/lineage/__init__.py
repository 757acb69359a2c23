"""Column lineage of logical plans."""
