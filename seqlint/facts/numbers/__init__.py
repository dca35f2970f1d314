"""Numbers, shapes and types of arrays, as far as literals carry."""
