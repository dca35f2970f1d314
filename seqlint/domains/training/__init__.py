"""What `compile` and `fit` get: data, steps, losses, forms of labels."""
