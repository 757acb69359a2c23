"""What can be known in Spark Connect, where Python talks to a server and reaches no JVM."""
