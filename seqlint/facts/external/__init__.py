"""What other files of the project say and do, each read once, where a name leads there."""
