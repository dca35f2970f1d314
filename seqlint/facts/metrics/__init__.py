"""The names under which each fit logs its values."""
