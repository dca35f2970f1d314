"""Random numbers that Python draws where TensorFlow should."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts
    from seqlint.run import Call

_TAKES_TENSORS = re.compile(r"tensorflow\.image\.adjust_(brightness|contrast|hue|saturation)$")
"""Functions whose second argument may be a tensor of float32, whatever the type of the image."""
_BOUNDS = {
    "random.uniform": 2,
    "random.random": 0,
    "numpy.random.uniform": 2,
    "numpy.random.rand": 0,
    "numpy.random.random": 0,
}
"""Draws of one number between two bounds, and how many of these they are given."""


def drawn_by_tensorflow(facts: Facts, call: Call) -> tuple[Edit, ...]:
    """Edits that draw a number with `tf.random.uniform`, where it is an argument of a function that takes tensors; else none."""
    run, node = facts.run, call.node
    users = [each for each in run.calls if any(call.result in value.objects for value in each.result.args)]
    if len(users) != 1 or not run.is_here(call.context) or not run.is_here(users[0].context):
        return ()
    user = users[0].node
    if not _TAKES_TENSORS.match(users[0].name) or not isinstance(user, ast.Call) or not isinstance(node, ast.Call):
        return ()
    library = run.text(user.func).removesuffix(f".image.{users[0].result.method}")
    if node not in user.args[1:2] or len(node.args) != _BOUNDS.get(call.name) or node.keywords or "." in library:
        return ()
    bounds = "".join(f", {run.text(argument)}" for argument in node.args)
    return (Edit(*run.span(node), f"{library}.random.uniform([]{bounds})"),)
