"""What one batch leaves for the next one: on the instance, in iterators, buffers and random generators."""
