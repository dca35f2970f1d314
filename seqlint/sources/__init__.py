"""Bytes to text and back: encodings, newlines, offsets, discovery, writing."""

from seqlint.sources.source import BOM, PAGES, Source, is_notebook, is_page

__all__ = ["BOM", "PAGES", "Source", "is_notebook", "is_page"]
