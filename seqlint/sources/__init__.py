"""Bytes to text and back: encodings, newlines, offsets, discovery, writing."""

from seqlint.sources.source import Source, is_notebook

__all__ = ["Source", "is_notebook"]
