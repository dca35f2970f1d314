"""Which calls of `compile` can hold when a fit runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.facts import fits
from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import Facts
    from seqlint.model import KerasLine

KERAS3: KerasLine = "3.10+"


def compiled(facts: Facts) -> list[str | None]:
    """The calls of `compile` that can hold at the last fit, by their loss."""
    fit = [call for call in facts.training.calls if call.method == "fit"][-1]
    found = facts.compiles.reaching(fit)
    return [None if one is None else facts.text(one.arguments(KERAS3)["loss"]) for one in found]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("m = one()\nm.compile('sgd', 'a')\nm.fit(x, y)", ["'a'"]),
        ("m = one()\nm.compile('sgd', 'a')\nif flag:\n    m.compile('sgd', 'b')\nm.fit(x, y)", ["'b'", "'a'"]),
        ("m = one()\nif flag:\n    m.compile('sgd', 'a')\nelse:\n    m.compile('sgd', 'b')\nm.fit(x, y)", ["'b'", "'a'", None]),
        ("m = one()\nif flag:\n    m.compile('sgd', 'a')\nm.fit(x, y)", ["'a'", None]),
        ("m = one()\nm.fit(x, y)\nm.compile('sgd', 'a')", [None]),
        ("m = one()\nn = one()\nn.compile('sgd', 'a')\nm.fit(x, y)", [None]),
        ("m = unseen()\nm.compile('sgd', 'a')\nm.fit(x, y)", ["'a'"]),
        ("m = unseen()\nm.fit(x, y)", [None]),
        ("m = keras.models.load_model('m.keras')\nm.fit(x, y)", [None]),
        ("def build(loss):\n    m = one()\n    m.compile('sgd', loss)\n    return m\nn = build('a')\nn.fit(x, y)", ["loss"]),
        ("def go(m):\n    m.compile('sgd', 'a')\ndef train(m):\n    m.fit(x, y)\nn = one()\ngo(n)\ntrain(n)", ["'a'"]),
        (("class T:\n    def make(self):\n        self.m = one()\n        self.m.compile('sgd', 'a')\n"
         "    def run(self):\n        self.m.fit(x, y)"), ["'a'"]),
        ("import re\nm = one()\nre.compile('sgd', 2)\nm.fit(x, y)", [None]),
        ("m = one()\nwhile flag:\n    m.fit(x, y)\n    m.compile('sgd', 'a')", ["'a'", None]),
    ],
)  # fmt: skip
def test_which_compile_holds(program: str, expected: list[str | None]) -> None:
    assert compiled(facts_of(fits.START + program)) == expected
