"""Models of Keras: their last layer, how they are compiled, how many outputs there are, under which names values are logged, and what is saved."""
