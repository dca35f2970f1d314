"""What arrives in the generator of `Dataset.from_generator(..., args=...)`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_text_arrives_as_bytes(line: Line) -> None:
    assert _arrived("train") == b"train"
    line.says("SEQ428", '`args=("train",)` arrives as `b"train"`')
    assert _arrived(["a", "b"]).dtype == object
    assert list(_arrived(["a", "b"])) == [b"a", b"b"]
    line.says("SEQ428", "a list of texts arrives as an array of bytes")


def test_numbers_arrive_as_those_of_numpy(line: Line) -> None:
    assert isinstance(_arrived(3), np.int32)
    assert isinstance(_arrived(0.5), np.float32)
    line.says("SEQ428", "numbers arrive as `np.int32` and `np.float32`")


def test_what_is_refused_at_once(line: Line) -> None:
    for value in (None, {"a": 1}, Path("rows")):
        with pytest.raises(ValueError, match="unsupported type"):
            _given(value)
    line.says("SEQ428", "None, a dict and a `Path` raise ValueError at once")


def test_a_text_without_a_tuple(line: Line) -> None:
    import tensorflow as tf

    def count(*letters: bytes) -> Iterator[int]:
        yield len(letters)

    made = tf.data.Dataset.from_generator(count, args="train", output_signature=tf.TensorSpec((), tf.int32))
    assert [int(number) for number in made] == [5]
    line.says("SEQ428", '`args="train"` gives 5 arguments of a letter each')


def test_what_goes_wrong_without_an_error(line: Line) -> None:
    uses: tuple[tuple[str, Callable[[Any], Any], Any], ...] = (
        ("==", lambda text: text == "train", False),
        ("in", lambda text: text in ("train", "test"), False),
        ("get", lambda text: {"train": 1}.get(text), None),
        ("f", lambda text: f"{text}.csv", "b'train'.csv"),
    )
    for _, use, wrong in uses:
        assert use(_arrived("train")) == wrong
    line.says("SEQ428", "`==` and `in` are False, an f-string holds \"b'train'\"")


def test_what_raises(line: Line) -> None:
    uses: tuple[tuple[type[Exception], Callable[[Any], Any]], ...] = (
        (KeyError, lambda text: {"train": 1}[text]),
        (TypeError, lambda text: os.path.join("rows", text)),
        (TypeError, Path),
        (TypeError, lambda text: text + ".csv"),
        (TypeError, lambda text: text.split(",")),
        (TypeError, lambda text: text.startswith("t")),
    )
    for error, use in uses:
        with pytest.raises(error):
            use(_arrived("train"))
    line.says("SEQ428", "a dict key, `os.path.join`, `Path`, `+` and `.split` raise KeyError or TypeError")


def test_what_works_with_bytes(line: Line, tmp_path: Path) -> None:
    place = tmp_path / "rows.npy"
    np.save(place, np.ones(2))
    arrived = _arrived(str(place))
    assert np.load(arrived).shape == (2,)
    assert Path(arrived.decode()) == place
    with open(arrived, "rb") as file:
        assert file.read(1)
    line.says("SEQ428", "`open` and `np.load` take bytes, and `.decode()` makes a text of them")


def _given(value: Any) -> list[Any]:
    """What the generator is called with."""
    import tensorflow as tf

    seen: list[Any] = []

    def keep(given: Any) -> Iterator[int]:
        seen.append(given)
        yield 1

    list(tf.data.Dataset.from_generator(keep, args=(value,), output_signature=tf.TensorSpec((), tf.int32)))
    return seen


def _arrived(value: Any) -> Any:
    return _given(value)[0]
