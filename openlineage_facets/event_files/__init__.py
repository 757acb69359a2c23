"""Find and read event files of any layout, compression and size, in bounded memory."""
