"""Names: every spelling that public code uses leads to one canonical name, and everything unsure leads to none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst
import pytest

from tests.facts.reading import facts_of, last

if TYPE_CHECKING:
    from seqlint.facts import Facts

SEQUENCE = "keras.utils.Sequence"


@pytest.mark.parametrize(
    ("program", "expression"),
    [
        ("import keras\nkeras.utils.Sequence", "keras.utils.Sequence"),
        ("import tensorflow as tf\ntf.keras.utils.Sequence", "tf.keras.utils.Sequence"),
        ("from tensorflow import keras\nkeras.utils.Sequence", "keras.utils.Sequence"),
        ("from tensorflow import keras as k\nk.utils.Sequence", "k.utils.Sequence"),
        ("import tensorflow.keras as K\nK.utils.Sequence", "K.utils.Sequence"),
        ("import tensorflow.keras.utils as u\nu.Sequence", "u.Sequence"),
        ("import tensorflow.keras.utils\ntensorflow.keras.utils.Sequence", "tensorflow.keras.utils.Sequence"),
        ("from tensorflow.keras.utils import Sequence\nSequence", "Sequence"),
        ("from keras.utils import Sequence as Keras_Sequence\nKeras_Sequence", "Keras_Sequence"),
        ("import tf_keras\ntf_keras.utils.Sequence", "tf_keras.utils.Sequence"),
        ("from tensorflow.python.keras.utils.data_utils import Sequence\nSequence", "Sequence"),
        ("from keras.utils.data_utils import Sequence\nSequence", "Sequence"),
        ("from keras.utils import *\nSequence", "Sequence"),
        ("try:\n    from keras.utils import Sequence\nexcept ImportError:\n    from tensorflow.keras.utils import Sequence\nSequence", "Sequence"),
        ("import os\nif os.environ:\n    import keras\nelse:\n    from tensorflow import keras\nkeras.utils.Sequence", "keras.utils.Sequence"),
        ("import tensorflow as tf\nK = tf.keras\nBase = K.utils.Sequence\nBase", "Base"),
        ("import tensorflow as tf\nU, _ = tf.keras.utils, 1\nU.Sequence", "U.Sequence"),
        ("import keras\ndef make():\n    def inner():\n        return keras.utils.Sequence\n    return inner", "keras.utils.Sequence"),
        ("def make():\n    from keras.utils import Sequence\n    return Sequence", "Sequence"),
        ("import keras\ndef make():\n    global Base\n    Base = keras.utils.Sequence\nmake()\nBase", "Base"),
        ("import keras\nBase = list\nBase = keras.utils.Sequence\nBase", "Base"),
    ],
)  # fmt: skip
def test_spellings_of_one_name(program: str, expression: str) -> None:
    facts = facts_of(program)
    assert facts.qualified(last(facts, expression)) == SEQUENCE


@pytest.mark.parametrize(
    ("program", "expression"),
    [
        ("from collections.abc import Sequence\nSequence", "Sequence"),
        ("from typing import Sequence\nSequence", "Sequence"),
        ("class Sequence: ...\nSequence", "Sequence"),
        ("from stellargraph.mapper import Sequence\nSequence", "Sequence"),
        ("import keras\ndef use(keras):\n    return keras.utils.Sequence", "keras.utils.Sequence"),
        (
            "import keras\ndef use(models):\n    return [keras.utils.Sequence for keras in models]",
            "keras.utils.Sequence",
        ),
        ("import keras\nfor keras in ():\n    keras.utils.Sequence", "keras.utils.Sequence"),
        (
            "try:\n    from keras.utils import Sequence\nexcept ImportError:\n    Sequence = object\nSequence",
            "Sequence",
        ),
        ("from mine import *\nSequence", "Sequence"),
        ("from keras.utils import Sequence\ndel Sequence\nSequence", "Sequence"),
        ("def outer():\n    from keras.utils import Sequence\nSequence", "Sequence"),
        (
            "class Holder:\n    from keras.utils import Sequence\n    def use(self):\n        return Sequence",
            "Sequence",
        ),
        ("import keras\nlambda keras: keras.utils.Sequence", "keras.utils.Sequence"),
    ],
)
def test_what_is_not_keras_or_not_sure(program: str, expression: str) -> None:
    facts = facts_of(program)
    assert facts.qualified(last(facts, expression)) != SEQUENCE


def reading(facts: Facts, name: str, statement: str) -> cst.Name:
    """The name where it is read in a statement."""
    found = [node for node in facts.tree.all(cst.Name) if node.value == name]
    return next(node for node in reversed(found) if facts.text(facts.tree.statement(node)) == statement)


def test_both_branches_of_an_if_reach_and_what_they_replace_does_not() -> None:
    facts = facts_of(
        """
        import keras
        Base = object
        if keras.config:
            Base = keras.utils.Sequence
        else:
            Base = keras.utils.PyDataset
        print(Base)
        Base = dict
        """
    )
    assert facts.names.canonicals(reading(facts, "Base", "print(Base)")) == {
        "keras.utils.Sequence",
        "keras.utils.PyDataset",
    }


def test_a_name_bound_later_in_a_loop_reaches_its_next_pass() -> None:
    facts = facts_of(
        """
        import keras
        base = list
        for _ in range(3):
            print(base)
            base = keras.utils.Sequence
        """
    )
    assert facts.names.canonicals(reading(facts, "base", "print(base)")) == {"builtins.list", "keras.utils.Sequence"}


def test_nested_functions_do_not_see_what_they_do_not() -> None:
    facts = facts_of(
        """
        import tensorflow as tf
        ds = tf.data.Dataset.range(3)
        def build(ds):
            return ds.map
        """
    )
    assert facts.values.of(last(facts, "ds")) == (None,)


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("x = a\nx -= mean(x)\n", ["assign"]),
        ("x = a\nfor x in x:\n    pass\n", ["assign"]),
        ("x = a\nx: int = 1 + x\n", ["assign"]),
        ("x = a\nfor _ in rows:\n    x -= mean(x)\n", ["assign", "augment"]),
        ("x = a\nwhile more:\n    for x in x:\n        pass\n", ["assign", "for"]),
    ],
)
def test_what_is_read_for_a_value_is_what_was_there_before(code: str, kinds: list[str]) -> None:
    facts = facts_of(code)
    reads = [n for n in facts.tree.all(cst.Name) if n.value == "x" and facts.names.bindings(n)]
    read = next(n for n in reversed(reads) if n not in {b.node for b in facts.names.bindings(n)})
    assert sorted(binding.kind for binding in facts.names.reaching(read)) == kinds
