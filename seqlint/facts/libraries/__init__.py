"""What is known of Keras, TensorFlow, NumPy and other libraries, as tables: no code is looked at here."""
