"""What is known of libraries, as tables: what a function gives, when it calls what it gets, what its defaults are."""
