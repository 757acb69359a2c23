"""Row counts, sizes and data quality measured by Spark."""
