"""What the epoch hook of a Sequence writes outside its instance, and what only looks like it."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.facts.reading import facts_of

PROGRAM = """
import os
import random

import keras
import numpy as np
import settings
from settings import HISTORY, tools
from settings import *

count = 0
table = {{}}
names = ["a"]


class Tally:
    def __init__(self):
        self.total = 0
        self.seen = []

    def step(self):
        self.total += 1

    def note(self, what):
        self.seen.append(what)

    def show(self):
        return self.total


tally = Tally()
unknown = make()


def bump(where):
    where["n"] = 1


class Feed(keras.utils.PyDataset):
    shared = []
    own = []

    def __init__(self):
        self.own = []
        self.order = np.arange(4)

    def on_epoch_end(self):
{body}

    def _help(self, what):
        what.append(1)
"""


def written(body: str) -> list[tuple[str, str]]:
    facts = facts_of(PROGRAM.format(body=indent(body, " " * 8)))
    (hook,) = facts.hooks.all
    return [(deed.done.kind, deed.done.target) for deed in facts.hooks.written(hook)]


@pytest.mark.parametrize(
    ("body", "kind", "target"),
    [
        ("global count\ncount += 1", "global", "count"),
        ("global count\n_, (count, x) = pairs()", "global", "count"),
        ("global count\nfor count in range(3):\n    pass", "global", "count"),
        ("global count\nif (count := 3):\n    pass", "global", "count"),
        ("globals()['count'] = 3", "global", "count"),
        ("table['a'] = 1", "object", "table"),
        ("table['a']['b'] += 1", "object", "table"),
        ("del table['a']", "object", "table"),
        ("names.append('b')", "object", "names"),
        ("same = names\nsame.append('b')", "object", "names"),
        ("unknown.level = 1", "object", "unknown.level"),
        ("STATE['n'] = 1", "object", "STATE"),
        ("bump(table)", "object", "table"),
        ("self._help(names)", "object", "names"),
        ("tally.step()", "object", "tally"),
        ("tally.note('x')", "object", "tally"),
        ("setattr(tally, 'total', 1)", "object", "tally.total"),
        ("Feed.runs = 1", "class", "Feed.runs"),
        ("type(self).runs += 1", "class", "Feed.runs"),
        ("self.__class__.runs = 1", "class", "Feed.runs"),
        ("self.shared.append(1)", "class", "Feed.shared"),
        ("Feed.shared.append(1)", "class", "Feed.shared"),
        ("settings.epoch = 1", "module", "settings.epoch"),
        ("settings.epochs.append(1)", "module", "settings.epochs"),
        ("HISTORY.update(a=1)", "module", "HISTORY"),
        ("tools.append(1)", "module", "tools"),
        ("os.environ['STEP'] = '1'", "environment", "os.environ['STEP']"),
        ("os.environ.update(STEP='1')", "environment", "os.environ"),
        ("os.putenv('STEP', '1')", "environment", "os.environ"),
        ("np.random.seed(1)", "seed", "np.random.seed"),
        ("random.seed(1)", "seed", "random.seed"),
        ("keras.utils.set_random_seed(1)", "seed", "keras.utils.set_random_seed"),
    ],
)
def test_writes_are_seen(body: str, kind: str, target: str) -> None:
    assert (kind, target) in written(body)


@pytest.mark.parametrize(
    "body",
    [
        "np.random.shuffle(self.order)",
        "random.shuffle(names)",
        "self.count = count\nself.own.append(1)\nself.order[0] = 1",
        "count = 0\ncount += 1",
        "table = {}\ntable['a'] = 1\ntable.update(b=2)",
        "global count\nprint(count)",
        "print(table['a'], names[0])",
        "tally.show()",
        "os.remove('x')\nos.makedirs('y')",
        "tools.update()\nsettings.update()",
        "keras.backend.clear_session()",
        "np.random.default_rng(1).shuffle(self.order)",
        "with open('log', 'a') as log:\n    log.write('x')",
        "def inner():\n    x = 1\n    def deeper():\n        nonlocal x\n        x = 2\n    deeper()\ninner()",
    ],
)
def test_what_stays_inside_is_no_write(body: str) -> None:
    assert written(body) == []


def test_a_variable_of_the_function_around_the_class_is_shared() -> None:
    facts = facts_of(
        """
        import keras

        def build():
            count = 0
            log = []

            class Feed(keras.utils.PyDataset):
                def on_epoch_end(self):
                    nonlocal count
                    count += 1
                    log.append(count)

            return Feed
        """
    )
    assert [(deed.done.kind, deed.done.target) for deed in facts.hooks.writes] == [
        ("enclosing", "count"),
        ("object", "log"),
    ]
