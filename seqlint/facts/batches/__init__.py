"""What makes a batch, what each holds, and what becomes of a failure on the way to it."""
