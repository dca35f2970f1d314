"""What is shuffled, and what is read through the new order."""
