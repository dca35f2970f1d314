"""What single values are: numbers, NumPy arrays, random generators, and where a rule points at them."""
