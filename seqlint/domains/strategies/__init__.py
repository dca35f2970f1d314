"""`tf.distribute`: strategies, their scopes, and what their replicas train on."""
