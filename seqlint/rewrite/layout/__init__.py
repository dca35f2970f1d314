"""Edits of Python as such: arguments, statements, imports and comments, in the layout that the file already has."""
