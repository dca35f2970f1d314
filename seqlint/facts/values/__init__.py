"""Where values come from, inside one file and without calls."""
