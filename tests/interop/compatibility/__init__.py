"""OpenLineage's compatibility tests, with this package as producer and as consumer: `make compat`."""
