"""What becomes of a sample that is left out behind a broad `except`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def fitted(line: Line, images: int) -> float:
    """The loss of batches with fewer images than the 16 labels."""

    def batch(self: Any, index: int) -> Any:
        return np.ones((images, 1), "float32"), np.arange(16, dtype="float32").reshape(16, 1)

    history = compiled(line).fit(feed(line, __getitem__=batch), epochs=1, verbose=0)
    return float(history.history["loss"][0])


def test_a_sample_without_its_label(line: Line) -> None:
    # Which of the two comes first, and whether the 1 of each row is shown, hangs on the loss.
    with pytest.raises(Exception, match=r"Incompatible shapes: \[1[56](,1)?\] vs. \[1[56](,1)?\]") as failure:
        fitted(line, 15)
    assert ".npy" not in str(failure.value)
    line.says("SEQ201", '"Incompatible shapes: [15] vs. [16]", which names no file')


def test_one_image_is_compared_with_all_labels(line: Line) -> None:
    assert np.isfinite(fitted(line, 1))
    line.says("SEQ201", "A single sample that is left is compared with all labels, without a message")


def test_none_among_samples_is_refused(line: Line) -> None:
    def batch(self: Any, index: int) -> Any:
        return np.array([[1.0], None], dtype=object), np.ones((2, 1))

    with pytest.raises((TypeError, ValueError)) as failure:
        compiled(line).fit(feed(line, __getitem__=batch), verbose=0)
    assert ".npy" not in str(failure.value)
    line.says("SEQ201", "which Keras refuses without the name of the file")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_that_is_raised_ends_fit(line: Line, workers: int) -> None:
    def batch(self: Any, index: int) -> Any:
        raise RuntimeError("could not load plate-7")

    options = {"workers": workers} if line.is_2 else {}
    given = feed(line, __getitem__=batch)
    if not line.is_2:
        given.workers = workers
    with pytest.raises(Exception, match="could not load plate-7"):
        compiled(line).fit(given, verbose=0, **options)
    line.says("SEQ201", "an error that is raised ends `fit` with its text, also from workers")


def test_none_for_a_batch_is_skipped_before_keras_3_10(line: Line) -> None:
    def batch(self: Any, index: int) -> Any:
        return None if index == 3 else (np.ones((2, 1)), np.ones((2, 1)))

    options = {"workers": 2} if line.is_2 else {}
    given = feed(line, __getitem__=batch)
    if not line.is_2:
        given.workers = 2
    if line.is_2 or line.is_early:
        compiled(line).fit(given, shuffle=False, verbose=0, **options)
        line.says("SEQ201", "several workers leave it out without a message")
