"""What is saved where, of which models, and how paths end."""
