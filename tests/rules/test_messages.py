"""What a message says of when a program fails, where the same slip fails at several times."""

from __future__ import annotations

from textwrap import indent

import pytest

import seqlint

HEAD = "import keras\nimport numpy as np\n\n\n"
FEED = """\
class Feed(keras.utils.PyDataset):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows
{init}

    def __len__(self):
        return {length}

    def __getitem__(self, index):
        return self.rows[index], {item}

    def on_epoch_end(self):
        {hook}


model = keras.Sequential([keras.layers.Dense(1)])
model.fit(Feed(np.ones((8, 3))))
"""


def said(code: str, text: str) -> str:
    """The message of the only finding of a rule, with its note."""
    found = [
        f"{each.message}; {each.note}"
        for each in seqlint.check_source(text, select=[code]).diagnostics
        if each.code == code
    ]
    assert len(found) == 1, found
    return found[0]


def feed(init: str = "pass", length: str = "8", item: str = "1", hook: str = "pass") -> str:
    return HEAD + FEED.format(init=indent(init, " " * 8), length=length, item=item, hook=hook)


@pytest.mark.parametrize(
    "text",
    [
        feed("self.on_epoch_end()", hook="np.random.shuffle(self.order)"),
        feed("self.shape = self[0][0].shape", item="self.label"),
        feed("self.shape = self.__getitem__(0)[0].shape", item="self.label"),
        feed("self.steps = len(self) // 2", length="len(self.row)"),
    ],
    ids=["hook", "item", "method", "length"],
)
def test_what_the_constructor_reads_fails_where_the_object_is_made(text: str) -> None:
    assert "AttributeError where `Feed` is made" in said("SEQ224", text)


def test_what_only_some_constructors_read_fails_later() -> None:
    text = feed("if rows is None:\n    self.on_epoch_end()", hook="np.random.shuffle(self.order)")
    assert "AttributeError when Keras calls the hook" in said("SEQ224", text)


def test_what_keras_asks_for_fails_when_it_asks() -> None:
    assert "before the first batch" in said("SEQ224", feed(length="len(self.row)"))
    assert "at the first batch" in said("SEQ224", feed(item="self.label"))


def test_a_misnamed_hook_that_init_calls_runs_once() -> None:
    text = feed("self.on_epoch_start()").replace("on_epoch_end", "on_epoch_start").replace("        pass\n\n\nmodel", "        self.rows.sort()\n\n\nmodel")  # fmt: skip
    assert "runs only once, in `__init__`" in said("SEQ106", text)
    assert "is never called" in said("SEQ106", text.replace("        self.on_epoch_start()\n", ""))


def test_batches_that_differ_at_once_fail_before_the_first_step() -> None:
    item = "1) if index {} else (self.rows[index]"
    assert "; ValueError before the first step" in said("SEQ211", _pairs(item.format("% 2")))
    assert "; Keras raises InvalidArgumentError" in said("SEQ211", _pairs(item.format("> 2")))


def _pairs(rest: str) -> str:
    return feed().replace("return self.rows[index], 1", f"return (self.rows[index], {rest}, 1, np.ones(4))")
