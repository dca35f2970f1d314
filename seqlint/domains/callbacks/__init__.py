"""Callbacks: who gets them, what their hooks do, and when."""
