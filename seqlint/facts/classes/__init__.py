"""What classes are, what their methods touch, and which of their statements can move."""
