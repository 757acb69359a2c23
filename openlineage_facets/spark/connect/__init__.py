"""Datasets of Spark Connect sessions, where Python talks to a server and has no JVM."""
