"""Findings as other programs read them: one module a format, each a function from a result to a text."""
