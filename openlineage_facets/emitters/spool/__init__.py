"""Spool: store events on disk until they are delivered."""
