"""Models of Keras: what their last layer gives, and how they are compiled."""
