"""The hand-written ground the generated classes stand on."""
