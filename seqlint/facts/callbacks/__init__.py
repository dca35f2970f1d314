"""The callbacks of every fit, what they decide, and what they read from `logs`."""
