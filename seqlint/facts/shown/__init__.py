"""All that is known of a file or of one line, as plain values."""
