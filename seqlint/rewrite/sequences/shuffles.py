"""Shuffles whose result goes where it was meant to go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted
from seqlint.model import Edit
from seqlint.rewrite.layout.statements import replace

if TYPE_CHECKING:
    from seqlint.facts import Facts, Shuffle


def without_target(facts: Facts, shuffle: Shuffle) -> Edit | None:
    """`np.random.shuffle(x)` for `x = np.random.shuffle(x)`; None where the result goes anywhere else."""
    assign = facts.tree.parents[shuffle.node]
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    target = dotted(assign.targets[0].target)
    if not target or target != dotted(shuffle.subjects[0]):
        return None
    return Edit(facts.span(assign)[0], facts.span(shuffle.node)[0], "")


def as_permutation(facts: Facts, shuffle: Shuffle) -> tuple[Edit, ...]:
    """`np.random.permutation(n)` for `np.random.shuffle(np.arange(n))`, where the rows are made in the call; else no edits."""
    func, given = shuffle.node.func, shuffle.subjects[0]
    if not isinstance(func, cst.Attribute) or not isinstance(given, cst.Call) or len(shuffle.node.args) != 1:
        return ()
    numbers = _counted(facts, given)
    if shuffle.name == "random.shuffle":
        if numbers is None or not _is_plain(facts, numbers):
            return ()
        many = facts.text(numbers)
        return (replace(facts, func.attr, "sample"), replace(facts, given, f"range({many}), {many}"))
    if not shuffle.of_numpy and not _has_permutation(facts, shuffle):
        return ()
    inner = (replace(facts, given, facts.text(numbers)),) if numbers is not None else ()
    return (replace(facts, func.attr, "permutation"), *inner)


def _counted(facts: Facts, given: cst.Call) -> cst.BaseExpression | None:
    """The `n` of `np.arange(n)` and `list(range(n))`."""
    if len(given.args) != 1 or given.args[0].keyword is not None or given.args[0].star:
        return None
    inner = given.args[0].value
    name = facts.qualified(given.func)
    if name == "numpy.arange":
        return inner
    if name != "builtins.list" or not isinstance(inner, cst.Call) or facts.qualified(inner.func) != "builtins.range":
        return None
    return inner.args[0].value if len(inner.args) == 1 and not inner.args[0].star else None


def _is_plain(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether an expression may be written twice: a name, a number, the length of something."""
    if isinstance(node, cst.Call):
        return facts.qualified(node.func) == "builtins.len" and bool(dotted(node.args[0].value))
    return bool(dotted(node)) or isinstance(node, cst.Integer)


def _has_permutation(facts: Facts, shuffle: Shuffle) -> bool:
    made = facts.values.of(shuffle.generator) if shuffle.generator is not None else ()
    return bool(made) and all(
        isinstance(value, cst.Call) and (facts.qualified(value.func) or "").startswith("numpy.") for value in made
    )


def taken_back(facts: Facts, shuffle: Shuffle) -> tuple[Edit, ...]:
    """`x = np.random.permutation(x)` for the bare call; in place for a list, which would become an array.

    No edits where the kind of `x` is unknown, or where the name is not the function's own.
    """
    names = [dotted(subject) for subject in shuffle.subjects]
    if not names or not all(names) or not all(_is_own(facts, subject, shuffle) for subject in shuffle.subjects):
        return ()
    start = facts.span(shuffle.node)[0]
    assigned = (Edit(start, start, f"{', '.join(names)} = "),)
    if shuffle.name == "sklearn.utils.shuffle":
        return assigned
    if not shuffle.name.endswith("permutation") or not isinstance(shuffle.node.func, cst.Attribute):
        return ()
    kind = facts.containers.kind(shuffle.subjects[0])
    if kind == "list":
        return (replace(facts, shuffle.node.func.attr, "shuffle"),)
    return assigned if kind == "array" else ()


def _is_own(facts: Facts, subject: cst.BaseExpression, shuffle: Shuffle) -> bool:
    """Whether an assignment in place of the shuffle reaches what reads the variable."""
    if isinstance(subject, cst.Attribute):
        return facts.values.self_class(subject.value) is not None
    bindings = facts.names.bindings(subject) if isinstance(subject, cst.Name) else ()
    here = facts.names.scope(shuffle.node)
    return bool(bindings) and all(b.scope is here and b.kind in ("assign", "unpack") for b in bindings)
