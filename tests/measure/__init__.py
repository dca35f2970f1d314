"""What Keras does, measured on each of its lines by one command: `scripts/measure`."""
