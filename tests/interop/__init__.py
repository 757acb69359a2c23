"""Systems that run here accept our events, and we accept theirs: `make interop`."""
