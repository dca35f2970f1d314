"""A name of one Keras package written as the same name of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.facts.keras.public import PUBLIC

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts import Facts


def reached_in(facts: Facts, node: cst.CSTNode, part: str, root: str) -> str | None:
    """`keras.layers.Dense` for the part "layers.Dense", by the name that the file has for the package at its top; None without one.

    Args:
        node: where it is to stand.
        root: the package: "keras", "tf_keras" or "tensorflow.keras".
    """
    module, _, name = part.rpartition(".")
    if name not in (PUBLIC.get(module, ()) if module else ("Input", "Model", "Sequential")):
        return None
    scopes = facts.names.scopes.module.bindings
    for found in (binding for group in scopes.values() for binding in group if binding.kind == "import"):
        package = found.origin == root or (root == "tensorflow.keras" and found.origin == "tensorflow")
        if package and len(scopes[found.name]) == 1 and facts.names.scope(node).home(found.name) is not None:
            return f"{found.name}{'' if found.origin == root else '.keras'}.{part}"
    return None
