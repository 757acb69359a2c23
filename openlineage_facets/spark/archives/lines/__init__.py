"""Read lines of files and tables, validate them, and know where they come from."""
