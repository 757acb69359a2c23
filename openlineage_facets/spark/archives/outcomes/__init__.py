"""What is written for each line: valid and invalid lines, counts, and records."""
