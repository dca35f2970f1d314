"""Import statements, as a text without a tree has them."""

from __future__ import annotations

import ast
import re

Statement = ast.Import | ast.ImportFrom

_IMPORT = re.compile(r"from\s+[\w.]+\s+import\b|import\s+[\w.]+\s*(?:$|[,;#\\]|as\b)")


def statement(text: str) -> Statement | ast.Pass | None:
    """The import that a text is; a `pass` where it is none, None where that can't be told."""
    begun = text.lstrip("; :\t\r\n")
    for part in (begun, begun.partition("\n")[0]):
        try:
            node = ast.parse(part).body[0]
        except (SyntaxError, ValueError, IndexError):
            continue
        return node if isinstance(node, (ast.Import, ast.ImportFrom)) else ast.Pass()
    return None if _IMPORT.match(begun) else ast.Pass()
