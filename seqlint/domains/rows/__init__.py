"""Which rows of which collection a value holds, in which order, and what goes together row by row."""
