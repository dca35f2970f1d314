"""A class that is added to a file: where it stands, and the blank lines round it."""

from __future__ import annotations

import libcst as cst
import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import chain_for, insert_definition
from tests.facts.reading import facts_of


def added(text: str, *, below: bool) -> str:
    """The text with a class below its first class, or above its last call."""
    facts = facts_of(text)
    after = facts.tree.all(cst.ClassDef)[0] if below else None
    edit = insert_definition(facts, "class New:\n    pass", after, facts.tree.all(cst.Call)[-1])
    return apply(facts.source.utf8, [edit])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "x = 1\n\n\nclass A:\n    y = 2\n\n\nf()\n",
            "x = 1\n\n\nclass A:\n    y = 2\n\n\nclass New:\n    pass\n\n\nf()\n",
        ),
        ("x = 1\n\nclass A:\n    y = 2\n\nf()\n", "x = 1\n\nclass A:\n    y = 2\n\nclass New:\n    pass\n\nf()\n"),
        (
            "x = 1\n\n\nclass A:\n    y = 2\nf()\n",
            "x = 1\n\n\nclass A:\n    y = 2\n\n\nclass New:\n    pass\n\n\nf()\n",
        ),
        (
            "class A:\n    y = 2\n    # the end of A\n\n\n# run\nf()\n",
            "class A:\n    y = 2\n    # the end of A\n\n\nclass New:\n    pass\n\n\n# run\nf()\n",
        ),
        ("f()\nclass A:\n    y = 2", "f()\nclass A:\n    y = 2\n\n\nclass New:\n    pass"),
    ],
)
def test_a_class_goes_below_another(before: str, after: str) -> None:
    assert added(before, below=True) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\nf()\n", "x = 1\n\n\nclass New:\n    pass\n\n\nf()\n"),
        ("x = 1\n\n# run\nf()\n", "x = 1\n\n\nclass New:\n    pass\n\n\n# run\nf()\n"),
        ("def g():\n    f()\n", "class New:\n    pass\n\n\ndef g():\n    f()\n"),
    ],
)
def test_a_class_goes_above_a_statement(before: str, after: str) -> None:
    assert added(before, below=False) == after


FEED = """
class Feed(keras.utils.Sequence):
    def __len__(self):
        return 1
"""


def chained(text: str) -> str:
    facts = facts_of(text)
    chain = chain_for(facts, facts.sequences, (facts.tree.all(cst.Call)[-1],))
    return f"{chain.name}\n" + apply(facts.source.utf8, chain.edits)


def test_a_chain_is_made_below_the_last_sequence_with_its_base() -> None:
    text = chained(f"from tensorflow import keras\n{FEED}\n\nmodel.fit([Feed(), Feed()])\n")
    assert text.startswith("ChainedSequence\n")
    assert (
        text.index("class Feed") < text.index("class ChainedSequence(keras.utils.Sequence):") < text.index("model.fit")
    )
    assert "on_epoch_begin" not in text


def test_a_chain_forwards_the_hooks_that_its_parts_have() -> None:
    text = chained(
        f"import keras\n{FEED}\n    def on_epoch_begin(self):\n        self.n = 0\n\n\nmodel.fit([Feed()])\n"
    )
    assert "part.on_epoch_begin()" in text
    assert "part.on_epoch_end()" in text


def test_a_chain_without_a_sequence_in_sight_goes_below_the_imports() -> None:
    text = chained("from tensorflow.keras.models import load_model\nmodel = load_model('m')\nmodel.fit(feeds)\n")
    assert text.endswith("part.on_epoch_end()\n\n\nmodel = load_model('m')\nmodel.fit(feeds)\n")
    assert text.startswith(
        "ChainedSequence\nfrom tensorflow.keras.models import load_model\nfrom tensorflow.keras.utils import Sequence\n\n\n"
        "class ChainedSequence(Sequence):\n"
    )
    compile(text, "example.py", "exec")


def test_a_name_that_is_taken_is_not_taken_again() -> None:
    assert chained(f"import keras\nChainedSequence = 3\n{FEED}\nmodel.fit([Feed()])\n").startswith("ChainedSequence2\n")


def test_a_chain_that_is_there_is_used() -> None:
    facts = facts_of(
        "import keras\n"
        "class ChainedSequence(keras.utils.Sequence):\n"
        "    def __init__(self, parts, **kwargs):\n"
        "        self.parts = parts\n"
        "model.fit(feeds)\n"
    )
    chain = chain_for(facts, facts.sequences, (facts.tree.all(cst.Call)[-1],))
    assert (chain.name, chain.edits) == ("ChainedSequence", ())
