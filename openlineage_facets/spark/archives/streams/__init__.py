"""Fold streams, batch by batch."""
