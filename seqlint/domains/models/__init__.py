"""Models: which `compile` holds, how many outputs there are, under which names values are logged."""
