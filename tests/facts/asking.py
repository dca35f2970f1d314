"""Programs that call `use(...)`: what the arguments are when the program runs, and what the facts say of them."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import libcst as cst

from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import Facts


def asked(text: str) -> tuple[Facts, tuple[cst.BaseExpression, ...]]:
    """The facts of a program, and the first argument of each `use`, in reading order."""
    facts = facts_of(text)
    calls = (node for node in facts.tree.all(cst.Call) if isinstance(node.func, cst.Name) and node.func.value == "use")
    return facts, tuple(call.args[0].value for call in calls)


def run(text: str, **names: object) -> list[object]:
    """What the program hands to `use` when it runs, in the order of the calls."""
    seen: list[object] = []
    exec(compile(dedent(text), "program.py", "exec"), {"use": seen.append, "__name__": "program", **names})
    return seen
