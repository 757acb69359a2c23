"""Hand-written base classes and types of the generated code."""
