"""Edits that give a fit callbacks and metrics, and move into them what epoch hooks do."""
