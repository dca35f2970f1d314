"""Calls that train, what reaches them, the strategy that holds, and what hides their failure."""
