"""Callbacks: who gets them, what their hooks do and when, what they monitor, which values are logged for them."""
