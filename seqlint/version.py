"""The version of seqlint, which the package metadata and bug reports take from here."""

__version__ = "0.1.0"
