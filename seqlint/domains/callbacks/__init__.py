"""The callbacks of fits: which there are, what they monitor, which values are logged for them."""
