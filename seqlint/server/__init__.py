"""The language server: what an editor shows while data code is written."""
