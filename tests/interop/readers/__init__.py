"""Programs that read events with the classes of a system, each in the environment of the system.

They read one event per line, and print one JSON object per event: `{"event": ...}` with what the classes
write, or `{"refusal": ...}` with the message.
"""
