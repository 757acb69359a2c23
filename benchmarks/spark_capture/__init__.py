"""What the capture of lineage costs a Spark job."""
