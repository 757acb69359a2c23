"""Text of event files of any content and compression ratio, in bounded memory."""
