"""Performance compared with alternatives: `make bench`."""
