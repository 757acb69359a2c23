"""Check event files: from paths to findings and counts."""
