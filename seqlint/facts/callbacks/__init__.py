"""What the callbacks of a fit decide, and what they read from `logs`."""
