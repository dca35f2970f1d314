"""Batches of several lengths: which of them Keras lets in. SEQ235 rests on the same figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
FIXED, FREE = (3, 3, 4), (3, 4, 5)


def batch(length: int) -> tuple[np.ndarray, np.ndarray]:
    return np.ones((4, length, 1), "float32"), np.ones((4, 1), "float32")


def ends(
    line: Line, lengths: tuple[int, ...], method: str = "fit", source: str = "sequence", shuffle: bool = False
) -> str:
    """How a call ends: the text of the error, empty for a good end."""

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return len(lengths)

        def __getitem__(self, index: int) -> object:
            return batch(lengths[index])

    def generator() -> Iterator[object]:
        while True:
            yield from map(batch, lengths)

    layers = line.keras.layers
    model = line.keras.Sequential([line.keras.Input((None, 1)), layers.GlobalAveragePooling1D(), layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    settings: dict[str, object] = {"shuffle": shuffle} if method == "fit" else {}
    if source == "generator":
        settings = {"steps_per_epoch": len(lengths)}
    try:
        getattr(model, method)(generator() if source == "generator" else Feed(), verbose=0, **settings)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize(
    ("method", "source", "shuffle"),
    [
        ("fit", "sequence", False),
        ("evaluate", "sequence", False),
        ("fit", "generator", False),
        ("fit", "sequence", True),
    ],
)
def test_a_later_length_is_refused_where_the_first_two_agree(
    line: Line, method: str, source: str, shuffle: bool
) -> None:
    error = ends(line, FIXED, method, source, shuffle)
    if line.is_2:
        assert not error
        line.says("SEQ229", "every length works")
        line.says("SEQ235", "every size works")
        return
    assert "InvalidArgumentError" in error
    assert "element of shape" in error
    line.says("SEQ229", 'with lengths 3, 3, 4 the third batch ends `fit` with InvalidArgumentError "element of shape"')
    line.says("SEQ235", 'sizes 3, 3, 4 end `fit` with InvalidArgumentError "element of shape" at the third batch')


def test_a_later_length_is_let_in_where_the_first_two_differ(line: Line) -> None:
    assert not ends(line, FREE)
    if not line.is_2:
        line.says("SEQ229", "lengths 3, 4, 5 work")
        line.says("SEQ235", "sizes 3, 4, 5 train")


def test_a_size_that_changes_with_the_epoch(line: Line) -> None:
    """The sizes of a whole epoch agree, so the next one is refused."""

    class Feed(line.batches):  # type: ignore[misc, name-defined]
        length, asked = 3, 0

        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> object:
            self.asked += 1
            return batch(self.length)

        def on_epoch_end(self) -> None:
            self.length = 3 if self.asked < 4 else 4

    layers = line.keras.layers
    model = line.keras.Sequential([line.keras.Input((None, 1)), layers.GlobalAveragePooling1D(), layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    if line.is_2:
        model.fit(Feed(), epochs=2, verbose=0)
        return
    with pytest.raises(Exception, match="element of shape"):
        model.fit(Feed(), epochs=2, verbose=0)
    line.says("SEQ235", "The same for a size that is drawn anew in `on_epoch_end`")
