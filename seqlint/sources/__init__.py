"""Bytes to text and back: encodings, newlines, offsets, discovery, writing."""

from seqlint.sources.source import Source

__all__ = ["Source"]
