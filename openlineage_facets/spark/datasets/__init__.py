"""Datasets that a DataFrame reads, and datasets that a write creates."""
