"""What makes batches, and what each of them holds."""
