"""tf.data datasets as chains of calls, generators, and what gives its own batches to a fit."""
