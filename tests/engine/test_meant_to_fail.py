"""A test that wants an error is not told of it."""

from __future__ import annotations

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import check
from seqlint.sources import Source

HEAD = """\
import keras
import pytest


def test_of_targets(self, pairs):
    model = keras.Sequential([keras.layers.Dense(1)])
"""
FAILS = "    {}:\n        model.fit_generator(pairs)\n"


def codes(text: str) -> list[str]:
    return [found.code for found in check(Source("test_model.py", text), registry.load(), Config.default()).diagnostics]


@pytest.mark.parametrize(
    "block",
    ["with pytest.raises(ValueError)", "with self.assertRaises(ValueError)", "with pytest.raises(ValueError) as error, keras.device('cpu')"],
)  # fmt: skip
def test_what_a_block_expects_is_not_reported(block: str) -> None:
    assert codes(HEAD + FAILS.format(block)) == []


@pytest.mark.parametrize("block", ["with keras.device('cpu')", "if pytest.raises(ValueError)"])
def test_any_other_block_hides_nothing(block: str) -> None:
    assert codes(HEAD + FAILS.format(block)) == ["SEQ702"]


def test_what_stands_beside_the_block_is_reported() -> None:
    text = HEAD + FAILS.format("with pytest.raises(ValueError)") + "    model.fit_generator(pairs)\n"
    assert codes(text) == ["SEQ702"]


def test_a_suppression_in_the_block_is_not_dead() -> None:
    text = HEAD + FAILS.format("with pytest.raises(ValueError)")
    assert codes(text.replace("generator(pairs)", "generator(pairs)  # seqlint: ignore[SEQ702]")) == []
