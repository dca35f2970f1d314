"""Keeps a run from the files of the user: what a program writes outside of the run's own place goes to copies, or is refused."""
