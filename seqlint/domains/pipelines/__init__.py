"""Chains of tf.data: their steps, what each element looks like, who reads them and how often."""
