"""How a Sequence cuts a batch out of its samples, and whether the last one may be short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import Facts

HEAD = """
import keras
import numpy as np

class Feed(keras.utils.Sequence):
    def __init__(self, rows, size=4, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows
        self.size = size
        self.order = np.arange(len(rows))
"""


def seen(body: str, more: str = "") -> tuple[Facts, list[tuple[str, str, bool]]]:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    facts = facts_of(f"{HEAD}{more}    def __getitem__(self, index):\n{lines}")
    windows = facts.windows.of(facts.batches.makers[0])
    return facts, [
        (facts.text(one.node), facts.text(one.size.node), one.ends_early) for one in windows if one.size.node
    ]


@pytest.mark.parametrize(
    "body",
    [
        "return self.rows[index * self.size : (index + 1) * self.size]",
        "return self.rows[self.size * index : index * self.size + self.size]",
        "low = index * self.size\nreturn self.rows[low : low + self.size]",
        "size = self.size\nlow = int(index * size)\nhigh = min(len(self.rows), low + size)\nreturn self.rows[low:high]",
        "part = slice(index * self.size, (1 + index) * self.size)\nreturn self.rows[part]",
    ],
)
def test_a_slice_from_index_times_size_is_a_window(body: str) -> None:
    assert [(size.rpartition(".")[2], early) for _, size, early in seen(body)[1]] == [("size", True)]


def test_numbers_of_a_range_end_early_only_where_the_end_is_held_back() -> None:
    body = "return [self.rows[k] for k in range(index * 4, {end})]"
    assert [early for *_, early in seen(body.format(end="index * 4 + 4"))[1]] == [False]
    assert [early for *_, early in seen(body.format(end="min(index * 4 + 4, len(self.rows))"))[1]] == [True]


@pytest.mark.parametrize(
    "body",
    [
        "return self.rows[index : index + self.size]",
        "return self.rows[index * self.size : (index + 1) * 8]",
        "return self.rows[index * self.size % len(self.rows) :][: self.size]",
        "low = min(index * self.size, len(self.rows) - self.size)\nreturn self.rows[low : low + self.size]",
        "return self.rows[np.random.choice(len(self.rows), self.size)]",
    ],
)
def test_other_slices_are_none(body: str) -> None:
    assert seen(body)[1] == []


@pytest.mark.parametrize(
    ("body", "more", "short"),
    [
        ("return {cut}", "", True),
        ("return np.stack([row for row in {cut}])", "", True),
        ("x = np.empty((self.size, 3))\nx[:] = {cut}\nreturn x", "", False),
        ("return {cut}.reshape(self.size, 3)", "", False),
        ("return {cut}, self.blank.copy()", "        self.blank = np.zeros((size, 3))\n", False),
    ],
)
def test_a_batch_may_be_short_where_nothing_else_asks_for_the_size(body: str, more: str, short: bool) -> None:
    cut = "self.rows[index * self.size : (index + 1) * self.size]"
    facts, _ = seen(body.format(cut=cut), more)
    assert facts.windows.may_be_short(facts.batches.makers[0]) is short


LENGTH = """
    def __getitem__(self, index):
        rows = self.order[index * self.size : (index + 1) * self.size]
        return self.rows[rows]

    def __len__(self):
        return {value}
"""


@pytest.mark.parametrize(
    ("value", "by_size", "samples"),
    [
        ("len(self.rows) // self.size", True, False),
        ("len(self.rows) // 4", False, False),
        ("len(self.rows)", False, True),
        ("len(self.order)", False, True),
        ("self.rows.shape[0]", False, True),
        ("len(self.labels)", False, False),
    ],
)
def test_what_a_length_counts(value: str, by_size: bool, samples: bool) -> None:
    facts = facts_of(HEAD + LENGTH.format(value=value))
    (length,) = facts.batch_counts.all
    assert facts.batch_counts.by_size(length) is by_size
    assert (facts.batch_counts.counts_samples(length) is not None) is samples


@pytest.mark.parametrize(
    ("hook", "always"),
    [
        ("np.random.shuffle(self.order)", True),
        ("self.order = np.random.permutation(self.order)", True),
        ("if self.mixed:\n            np.random.shuffle(self.order)", False),
        ("pass", False),
    ],
)
def test_an_order_is_new_with_every_epoch_where_no_condition_asks(hook: str, always: bool) -> None:
    program = (
        HEAD + LENGTH.format(value="len(self.rows) // self.size") + f"\n    def on_epoch_end(self):\n        {hook}\n"
    )
    facts = facts_of(program)
    assert facts.batch_counts.reshuffled(facts.batch_counts.all[0]) is always
