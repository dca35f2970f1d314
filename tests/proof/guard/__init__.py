"""The files of the user stay as they are, whatever a program does that is proved."""
