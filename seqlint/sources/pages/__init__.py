"""Pages of text (Markdown, reStructuredText, plain text): the Python in their code blocks as programs, and the way back into the page."""

from seqlint.sources.pages.page import amid, programs, with_programs

__all__ = ["amid", "programs", "with_programs"]
