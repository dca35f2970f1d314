"""The lines of a program by which its changes are known: those of a file, or of the code cells of a notebook one below the other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from seqlint.proof.programs import Kind


def listing(text: str | bytes, kind: Kind) -> str:
    """The text of a program; of a notebook the lines of its code."""
    whole = text if isinstance(text, str) else text.decode("utf-8", "replace")
    cells = _cells(whole) if kind == "notebook" else None
    return whole if cells is None else "".join(f"{line}\n" for _, lines in cells for line in lines)


def names(text: str | bytes, kind: Kind) -> Mapping[int, str]:
    """What lines of the listing of a notebook are called: "cell 2 line 3"; none for other programs."""
    whole = text if isinstance(text, str) else text.decode("utf-8", "replace")
    cells = _cells(whole) if kind == "notebook" else None
    found = (f"cell {number} line {line}" for number, lines in cells or () for line in range(1, len(lines) + 1))
    return dict(enumerate(found, 1))


def _cells(text: str) -> list[tuple[int, list[str]]] | None:
    """Number and lines of each code cell; None where there is no notebook, which the run will say."""
    try:
        return list(_code(json.loads(text.removeprefix("\ufeff"))))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _code(notebook: Any) -> Iterator[tuple[int, list[str]]]:
    for number, cell in enumerate(notebook["cells"], 1):
        if cell.get("cell_type") == "code":
            yield number, "".join(cell.get("source", "")).splitlines()
