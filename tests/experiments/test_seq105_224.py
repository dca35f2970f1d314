"""Attributes that are read before they are set, or never are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.small import compiled, feed

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_hook_in_init_above_what_it_reads(line: Line) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.on_epoch_end()
            self.order = [0, 1]

        def on_epoch_end(self) -> None:
            self.order = self.order[::-1]

    with pytest.raises(AttributeError, match="order"):
        Feed()
    line.says("SEQ105", "AttributeError when the instance is made")


def test_an_attribute_that_nothing_sets(line: Line) -> None:
    def batch(self: Any, index: int) -> Any:
        return self.rows[: self.batchsize]

    steps: list[int] = []
    note = line.keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: steps.append(batch))
    text = "'Feed' object has no attribute 'batchsize'"
    with pytest.raises(AttributeError, match=text):
        compiled(line).fit(feed(line, __getitem__=batch, rows=[]), verbose=0, callbacks=[note])
    assert not steps
    line.says("SEQ224", "the same" if line.is_2 else f'AttributeError "{text}" at the start of `fit`')


@pytest.mark.parametrize("asked", [lambda self: self.on_epoch_end(), lambda self: len(self), lambda self: self[0]])
def test_an_attribute_that_the_constructor_reads_on_its_way(line: Line, asked: Any) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            asked(self)

        def __len__(self) -> int:
            return len(self.rows)

        def __getitem__(self, index: int) -> Any:
            return self.rows[index]

        def on_epoch_end(self) -> None:
            self.rows.sort()

    with pytest.raises(AttributeError, match="rows"):
        Feed()
    line.says("SEQ224", "fails where the object is made")
