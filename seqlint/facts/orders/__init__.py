"""What is brought into a random order, what it is, and what is read through it."""
