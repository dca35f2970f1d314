"""Which things are models of Keras."""
