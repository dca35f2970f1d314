"""A name of one Keras package written as the same name of another."""

from __future__ import annotations

import pytest

from seqlint.rewrite.packages import reached_in
from tests.facts.reading import facts_of, last


@pytest.mark.parametrize(
    ("imports", "part", "root", "written"),
    [
        ("import keras", "layers.Dense", "keras", "keras.layers.Dense"),
        ("import keras as k", "Model", "keras", "k.Model"),
        ("import tensorflow as tf", "layers.Dense", "tensorflow.keras", "tf.keras.layers.Dense"),
        ("import keras", "layers.Nonsense", "keras", None),
        ("import keras", "layers.Dense", "tf_keras", None),
        ("import keras\nimport keras", "layers.Dense", "keras", None),
    ],
)
def test_by_the_name_that_the_file_has_for_the_package(imports: str, part: str, root: str, written: str | None) -> None:
    facts = facts_of(f"{imports}\nprint(here)\n")
    assert reached_in(facts, last(facts, "here"), part, root) == written
