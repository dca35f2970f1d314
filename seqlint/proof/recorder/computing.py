"""Reads how a model was compiled: by its outputs where it has several, whether it was asked by their names or in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator


def by_output(model: Any, value: Any) -> Any:
    """What is asked of the outputs of a model in their order, by their names; anything else as it is."""
    names = getattr(model, "output_names", None)
    if isinstance(value, (list, tuple)) and names and len(names) == len(value) > 1:
        return dict(zip(names, value, strict=True))
    return value


def asked(model: Any, class_weight: Any) -> Iterator[tuple[str, Any]]:
    """How a fit computes its losses and its steps.

    Args:
        class_weight: of the fit; the weight of a class that no batch of a smoke run holds is seen here alone.
    """
    config = getattr(getattr(model, "_compile_config", None), "config", None) or {}
    yield "run_eagerly", bool(model.run_eagerly)
    yield "jit_compile", _jit(config.get("jit_compile"))
    yield "steps_per_execution", int(config.get("steps_per_execution") or 1)
    weights = by_output(model, config.get("loss_weights"))
    for name, weight in weights.items() if isinstance(weights, dict) else [("", weights)]:
        yield (
            f"weight of the loss{' ' if name else ''}{name}",
            1.0 if weight is None else np.asarray(weight, "float64").tolist(),
        )
    for label, weight in sorted(class_weight.items()) if isinstance(class_weight, dict) else ():
        yield f"weight of class {label}", float(weight)


def _jit(value: Any) -> str:
    """Whether XLA compiles a step; Keras decides where nobody says."""
    return "as Keras decides" if value in (None, "auto") else str(bool(value))
