"""The documentation's site: what is made for it, and what mkdocs asks."""
