"""The names of NumPy, held against the NumPy that is installed."""

from __future__ import annotations

import numpy as np
import pytest

from seqlint.facts.numbers.numpy_names import GONE, METHODS, NAMES, nearest


def test_every_name_of_the_numpy_here_is_known() -> None:
    here = {name for name in dir(np) if not name.startswith("_")}
    assert not here - NAMES - GONE


def test_the_methods_are_those_of_arrays_alone() -> None:
    assert {name for name in METHODS if hasattr(np.ndarray, name)} >= METHODS - {"itemset"}
    assert not METHODS & NAMES
    assert not [name for name in METHODS if hasattr(np, name)]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("zeroes", "zeros"),
        ("arrange", "arange"),
        ("unqiue", "unique"),
        ("concatinate", "concatenate"),
        ("flatten", None),
        ("nonsense", None),
    ],
)
def test_a_slip_of_the_pen_is_near_to_one_name(name: str, meant: str | None) -> None:
    assert nearest(name) == meant
