"""Measures which public names each Keras has, and what they take: `scripts/names` writes it down, a test holds it to what is installed."""
