"""Findings and rules as text, JSON, Markdown. Everything here makes strings; nothing prints."""
