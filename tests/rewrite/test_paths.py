"""Names with another suffix."""

from __future__ import annotations

import pytest

from seqlint.rewrite.paths import renamed


@pytest.mark.parametrize(
    ("name", "suffix", "after"),
    [
        ("best.h5", ".weights.h5", "best.weights.h5"),
        ("fold_weights.h5", ".weights.h5", "fold.weights.h5"),
        ("weights.h5", ".weights.h5", "weights.weights.h5"),
        (".h5", ".weights.h5", ".weights.h5"),
        ("cp-{epoch:04d}.ckpt", ".keras", "cp-{epoch:04d}.keras"),
        ("wine-v1.2", ".keras", "wine-v1.2.keras"),
        ("model", ".keras", "model.keras"),
        ("best.weights.hdf5", ".weights.h5", "best.weights.h5"),
        ("best_weights.hdf5", ".keras", "best_weights.keras"),
    ],
)
def test_a_name_with_another_suffix(name: str, suffix: str, after: str) -> None:
    assert renamed(name, suffix) == after
