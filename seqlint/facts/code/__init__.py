"""What a file is written of: its tree, its scopes, what its names mean, and its blocks."""
