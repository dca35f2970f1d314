"""The linter that knows what Keras really does with data code."""
