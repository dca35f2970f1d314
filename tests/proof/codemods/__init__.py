"""Small codemods, wrong ones and right ones: what a fix can break, and what the proof must say of it."""
