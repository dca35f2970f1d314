"""What NumPy says to floats that are to go into an array of whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def _fit(line: Line, change: Callable[[Any], Any]) -> None:
    class Scans(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            scans = change(np.full((4, 3), 128, dtype="uint8"))
            return scans, np.ones((4, 1))

    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Scans(), verbose=0)


def _divide(scans: Any) -> Any:
    scans /= 255.0
    return scans


def _subtract(scans: Any) -> Any:
    scans -= scans.mean()
    return scans


def _add(scans: Any) -> Any:
    scans += 0.5
    return scans


def _multiply(scans: Any) -> Any:
    scans *= 0.5
    return scans


def test_a_division_in_place_ends_fit(line: Line) -> None:
    with pytest.raises(TypeError, match=r"Cannot cast ufunc '(true_)?divide' output") as raised:
        _fit(line, _divide)
    assert type(raised.value).__name__ in ("UFuncTypeError", "_UFuncOutputCastingError")
    line.says("SEQ233", "`fit` ends with UFuncTypeError at the first batch")


@pytest.mark.parametrize("change", [_subtract, _add, _multiply])
def test_so_do_the_others_with_a_float(line: Line, change: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="Cannot cast ufunc"):
        _fit(line, change)
    line.says("SEQ233", "`-=`, `+=` and `*=` with a float fail in the same way")


def test_a_new_array_works(line: Line) -> None:
    _fit(line, lambda scans: scans / 255.0)


def _flatten(scans: Any) -> Any:
    return np.flatten(scans)  # type: ignore[attr-defined]


def _forgotten(scans: Any) -> Any:
    rows += scans.sum()  # type: ignore[name-defined]  # noqa: F821, F841
    return scans


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (_flatten, AttributeError, "`np.flatten(x)` raises AttributeError"),
        (_forgotten, UnboundLocalError, "without an `x` before it in the method raises UnboundLocalError"),
    ],
)
def test_so_do_names_that_are_not_there(
    line: Line, change: Callable[[Any], Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error):
        _fit(line, change)
    line.says("SEQ233", said)
