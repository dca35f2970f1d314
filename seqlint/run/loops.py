"""`for` and `while`: round by round where it is known how many there are, else two rounds that stand for all."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.run import comprehensions, conditions, targets
from seqlint.run.machine import MOST_ITEMS
from seqlint.run.objects import Constant
from seqlint.run.trace import Loop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.run.conditions import Condition
    from seqlint.run.frames import Frame
    from seqlint.run.machine import Machine

_BOUNDS: dict[type[ast.cmpop], int] = {ast.Lt: 0, ast.LtE: 1}


def run_for(machine: Machine, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    """Run a `for`; as `execute`, whether every way through it ends there."""
    value = machine.evaluate(machine, node.iter, frame)
    most = 2 if len(machine.loops) < 1 else 1
    outside, left, loops = machine.way, frame.left, machine.loops
    stopped = False
    for item in comprehensions.rounds(machine, value, node, most):
        before = machine.way
        targets.assign(machine, node.target, item, frame)
        frame.left = set()
        ended = machine.execute(machine, node.body, frame)
        if machine.loops is not loops:  # nobody knows how many rounds there are
            machine.way = before
            continue
        if ended and ast.Continue not in frame.left:
            returned = not frame.left and not stopped
            frame.left, machine.way = left, outside
            return returned
        stopped = stopped or ast.Break in frame.left
        if not frame.left or ast.Continue in frame.left or not stopped:
            machine.way = before
    frame.left, machine.way = left, outside
    return machine.execute(machine, node.orelse, frame)


def run_while(machine: Machine, node: ast.While, frame: Frame) -> bool:
    """Run a `while`; as `execute`, whether every way through it ends there."""
    condition = conditions.of(machine, node.test, frame)
    if condition.known is False:
        return machine.execute(machine, node.orelse, frame)
    left, frame.left = frame.left, set()
    try:
        return (
            _counted(machine, node, frame)
            if _is_short(machine, node, frame)
            else _open(machine, node, condition, frame)
        )
    finally:
        frame.left = left


def _counted(machine: Machine, node: ast.While, frame: Frame) -> bool:
    """`while n < 3: ...; n += 1`."""
    way = machine.way
    for _ in range(MOST_ITEMS):
        if conditions.of(machine, node.test, frame).known is not True:
            break
        if machine.execute(machine, node.body, frame):
            returned = not frame.left
            machine.way = way
            return returned
        machine.way = way if not frame.left else machine.way
    machine.way = way
    return machine.execute(machine, node.orelse, frame)


def _is_short(machine: Machine, node: ast.While, frame: Frame) -> bool:
    """Whether a loop counts a number up to one that is known, in a few rounds."""
    test = node.test
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name) or type(test.ops[0]) not in _BOUNDS:
        return False
    own = [step for each in node.body if (step := _step(each, test.left.id)) is not None]
    stores = [
        each
        for each in _own_loop(node.body)
        if isinstance(each, ast.Continue)
        or (isinstance(each, ast.Name) and each.id == test.left.id and isinstance(each.ctx, ast.Store))
    ]
    if len(own) != 1 or len(stores) != 1 or len(test.ops) != 1:
        return False
    values = (machine.evaluate(machine, each, frame).only for each in (test.left, test.comparators[0], own[0]))
    numbers = [each.value for each in values if isinstance(each, Constant) and isinstance(each.value, int)]
    if len(numbers) != 3 or numbers[2] <= 0:
        return False
    return numbers[1] + _BOUNDS[type(test.ops[0])] - numbers[0] <= MOST_ITEMS * numbers[2]


def _step(node: ast.stmt, name: str) -> ast.expr | None:
    """The 1 of `n += 1` and `n = n + 1`."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and _is_name(node.target, name):
        return node.value
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.BinOp) or not _is_name(node.targets[0], name):
        return None
    return node.value.right if isinstance(node.value.op, ast.Add) and _is_name(node.value.left, name) else None


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _open(machine: Machine, node: ast.While, condition: Condition, frame: Frame) -> bool:
    always = isinstance(node.test, ast.Constant)
    for number in range(2 if len(machine.loops) < 1 else 1):
        loops, way = machine.loops, machine.way
        machine.loops = (*loops, Loop(node, None, number))
        if condition.known is None or not always:
            machine.learn([*condition.yes, (("round", id(node), machine.tick()), True)])
        machine.execute(machine, node.body, frame)
        machine.loops, machine.way = loops, way
        condition = conditions.of(machine, node.test, frame)
    endless = always and not any(isinstance(each, ast.Break) for each in _own_loop(node.body))
    return endless or machine.execute(machine, node.orelse, frame)


def _own_loop(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """The nodes of a loop, those of loops and functions in it left out."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        here = waiting.pop()
        found.append(here)
        if not isinstance(here, (ast.For, ast.While, ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(here))
    return found
