"""Runs the code cells of a notebook in order, in one `__main__`, as Jupyter would."""

from __future__ import annotations

import ast
import json
import linecache
import re
import sys
import types
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .tape import Tape

_SHELL = re.compile(r"^\s*(?:[\w.\[\], ]+=\s*)?[%!](?!=)|^\s*\?|^\s*[%\w.*]+\s*\?{1,2}\s*;?\s*$")
"""Lines for the shell, the kernel or its help, also where their answer is assigned."""
_TIMED = re.compile(r"^(\s*)%time\s+(?=\S)")
_AROUND = frozenset({"time", "timeit", "capture", "prun"})
"""Cell magics whose cell is Python that runs in the notebook itself."""


def play(tape: Tape, main: types.ModuleType) -> None:
    """Run the code cells of a notebook.

    Raises:
        ValueError: the file is no notebook.
        Exception: what a cell raised; the tape says which cell.
    """
    main.__dict__.pop("__file__", None)
    _shims(main)
    cells = list(_cells(Path(tape.job["script"])))
    for cell in cells:  # also those that are not reached
        with suppress(SyntaxError, ValueError):
            _watched(tape, cell)
    for cell in cells:
        tape.place = f"cell {cell.number}"
        _run(tape, main, cell)
    tape.place = ""


@dataclass(frozen=True)
class _Cell:
    """A code cell: its number, from 1 with cells of text, its text, and the number of lines of code above it."""

    number: int
    text: str
    above: int

    @property
    def file(self) -> str:
        """What tracebacks call it."""
        return f"<cell {self.number}>"


def _cells(path: Path) -> Iterator[_Cell]:
    notebook = json.loads(path.read_text("utf-8-sig"))
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("the notebook has no list of cells")
    above = 0
    for number, cell in enumerate(cells, 1):
        if cell.get("cell_type") == "code":
            text = "".join(cell.get("source", ""))
            yield _Cell(number, text, above)
            above += len(text.splitlines())


def _watched(tape: Tape, cell: _Cell) -> ast.Module:
    """The tree of a cell, which notes what of it runs."""
    tree = ast.parse(plain(cell.text)[0], cell.file)
    tape.marks.watch(tree, cell.file, cell.above)
    return tree


def _run(tape: Tape, main: types.ModuleType, cell: _Cell) -> None:
    source, left_out = plain(cell.text)
    if left_out:
        tape.notes[f"cell {cell.number} ran without {left_out}"] = None
    name = cell.file
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)  # AutoGraph reads it there
    tree = _watched(tape, cell)
    if awaits(tree):
        tape.notes[f"cell {cell.number} was not run: it awaits outside a function"] = None
        return
    shown = _last(tree, source)
    exec(compile(tree, name, "exec", dont_inherit=True), main.__dict__)
    if shown is not None:
        value = eval(compile(shown, name, "eval", dont_inherit=True), main.__dict__)
        if value is not None:
            main.__dict__["_"] = value
            print(repr(value))


def _last(tree: ast.Module, source: str) -> ast.Expression | None:
    """The last expression of a cell, taken off the tree; None where Jupyter would not show its value."""
    if not tree.body or not isinstance(tree.body[-1], ast.Expr) or source.rstrip().endswith(";"):
        return None
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    return ast.Expression(last.value)


def awaits(tree: ast.AST) -> bool:
    """Whether code awaits outside a function."""
    if isinstance(tree, (ast.Await, ast.AsyncFor, ast.AsyncWith)):
        return True
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return not isinstance(tree, inside) and any(awaits(child) for child in ast.iter_child_nodes(tree))


def plain(text: str) -> tuple[str, str]:
    """A cell as Python, with its lines where they were, and what was left out of it, in words."""
    if _parses(text):
        return text, ""
    lines = text.splitlines()
    first = next((k for k, line in enumerate(lines) if line.strip()), 0)
    head = lines[first].strip() if lines else ""
    if head.startswith("%%") and head[2:].split(" ")[0] not in _AROUND:
        return "", f"{head.split(' ')[0]} and all below it"
    kept, dropped, goes_on = [], [], False
    for written in lines:
        line = _TIMED.sub(r"\1", written)
        if goes_on or _SHELL.search(line):
            dropped += [line.strip()] if line.strip() else []
            line = "" if goes_on else f"{line[: len(line) - len(line.lstrip())]}pass"
            goes_on = written.endswith("\\")
        kept.append(line)
    return "\n".join(kept) + "\n", ", ".join(f"`{line}`" for line in dropped)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _shims(main: types.ModuleType) -> None:
    """What a notebook finds without an import, and IPython where it isn't installed."""
    if find_spec("IPython") is None:
        package, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
        package.__dict__.update(get_ipython=_no_shell, display=module, __path__=[])
        module.__dict__.update(
            dict.fromkeys(("HTML", "Image", "Markdown", "SVG", "Audio", "Video"), _Shown),
            display=_display, clear_output=_nothing,
        )  # fmt: skip
        sys.modules.update({"IPython": package, "IPython.display": module})
    main.__dict__.update(get_ipython=_no_shell, display=_display)


class _Shown:
    """What a notebook would show as a picture or a page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.data = args[0] if args else None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def _display(*values: Any, **kwargs: Any) -> None:
    for value in values:
        print(repr(value))


def _nothing(*args: Any, **kwargs: Any) -> None: ...


class _Shell:
    """Answers what a notebook asks its kernel with nothing."""

    def __getattr__(self, name: str) -> Any:
        return _nothing


def _no_shell() -> _Shell:
    return _Shell()
