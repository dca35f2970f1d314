"""Bytes to text and back: encodings, newlines, offsets, discovery, writing."""

from seqlint.sources.source import PAGES, Source, is_notebook, is_page

__all__ = ["PAGES", "Source", "is_notebook", "is_page"]
