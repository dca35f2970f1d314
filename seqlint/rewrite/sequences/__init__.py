"""Edits of Sequences and of the batches that they make."""
