"""What methods do to the attributes of their instance, and to what is outside of it."""
