"""What the epoch hooks of Sequences do, and which Sequences leave out those of others."""
