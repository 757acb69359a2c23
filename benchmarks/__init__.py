"""What the package costs beside what people would use instead: `make bench`."""
