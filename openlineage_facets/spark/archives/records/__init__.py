"""Records: the rows that a fold consists of, which merge in any order."""
