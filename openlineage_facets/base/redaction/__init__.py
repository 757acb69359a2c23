"""Redact secrets in captured, logged and reported text."""
