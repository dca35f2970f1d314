"""Functions of `map` that may run for several rows at a time."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts
    from seqlint.run import Call


def in_parallel(facts: Facts, call: Call) -> tuple[Edit, ...]:
    """An edit that adds `num_parallel_calls` to a call of `map` with one argument on one line, where the file says `import tensorflow as ...`."""
    node, library = call.node, _library(facts)
    if not isinstance(node, ast.Call) or not library or len(node.args) + len(node.keywords) != 1:
        return ()
    last = node.args[0] if node.args else node.keywords[0].value
    start, _ = facts.run.span(last)
    end = facts.run.span(node)[1] - 1
    rest = facts.source.slice(start, end)
    if "\n" in rest or rest.rstrip().endswith(","):
        return ()
    return (Edit(end, end, f", num_parallel_calls={library}.data.AUTOTUNE"),)


def prefetched(facts: Facts, node: ast.AST | None) -> tuple[Edit, ...]:
    """An edit that adds `prefetch` right after a step, where the file says `import tensorflow as ...`."""
    library = _library(facts)
    if not isinstance(node, ast.Call) or not library:
        return ()
    _, end = facts.run.span(node)
    return (Edit(end, end, f".prefetch({library}.data.AUTOTUNE)"),)


def _library(facts: Facts) -> str:
    """What the file calls TensorFlow; empty where it imports parts of it alone."""
    for node in facts.run.machine.main.tree.body:
        for alias in node.names if isinstance(node, ast.Import) else ():
            if alias.name == "tensorflow":
                return alias.asname or alias.name
    return ""
