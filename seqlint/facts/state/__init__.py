"""What one batch leaves behind for the next: on the instance, in iterators, buffers and random generators."""
