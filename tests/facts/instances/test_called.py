"""Whether anything but Keras calls a method."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

FEED = """
import keras
from ours import Mixin


class Feed(keras.utils.PyDataset):
    def __init__(self):
        super().__init__()
        self.start()

    def on_epoch_end(self):
        super().on_epoch_end()
        self._deal()

    def _deal(self):
        self.order = [1]


class Mixed(Feed, Mixin):
    def on_epoch_end(self):
        super().on_epoch_end()


getattr(Feed(), "by_text")()
"""
OTHER = """
class Other(keras.utils.PyDataset):
    def __init__(self):
        self.on_epoch_end()
"""


@pytest.mark.parametrize(("name", "spoken"), [("start", True), ("by_text", True), ("on_epoch", False)])
def test_what_the_file_speaks_of(name: str, spoken: bool) -> None:
    assert facts_of(FEED).called.is_spoken_of(name) is spoken


def test_a_base_that_nobody_knows_may_have_any_method() -> None:
    facts = facts_of(FEED)
    assert [facts.called.may_be_used_by_base(owner, "on_epoch_start") for owner in facts.classes] == [False, True]


@pytest.mark.parametrize(
    ("more", "alone"),
    [
        ("", True),
        ("Feed().on_epoch_end()", False),
        ("Feed()._deal()", False),
        ("f(Feed()._deal)", False),
        (OTHER, True),
    ],
)
def test_a_hook_that_keras_alone_calls(more: str, alone: bool) -> None:
    facts = facts_of(FEED + more)
    reached = facts.classes[0].reachable("on_epoch_end")
    assert facts.called.is_by_keras_alone(facts.classes[0], "on_epoch_end", reached) is alone


MADE = """
import keras


class Feed(keras.utils.PyDataset):
    def __init__(self):
        self.mix()

    def mix(self):
        pass
"""


def test_a_call_in_init_is_one_when_it_is_made() -> None:
    def calls(more: str = "") -> int:
        facts = facts_of(MADE + more)
        return len(facts.called.only_when_made(facts.classes[0], "mix"))

    assert calls() == 1
    assert calls("\n\nFeed().mix()\n") == 0
    assert calls("\n\ngetattr(Feed(), 'mix')()\n") == 0
    assert calls("\n    def on_epoch_end(self):\n        self.mix()\n") == 0
