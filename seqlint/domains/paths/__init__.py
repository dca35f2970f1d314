"""What is saved where, and how paths end."""
