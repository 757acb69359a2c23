"""Access to the JVM of a Spark session."""
