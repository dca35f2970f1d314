"""The way of a project from Keras 2 to Keras 3: what is changed in code and requirement files, and what is left for a person."""
