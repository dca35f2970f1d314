"""Names of libraries as a file spells them."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("import keras", ["keras"]),
        ("import keras.utils as u", ["keras.utils"]),
        ("from tensorflow.keras.utils import Sequence as S, Progbar", ["tensorflow.keras.utils.Sequence", "tensorflow.keras.utils.Progbar"]),
        ("from keras.layers.core import *", ["keras.layers.core"]),
        ("from .keras import layers", []),
        ("def make():\n    from keras import Model", ["keras.Model"]),
    ],
)  # fmt: skip
def test_what_imports_name(program: str, names: list[str]) -> None:
    assert [mention.name for mention in facts_of(program).mentions.imported] == names


def test_what_is_reached_through_a_module_keeps_its_spelling() -> None:
    facts = facts_of(
        "import tensorflow as tf\nimport keras\ntf.keras.utils.Sequence\nkeras.utils.Sequence\nmodel.keras.utils"
    )
    longest = {mention.name for mention in facts.mentions.reached}
    assert {"tensorflow.keras.utils.Sequence", "keras.utils.Sequence"} <= longest
    assert not any(name.startswith("model") for name in longest)


def test_an_unused_import_has_no_uses() -> None:
    facts = facts_of(
        "import keras\nfrom tensorflow.keras import layers\nkeras.Model\ndef f(layers):\n    return layers.x"
    )
    keras, layers = facts.mentions.imported
    assert len(facts.mentions.uses(keras)) == 1
    assert not facts.mentions.uses(layers)


@pytest.mark.parametrize(
    ("program", "optional"),
    [
        ("try:\n    import keras\nexcept ImportError:\n    keras = None", True),
        ("try:\n    import tf_keras\nexcept (OSError, ModuleNotFoundError):\n    import keras", True),
        ("try:\n    import keras\nexcept ValueError:\n    pass", False),
        ("try:\n    def make():\n        import keras\nexcept ImportError:\n    pass", False),
        ("import keras", False),
    ],
)
def test_an_import_that_may_fail(program: str, optional: bool) -> None:
    mentions = facts_of(program).mentions
    assert {mentions.optional(mention.node) for mention in mentions.imported} == {optional}
