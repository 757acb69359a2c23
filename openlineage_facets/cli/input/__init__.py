"""Read events from files, folders and streams in any supported layout and compression."""
