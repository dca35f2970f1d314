"""Drives what a module of classes gives: through a factory, or with inputs made from parameter names and their uses."""
