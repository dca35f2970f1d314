"""Which names this NumPy lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from seqlint import registry

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def reported() -> list[str]:
    """All names that the rule knows, but for those that are back."""
    check = next(loaded.check for loaded in registry.load() if loaded.rule.code == "SEQ707")
    known = check.__globals__
    return [*known["_SINCE_1_24"], *known["_SINCE_2_0"]]


def test_what_numpy_removed(line: Line) -> None:
    if line.is_early:
        assert not any(hasattr(np, name) for name in ("int", "float", "object", "bool"))
        assert all(hasattr(np, name) for name in ("Inf", "product", "float_"))
        line.says("SEQ707", "which has no `np.int`, `np.float`, `np.object`, `np.bool`, but still has `np.Inf`")
    elif not line.is_2 and np.__version__ >= "2.4":
        assert not any(hasattr(np, name) for name in reported())
        line.says("SEQ707", "AttributeError for every name that this rule reports")
        assert (np.bool, np.long) == (np.bool_, np.int64)
        line.says("SEQ707", "`np.bool` and `np.long` are back in NumPy 2, as `np.bool_` and `np.int64`")
