"""From paths to reports: plans what is to be read, loads the rules that are on, works file by file or in a pool."""
