"""The names of NumPy, held against the NumPy that is installed."""

from __future__ import annotations

import numpy as np
import pytest
from packaging.version import Version

from seqlint.knowledge.numpy_names import GONE, METHODS, NAMES, nearest
from seqlint.knowledge.numpy_removed import REMOVED
from tests.facts.libraries.numpy_here import has


def test_every_name_of_the_numpy_here_is_known() -> None:
    here = {name for name in dir(np) if not name.startswith("_")}
    assert not here - NAMES - GONE


def test_the_methods_are_those_of_arrays_alone() -> None:
    assert {name for name in METHODS if hasattr(np.ndarray, name)} >= METHODS - {"itemset"}
    assert not METHODS & NAMES
    assert not [name for name in METHODS if hasattr(np, name)]


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
def test_what_was_removed_is_missing_from_the_release_on_that_is_named() -> None:
    here = Version(np.__version__)
    had = {name for name in REMOVED if has(name)}
    assert had == {
        name for name, (gone, back) in REMOVED.items() if here < Version(gone) or (back and Version(back) <= here)
    }


@pytest.mark.parametrize(
    ("name", "gone", "back"),
    [("rank", "1.18", ""), ("asscalar", "1.23", ""), ("int", "1.24", ""), ("Inf", "2.0", ""), ("bool", "1.24", "2.0")],
)
def test_releases_that_are_not_installed_here(name: str, gone: str, back: str) -> None:
    """From the notes of NumPy's releases: a measurement that went wrong shows here."""
    assert REMOVED[name] == (gone, back)


@pytest.mark.parametrize("name", ["trapz", "in1d"])
def test_what_numpy_2_0_deprecated_is_gone_in_2_4(name: str) -> None:
    assert REMOVED[name] == ("2.4", "")


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
