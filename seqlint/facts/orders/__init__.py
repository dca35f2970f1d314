"""What is shuffled, what kind of container it is, and what is read through the new order."""
