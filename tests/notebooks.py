"""Notebooks, written as the programs that make them do."""

from __future__ import annotations

import json
from typing import Any


def cell(source: str, *, lines: bool = True, kind: str = "code", **more: Any) -> dict[str, Any]:
    """A cell; its source is a list of lines or one string."""
    written = source.splitlines(keepends=True) if lines else source
    rest = {"execution_count": 3, "outputs": [{"output_type": "stream", "text": ["é <b>\n"]}]} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, **rest, **more, "source": written}


def notebook(*cells: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A notebook of Python, of the newest format."""
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"cells": list(cells), "metadata": kernel, "nbformat": 4, "nbformat_minor": 5, **more}


def written(*sources: str) -> bytes:
    """A notebook with a heading and these code cells, as Jupyter writes it."""
    cells = (cell("# A heading", kind="markdown"), *map(cell, sources))
    return (json.dumps(notebook(*cells), indent=1, ensure_ascii=False) + "\n").encode()


def sources(data: bytes) -> list[str]:
    """The source of each cell."""
    return ["".join(each["source"]) for each in json.loads(data.decode("utf-8-sig"))["cells"]]
