"""The jobs of a small shop, each a module with a function `run`."""
