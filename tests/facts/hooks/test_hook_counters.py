"""Numbers that hooks step, who reads them, and what that does to the length."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.facts.reading import facts_of

START = """
import keras
import numpy as np


class Feed(keras.utils.PyDataset):
    count = 0

    def __len__(self):
        return len(self.rows) // self.size

    def __getitem__(self, index):
        {}

    def on_epoch_end(self):
{}
"""


def facts(body: str, batch: str = "return index"):  # type: ignore[no-untyped-def]
    found = facts_of(START.format(batch, indent(body, " " * 8)))
    return found, found.hooks.all[0]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("self.count += 1", ["count"]),
        ("self.count += self.by", ["count"]),
        ("self.other += self.by", []),
        ("self.other *= 0.5", ["other"]),
        ("self.other = 2 * self.other", ["other"]),
        ("self.count = max(0.1, self.count * self.fade)", ["count"]),
        ("self.other = max(0.1, self.other * self.fade)", []),
        ("self.other = np.clip(self.other - 0.1, 0, 1)", ["other"]),
        ("self.other = self.other[::2] + 1", []),
        ("self.other = [1] + self.other", []),
        ("self.rows += [1]", []),
        ("self.count = (self.count + 1) % 3", []),
        ("self.count += 1\nself.count %= 3", []),
        ("self.count += 1\nif self.count > 3:\n    self.count = 0", []),
        ("if self.count:\n    self.count -= 1", ["count"]),
    ],
)
def test_steps(body: str, names: list[str]) -> None:
    found, hook = facts(body)
    assert [step.name for step in found.hook_counters.of(hook)] == names


@pytest.mark.parametrize(
    ("batch", "matters"),
    [
        ("return self.rows[self.count]", True),
        ("return self.rows if self.count > 1 else index", True),
        ("return np.random.normal(0, self.count)", True),
        ("return self.draw(np.random.default_rng(self.count))", False),
        ("return np.random.RandomState(self.base + self.count)", False),
        ("rng_seed = self.count * 2; return self.draw(rng_seed)", False),
        ("return keras.random.normal((3,), seed=self.count)", False),
        ("print(self.count, f'{self.count}'); return index", False),
        ("level = self.count; return self.rows[level]", True),
        ("level = self.count; return index", False),
        ("self.seen = self.count; return index", False),
    ],
)
def test_what_hangs_on_a_step(batch: str, matters: bool) -> None:
    found, hook = facts("self.count += 1", batch)
    step = found.hook_counters.of(hook)[0]
    assert (found.hook_counters.use(step) is not None) is matters


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("self.size *= 2", ["size"]),
        ("self.rows.append(1)", ["rows"]),
        ("self.rows.pop()", ["rows"]),
        ("del self.rows[0]", ["rows"]),
        ("self.rows += [1]", ["rows"]),
        ("self.rows = self.rows[1:]", ["rows"]),
        ("self.rows = self.rows[::-1]", []),
        ("self.rows = [row for row in self.rows if row]", ["rows"]),
        ("self.rows = [row for row in self.rows]", []),
        ("self.count += 1\nself.rows = self.all[: self.count]", ["rows"]),
        ("self.rows = self.all[: self.count]", []),
        ("self.rows.append(self.rows.pop())", []),
        ("self.rows.clear()\nself.rows.append(1)", []),
        ("self.rows = []\nself.rows.append(1)", []),
        ("np.random.shuffle(self.rows)", []),
        ("self.rows[0] = 1", []),
        ("self.other.append(1)", []),
    ],
)
def test_changes_of_the_length(body: str, names: list[str]) -> None:
    found, hook = facts(body)
    assert [change.name for change in found.length_changes.changed(hook)] == names
