"""Dataset names and namespaces of the OpenLineage naming specification, and rules from name to name."""
