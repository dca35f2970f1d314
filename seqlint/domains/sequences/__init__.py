"""What runs for each batch of a Sequence."""
