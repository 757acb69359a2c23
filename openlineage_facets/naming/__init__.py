"""Dataset names and namespaces of the OpenLineage naming specification. Uses the standard library only."""
