"""As what an error of the data leaves `fit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
LATE = 5


class OwnError(Exception):
    """An error that no library knows."""


def batch(index: int, at: int, error: type[Exception]) -> tuple[np.ndarray, np.ndarray]:
    if index == at:
        raise error("lost")
    return np.ones((2, 2)), np.ones((2, 1))


def sequence(line: Line, at: int, error: type[Exception], workers: int = 1) -> tuple[Any, dict[str, int]]:
    class Feed(line.batches):  # type: ignore[name-defined, misc]
        def __len__(self) -> int:
            return 8

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            return batch(index, at, error)

    if line.is_2:
        return Feed(), {"workers": workers}
    return Feed(workers=workers), {}


def generator(at: int, error: type[Exception]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for index in range(8):
        yield batch(index, at, error)


def raised(line: Line, method: str, data: Any, **options: Any) -> type[BaseException]:
    model = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    with pytest.raises(Exception, match="lost") as caught:
        getattr(model, method)(data, verbose=0, **options)
    return caught.type


def errors() -> Any:
    import tensorflow as tf

    return tf.errors


@pytest.mark.parametrize("error", [KeyError, FileNotFoundError, OSError, IndexError, OwnError])
def test_it_arrives_as_an_error_of_tensorflow(line: Line, error: type[Exception]) -> None:
    for method in ("fit", "evaluate", "predict"):
        data, options = sequence(line, LATE, error)
        unshuffled = {"shuffle": False} if method == "fit" else {}
        assert raised(line, method, data, **options, **unshuffled) is errors().UnknownError
    data, options = sequence(line, LATE, error, workers=2)
    assert raised(line, "fit", data, shuffle=False, **options) is errors().UnknownError
    assert raised(line, "fit", generator(LATE, error), steps_per_epoch=8) is errors().UnknownError
    line.says("SEQ615", "`tf.errors.UnknownError`, from a Sequence with one worker or several, and from a generator")


def test_a_value_error_arrives_as_an_invalid_argument(line: Line) -> None:
    data, options = sequence(line, LATE, ValueError)
    assert raised(line, "fit", data, shuffle=False, **options) is errors().InvalidArgumentError
    line.says("SEQ615", "ValueError and what is derived from it arrive as `tf.errors.InvalidArgumentError`")


def test_the_first_batches_raise_as_they_are(line: Line) -> None:
    kept = []
    for at in range(4):
        data, options = sequence(line, at, KeyError)
        of_sequence = raised(line, "fit", data, shuffle=False, **options)
        assert raised(line, "fit", generator(at, KeyError), steps_per_epoch=8) is of_sequence
        kept += [at] if of_sequence is KeyError else []
    assert kept == ([0] if line.is_2 else [0, 1])
    line.says(
        "SEQ615",
        "the errors of batch 0 arrive unchanged"
        if line.is_2
        else "batches 0 and 1 are read before the training starts",
    )
