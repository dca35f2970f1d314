"""What the values of a run mean: pipelines of tf.data, rows, randomness. Each is worked out when a rule asks."""
