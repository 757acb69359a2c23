"""What tests of producers and backends of OpenLineage need."""
