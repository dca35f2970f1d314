"""Sequences that take their batches from another one, and never call its hook; and those that do, or that share it."""

from __future__ import annotations

import pytest

from seqlint.domains.sequences.wrappers import Wrappers
from tests.run.programs import ran

TAKEN = "def taken(feed, number):\n    return feed.inner.__getitem__(number)\n"
WRAPPER = """
import keras
import numpy as np


class Inner(keras.utils.PyDataset):
    def on_epoch_end(self):
        {hook}


class Outer(keras.utils.PyDataset):
    def __init__(self, inner, other=None):
        super().__init__()
        self.inner, self.other = inner, other

    def __getitem__(self, index):
        {batch}


{made}
"""


@pytest.mark.parametrize(
    ("parts", "attribute"),
    [
        ({}, "inner"),
        ({"made": "inner = Inner(); Outer(inner)"}, "inner"),
        ({"batch": "me = self; source = me.inner; return source[index]"}, "inner"),
        ({"batch": "return taken(self, index)", "made": TAKEN + "Outer(Inner())"}, "inner"),
        ({"made": "for rows in [Inner()]:\n    Outer(inner=rows)"}, "inner"),
        ({"made": "parts = {'inner': Inner()}\nOuter(**parts)"}, "inner"),
        ({"made": "def made():\n    return Inner()\nOuter(made())"}, "inner"),
        ({"hook": "pass"}, None),
        ({"made": "Outer([1])"}, None),
        ({"made": "rows = [np.zeros(2), np.ones(2), np.ones(2), np.zeros(2)]; Outer(rows)"}, None),
        ({"made": "Outer({name: name.upper() for name in open('names')})"}, None),
        ({"made": ""}, None),
        ({"made": "Outer(Inner(), Inner())", "batch": "return self.inner[index], self.other"}, None),
        ({"batch": "return self.inner[index + 1]"}, None),
        ({"batch": "index = 3; return self.inner[index]"}, None),
        ({"made": "inner = Inner(); Outer(inner); Outer(inner)"}, None),
        ({"made": "inner = Inner(); Outer(inner); inner.on_epoch_end()"}, None),
        ({"made": "inner = Inner(); Outer(inner)\nfor each in (inner,):\n    each.on_epoch_end()"}, None),
        (
            {"made": "inner = Inner(); Outer(inner)\nkeras.callbacks.LambdaCallback(on_epoch_end=inner.on_epoch_end)"},
            None,
        ),
        ({"made": "Outer(Inner())\ndef again(feed):\n    feed.on_epoch_end()"}, None),
        ({"made": "Outer(Inner())\nOuter(np.ones((4, 4)))"}, None),
        ({"made": "inner = Inner(); Outer(inner)\nclass Holder:\n    pass\nheld = Holder()\nheld.inner = inner"}, None),
    ],
)
def test_wrappers(parts: dict[str, str], attribute: str | None) -> None:
    whole = {"hook": "self.order.sort()", "batch": "return self.inner[index]", "made": "Outer(Inner())"} | parts
    found = ran(WRAPPER.format(**whole)).domain(Wrappers).all
    assert [each.attribute for each in found] == ([attribute] if attribute else [])
