"""What a block of code holds, and whether the code behind it is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.tree import Tree


def statements(block: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """The statements of a block: small ones each for itself, compound ones whole."""
    if isinstance(block, cst.SimpleStatementSuite):
        return tuple(block.body)
    found: list[cst.CSTNode] = []
    for statement in block.body if isinstance(block, cst.IndentedBlock) else ():
        found += statement.body if isinstance(statement, cst.SimpleStatementLine) else [statement]
    return tuple(found)


def is_endless(loop: cst.While) -> bool:
    """`while True` and `while 1`."""
    test = loop.test
    return isinstance(test, (cst.Name, cst.Integer)) and test.value in ("True", "1")


def runs_off(block: cst.CSTNode | None) -> bool:
    """Whether the code behind a block can be reached through it; `break` and `continue` leave it too."""
    if not isinstance(block, (cst.IndentedBlock, cst.SimpleStatementSuite)) or not block.body:
        return True
    last = block.body[-1]
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    if isinstance(last, (cst.Return, cst.Raise, cst.Continue, cst.Break)):
        return False
    if isinstance(last, cst.If):
        orelse = last.orelse.body if isinstance(last.orelse, cst.Else) else None
        nested = cst.IndentedBlock([last.orelse]) if isinstance(last.orelse, cst.If) else orelse
        return runs_off(last.body) or runs_off(nested)
    if isinstance(last, cst.With):
        return runs_off(last.body)
    if isinstance(last, cst.Try):
        done = runs_off(last.orelse.body) if last.orelse is not None else runs_off(last.body)
        after = last.finalbody is None or runs_off(last.finalbody.body)
        return after and (done or any(runs_off(handler.body) for handler in last.handlers))
    return not (isinstance(last, cst.While) and isinstance(last.test, cst.Name) and last.test.value == "True")


def quiet_handlers(block: cst.CSTNode) -> tuple[cst.ExceptHandler, ...]:
    """The handlers behind which a block runs off, where what they guard is the last of it and does not."""
    last = block.body[-1] if isinstance(block, cst.IndentedBlock) and block.body else None
    if isinstance(last, cst.With):
        return quiet_handlers(last.body)
    if not isinstance(last, cst.Try) or (last.finalbody is not None and not runs_off(last.finalbody.body)):
        return ()
    if runs_off(last.orelse.body if last.orelse is not None else last.body):
        return ()
    return tuple(handler for handler in last.handlers if runs_off(handler.body))


def ways_out(tree: Tree, function: cst.FunctionDef, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """The `return` and `raise` of a function that are written before a node, those around it left out."""
    ends = (*tree.inside(function.body, cst.Return), *tree.inside(function.body, cst.Raise))
    return tuple(end for end in ends if tree.order.precedes(end, node) and not tree.holds(end, node))
