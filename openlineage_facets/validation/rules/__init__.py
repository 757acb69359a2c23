"""The built-in rules, one module per subject. New modules are discovered automatically."""
