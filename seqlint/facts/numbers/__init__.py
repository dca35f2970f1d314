"""Numbers, shapes and types of arrays, and what holds rows, as far as literals carry."""
