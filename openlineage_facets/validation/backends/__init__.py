"""Backends: profiles say which valid events each refuses, loses or changes."""
