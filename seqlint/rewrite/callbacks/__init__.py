"""Edits that add callbacks and metrics to a fit, and move the work of epoch hooks into them."""
