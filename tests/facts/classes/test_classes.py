"""Classes: what they are, and which code runs on the way to one of their methods."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of


@pytest.mark.parametrize(
    "program",
    [
        "import keras\nclass Feed(keras.utils.Sequence): ...",
        "import keras\nclass Mixin: ...\nclass Feed(Mixin, keras.utils.PyDataset): ...",
        "import keras\nclass Base(keras.utils.Sequence): ...\nclass Feed(Base): ...",
        "import keras\ndef make():\n    class Feed(keras.utils.Sequence): ...\n    return Feed",
        "import keras\nif keras:\n    class Feed(keras.utils.Sequence): ...",
        "import keras\ndef base():\n    return keras.utils.Sequence\nclass Feed(base()): ...",
        "from keras.preprocessing.sequence import TimeseriesGenerator\nclass Feed(TimeseriesGenerator): ...",
        "import keras, other\nclass Feed(other.Thing, keras.utils.Sequence): ...",
    ],
)
def test_a_sequence_is_known_by_its_bases(program: str) -> None:
    feed = next(found for found in facts_of(program).classes if found.name == "Feed")
    assert feed.is_a("sequence") == "yes"
    assert feed.is_a("callback") != "yes"


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("class Feed: ...", "no"),
        ("from collections.abc import Sequence\nclass Feed(Sequence): ...", "no"),
        ("import keras\nclass Feed(keras.callbacks.Callback): ...", "no"),
        ("from bert4keras.snippets import DataGenerator\nclass Feed(DataGenerator): ...", "unknown"),
        ("class Feed(Feed): ...", "no"),
        (
            "try:\n    from keras.utils import Sequence\nexcept ImportError:\n    Sequence = object\nclass Feed(Sequence): ...",
            "unknown",
        ),
    ],
)
def test_what_is_no_sequence_or_not_known_to_be_one(program: str, answer: str) -> None:
    facts = facts_of(program)
    assert facts.classes[-1].is_a("sequence") in (answer, "unknown")
    assert facts.sequences == ()


def test_code_on_the_way_to_a_batch() -> None:
    facts = facts_of(
        """
        import keras

        def read(path):
            return decode(path)

        def decode(path):
            return path

        def unrelated():
            return 0

        class Base(keras.utils.Sequence):
            def finish(self, rows):
                return self.scale * rows

            @property
            def scale(self):
                return 2

        class Feed(Base):
            def __getitem__(self, index):
                rows = list(map(self._load, self.paths))
                return self.__collate(rows)

            def _load(self, path):
                return read(path)

            def __collate(self, rows):
                return super().finish(rows)

            def on_epoch_end(self):
                unrelated()
        """
    )
    feed = facts.classes[-1]
    assert {reached.path for reached in feed.reachable("__getitem__")} == {
        ("__getitem__",),
        ("__getitem__", "_load"),
        ("__getitem__", "_load", "read"),
        ("__getitem__", "_load", "read", "decode"),
        ("__getitem__", "__collate"),
        ("__getitem__", "__collate", "finish"),
        ("__getitem__", "__collate", "finish", "scale"),
    }


def test_an_overridden_helper_is_not_reached_but_its_override_is() -> None:
    facts = facts_of(
        """
        import keras

        class Base(keras.utils.Sequence):
            def __getitem__(self, index):
                return self.load(index)

            def load(self, index):
                return 1

        class Feed(Base):
            def load(self, index):
                return 2
        """
    )
    base, feed = facts.classes
    assert [reached.owner for reached in feed.reachable("__getitem__")] == [base, feed]
