"""Names of catalogs, tables, JDBC queries and topics in a Spark session."""
