"""Puts what a script does under `if __name__ == "__main__":`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.statements import references
from seqlint.facts.project.neighbours import neighbours
from seqlint.model import Edit
from seqlint.rewrite.layout.statements import indent_unit, lines_of
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from seqlint.facts import Facts

FEW_LINES = 12
"""So many lines can be read in a diff. The script of a whole project under a guard is for its author to want."""

_BIGGEST = 1_000_000
_STAYS = (cst.FunctionDef, cst.ClassDef)
_SPLIT = ('"""', "'''", "\\\n")


def main_guard(facts: Facts, node: cst.CSTNode) -> tuple[Edit, ...]:
    """Indent the end of a script, from above the statement that holds `node`, under the guard.

    Definitions, imports, and what definitions read stay above it. Nothing where more definitions follow, or text with lines
    of its own would be moved.
    """
    body = list(facts.module.body)
    here = next(number for number, statement in enumerate(body) if facts.tree.holds(statement, node))
    if any(_stays(facts, statement) for statement in body[here:]):
        return ()
    start = max((number + 1 for number, statement in enumerate(body[:here]) if _stays(facts, statement)), default=0)
    moved = body[start:]
    first, last = lines_of(facts, _whole(moved[0]))[0], lines_of(facts, _whole(moved[-1]))[1]
    text = facts.source.slice(first, last)
    if any(mark in text.replace("\r\n", "\n") for mark in _SPLIT):
        return ()
    unit = indent_unit(facts)
    lines = [unit + line if line.strip() else line for line in text.split("\n")]
    return (Edit(first, last, f'if __name__ == "__main__":{facts.source.newline}' + "\n".join(lines)),)


def is_small(facts: Facts, edits: tuple[Edit, ...]) -> bool:
    """Whether a guard moves a few lines alone, of a file that no other one nearby imports: it would miss the names in them."""
    moved = sum(edit.text.count("\n") for edit in edits)
    return moved <= FEW_LINES and not _is_imported(facts)


def _is_imported(facts: Facts) -> bool:
    path = Path(facts.source.path)
    if facts.project is None:
        return False
    imports = re.compile(rf"^[ \t]*(?:from|import)\b[^\n#]*\b{re.escape(path.stem)}\b", re.MULTILINE)
    texts = (surroundings.mentioning(each, path.stem.encode(), _BIGGEST) for each in neighbours(path, ".py", ".ipynb"))
    return any(data is not None and imports.search(data.decode(errors="replace")) for data in texts)


def _stays(facts: Facts, statement: cst.CSTNode) -> bool:
    """Whether a statement has to run in each process too: a definition, an import, a name that a definition reads."""
    if isinstance(statement, _STAYS):
        return True
    if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], (cst.Import, cst.ImportFrom)):
        return True
    module = facts.names.scopes.module
    bound = [name for name, found in module.bindings.items() if any(facts.tree.holds(statement, b.node) for b in found)]
    definitions = [part for part in facts.module.body if isinstance(part, _STAYS)]
    read = (name for part in definitions for name in references(facts.tree, part, *bound)) if bound else ()
    return any(facts.names.scope(name).home(name.value) is module for name in read)


def _whole(node: cst.BaseStatement | cst.SimpleStatementLine) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
    assert isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return node
