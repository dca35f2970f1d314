"""How many rows, batches and steps there are, where a program says so."""
