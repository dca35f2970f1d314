"""What a rule needs may be there too often, and must never be missed."""

from __future__ import annotations

import pytest

from seqlint.facts.code.words import Words, a_member, any_of, either, importing, matching
from seqlint.registry import load

POSSIBLE = {
    "named": "class Feed(Sequence): ...",
    "by its module": "class Feed(keras.utils.Sequence): ...",
    "of another file": "class Feed(Rows): ...",
    "through a class of the file": "class A(Rows): ...\nclass Model(A): ...",
    "by a name that others have": "class Layer(keras.utils.Sequence): ...\nclass Feed(Layer): ...",
    "called": "class Feed(base_of(kind), Layer): ...",
    "one of several": "class Feed(\n    Layer,  # (first)\n    Sequence,\n): ...",
    "behind a comment with a bracket": "class Feed(  # (Layer)\n    Sequence\n): ...",
    "with a parameter": "class Feed[T](Sequence): ...",
    "of a parameter": "class Feed(Rows[int]): ...",
    "in a list": "class Feed(*bases): ...",
    "by a condition": "class Feed(Sequence if new else object): ...",
    "twice": "class Feed(Layer): ...\nclass Feed(Sequence): ...",
}
IMPOSSIBLE = {
    "no class": "feed = Sequence",
    "no base": "class Feed: ...\nclass Other(): ...",
    "a layer": "class Mine(keras.layers.Layer): ...",
    "made from a layer": "class Mine(Layer): ...\nclass Yours(Mine): ...",
}


@pytest.mark.parametrize("text", POSSIBLE.values(), ids=POSSIBLE)
def test_a_class_that_may_be_a_sequence(text: str) -> None:
    assert Words(text).may_have_sequence


@pytest.mark.parametrize("text", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_no_class_can_be_one(text: str) -> None:
    assert not Words(text).may_have_sequence


def test_names_members_and_imports() -> None:
    words = Words("from keras.utils import (\n    np_utils,\n)\nimport os; from a import core\nx = fit(y . pool_)\n")
    assert words.have(any_of("nothing", "fit"))
    assert not words.have(any_of("fi"))
    assert words.have(a_member("np_utils"))
    assert words.have(a_member("core"))
    assert words.have(a_member(like=r"pool\w*"))
    assert not words.have(a_member("fit"))
    assert words.have(importing(r"^from\s+keras"))
    assert not words.have(importing("fit"))
    assert words.have(either(any_of("nothing"), matching("pool_")))


@pytest.mark.parametrize(
    "text",
    [
        "from keras.utils import \\\n    np_utils\n",
        "if old: from keras.utils import np_utils\n",
        "from keras.utils import (  # (of old)\n    get_file,\n    np_utils,\n)\n",
        "import os; from keras.utils import np_utils\n",
    ],
)
def test_an_import_in_any_layout(text: str) -> None:
    assert Words(text).have(a_member("np_utils"))


def test_a_rule_without_words_for_a_text_is_not_asked() -> None:
    text = Words("import keras\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\n")
    asked = [loaded.rule.code for loaded in load() if all(text.have(need) for need in loaded.rule.needs)]
    assert asked == []
