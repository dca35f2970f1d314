"""What models are made of, and which things are models of Keras."""
