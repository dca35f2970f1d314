"""Where values come from, and what lists, tuples and helpers make of them."""
