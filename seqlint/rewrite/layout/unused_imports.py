"""Imports that nothing needs go: one that fails, and one that a fix leaves without a use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.statements import delete

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.facts import Facts


def without_imports(facts: Facts, gone: cst.CSTNode, kept: Sequence[cst.CSTNode], needed: str) -> tuple[Edit, ...]:
    """Edits that take out the imports whose only use is in `gone`, outside of what is `kept` of it; never the one of `needed`.

    None for an import that something else may ask for: in a package's `__init__.py`, under an `if` or `try`, in `__all__`, with a
    comment by it.
    """
    if facts.source.path.endswith(("__init__.py", ".ipynb")):
        return ()
    names = [name for name in facts.tree.inside(gone, cst.Name) if not facts.tree.is_label(name)]
    lost = [name for name in names if name.value != needed and not any(facts.tree.holds(part, name) for part in kept)]
    edits: dict[Edit, None] = {}
    for name in lost:
        others = (other for other in facts.tree.all(cst.Name) if other.value == name.value and other not in lost)
        if not any(not facts.tree.is_label(other) and not _is_imported(facts, other) for other in others):
            edits |= dict.fromkeys(_removed(facts, name))
    return tuple(edits) if len(edits) == 1 else ()  # two imports of one line would want more than that


def _is_imported(facts: Facts, name: cst.Name) -> bool:
    return facts.tree.enclosing(name, cst.Import, cst.ImportFrom) is not None


def _removed(facts: Facts, name: cst.Name) -> tuple[Edit, ...]:
    bindings = facts.names.bindings(name)
    alias = bindings[0].node if len(bindings) == 1 and bindings[0].kind == "import" else None
    texts = (string.evaluated_value for string in facts.tree.all(cst.SimpleString))
    if not isinstance(alias, cst.ImportAlias) or name.value in texts:
        return ()
    return without_import(facts, alias)


def without_import(facts: Facts, alias: cst.ImportAlias) -> tuple[Edit, ...]:
    """Take one name out of an import at the top level, with its line where nothing else is on it; none where a comment is."""
    statement = facts.tree.parents[alias]
    line = facts.tree.parents[statement]
    if not isinstance(statement, (cst.Import, cst.ImportFrom)) or not isinstance(line, cst.SimpleStatementLine):
        return ()
    if (
        isinstance(statement.names, cst.ImportStar)
        or len(line.body) != 1
        or facts.tree.parents[line] is not facts.module
    ):
        return ()
    edits = delete(facts, line) if len(statement.names) == 1 else (_from_list(facts, statement.names, alias),)
    return edits if "#" not in facts.source.slice(edits[0].start, edits[0].end) else ()


def _from_list(facts: Facts, aliases: Sequence[cst.ImportAlias], alias: cst.ImportAlias) -> Edit:
    position = list(aliases).index(alias)
    if position + 1 < len(aliases):
        return Edit(facts.span(alias)[0], facts.span(aliases[position + 1])[0], "")
    before = aliases[position - 1]
    return Edit(_end(facts, before), _end(facts, alias), "")


def _end(facts: Facts, alias: cst.ImportAlias) -> int:
    """Behind the name, in front of the comma."""
    return facts.span(alias.asname.name if alias.asname is not None else alias.name)[1]
