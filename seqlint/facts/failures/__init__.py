"""What becomes of a failure on the way to a batch, and of samples and values that are not there."""
