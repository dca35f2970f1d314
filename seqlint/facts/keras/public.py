"""The public names that every line of Keras has, by the module that hands them out."""

from __future__ import annotations

from functools import cache

from seqlint.knowledge.keras_names import KEPT

PUBLIC: dict[str, frozenset[str]] = {module: frozenset(names) for module, names in KEPT.items()}


@cache
def homes(name: str) -> tuple[str, ...]:
    """The public modules that hand out a name, such as ("layers", "models") for "Input"."""
    return tuple(module for module, names in PUBLIC.items() if name in names)
