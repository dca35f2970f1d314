"""tf.data datasets as chains of calls, and generators."""
