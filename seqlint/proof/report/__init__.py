"""What a reader sees of a proof: text for the terminal, values for JSON, one page of HTML."""

from seqlint.proof.report.data import as_dict, files_as_dict
from seqlint.proof.report.html import page
from seqlint.proof.report.text import render, summary

__all__ = ["as_dict", "files_as_dict", "page", "render", "summary"]
