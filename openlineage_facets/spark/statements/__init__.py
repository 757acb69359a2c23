"""What SQL statements read, write and define, from their plans."""
