"""What earlier runs found, kept in a database of the project: a file is not looked at again while nothing has changed.

A result depends on the bytes of its file, on this program and its rules, on the settings, and on what was read of the project on
the way: modules, requirements, names in folders, and what was looked for and was not there. All of that is recorded where it is
read (`seqlint.sources.reading`). What can't be told to be the same is worked out anew.
"""
