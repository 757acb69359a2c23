"""One renderer for each output: Python source from the intermediate representation."""
