"""Names of catalogs, tables and JDBC queries in a Spark session."""
