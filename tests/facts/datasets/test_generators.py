"""Generators: whether they end, what they yield, which of them reach a model."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from tests.facts.reading import facts_of, last

if TYPE_CHECKING:
    from seqlint.facts import Facts

START = "import itertools\nimport numpy as np\nimport keras\nmodel = keras.Sequential([])\n"


def read(body: str, more: str = "", head: str = "def rows(paths):") -> Facts:
    return facts_of(f"{START}{head}\n{indent(body, '    ')}\n{more}")


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n    yield 1",
        "while 1:\n    for p in paths:\n        if p:\n            break\n        yield p",
        "for p in paths:\n    print(p)\nwhile True:\n    yield 1",
        "for p in itertools.cycle([1, 2]):\n    yield p",
        "for n in itertools.count():\n    yield n",
        "for a, b in zip(itertools.cycle([1]), itertools.count()):\n    yield a",
        "yield from forever()",
        "with open('f') as f:\n    while True:\n        yield f.read()",
        "try:\n    while True:\n        yield 1\nfinally:\n    print('closed')",
        "if paths:\n    while True:\n        yield 1\nelse:\n    while True:\n        yield 2",
        "while True:\n    if paths is None:\n        raise ValueError('no paths')\n    yield 1",
        "while True:\n    np.random.shuffle(paths)\n    for p in paths:\n        yield p",
    ],
)
def test_endless(body: str) -> None:
    facts = read(body, "def forever():\n    while True:\n        yield 1")
    assert facts.generators.functions[0].endless == "yes"


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(3):\n    yield i",
        "yield 1\nyield 2",
        "for p in sorted(paths):\n    yield p",
        "i = 0\nwhile i < 9:\n    yield i\n    i += 1",
        "for a, b in zip(itertools.cycle([1]), [1, 2]):\n    yield a",
        "for n in itertools.islice(itertools.count(), 3):\n    yield n",
        "for n in (x for x in [1, 2]):\n    yield n",
        "yield from [1, 2]",
    ],
)
def test_one_pass(body: str) -> None:
    assert read(body).generators.functions[0].endless == "no"


@pytest.mark.parametrize(
    "body",
    [
        "for p in paths:\n    yield p",
        "while True:\n    try:\n        yield next(paths)\n    except StopIteration:\n        return",
        "while True:\n    if paths:\n        break\n    yield 1",
        "while paths.more():\n    yield 1",
        "if paths:\n    while True:\n        yield 1",
        "if not paths:\n    return\nwhile True:\n    yield 1",
        "i = 0\nwhile i < 9:\n    if i == 8:\n        i = 0\n    yield i",
        "try:\n    while True:\n        yield 1\nexcept OSError:\n    pass",
        "while True:\n    if paths:\n        raise StopIteration\n    yield 1",
        "for batch in load(paths):\n    yield batch",
    ],
)
def test_it_can_not_be_told(body: str) -> None:
    assert read(body).generators.functions[0].endless == "unknown"


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("x, y", ["x", "y"]),
        ("(x, y, w)", ["x", "y", "w"]),
        ("{'a': x}, y", ["{'a': x}", "y"]),
        ("pair", ["x", "y"]),
        ("[x, y]", None),
        ("x", None),
        ("(x, *rest)", None),
        ("load(x)", None),
    ],
)
def test_what_is_yielded(value: str, parts: list[str] | None) -> None:
    facts = read(f"pair = (x, y)\nyield {value}")
    (found,) = facts.generators.functions[0].yields
    assert (None if found.parts is None else [facts.text(part) for part in found.parts]) == parts


def test_what_another_generator_yields_counts() -> None:
    facts = facts_of(
        "class G:\n    def all(self):\n        yield from self._one()\n    def _one(self):\n        yield x, y"
    )
    first = facts.generators.functions[0]
    assert [[facts.text(part) for part in found.parts or ()] for found in first.yields] == [["x", "y"]]


def test_inner_functions_yield_for_themselves() -> None:
    facts = read("def inner():\n    while True:\n        yield 1\nreturn inner()", "rows(1)")
    assert [g.function.name.value for g in facts.generators.functions if g.function] == ["inner"]


@pytest.mark.parametrize(
    ("program", "fed"),
    [
        ("model.fit(rows(1))", [("train", "yes", False)]),
        ("gen = rows(1)\nmodel.fit(gen, validation_data=rows(2))", [("train", "yes", False), ("validation", "yes", False)]),
        ("model.fit_generator(generator=rows(1), steps_per_epoch=3)", [("train", "yes", False)]),
        ("model.predict(x for x in [1])", [("predict", "no", False)]),
        ("model.fit(itertools.cycle([1]))", [("train", "yes", False)]),
        ("model.fit(iter([1]))", [("train", "no", False)]),
        ("model.fit(rows(1) if flag else data)", [("train", "yes", True)]),
        ("def train(gen):\n    model.fit(gen)\ntrain(rows(1))", [("train", "yes", False)]),
        ("class D:\n    def batches(self):\n        for i in range(3):\n            yield i\nmodel.fit(D().batches())",
         [("train", "no", False)]),
        ("model.fit(rows)", []),
        ("model.fit(list(rows(1)))", []),
        ("model.fit(data)", []),
    ],
)  # fmt: skip
def test_which_generators_reach_a_model(program: str, fed: list[tuple[str, str, bool]]) -> None:
    facts = read("while True:\n    yield 1", program)
    assert [(one.role, one.generator.endless, one.several) for one in facts.generators.fed] == fed


def test_a_decorated_generator_may_be_something_else() -> None:
    assert read("yield 1", "model.fit(rows(1))", "@threadsafe\ndef rows(paths):").generators.fed == ()


def test_a_generator_function_that_is_not_called() -> None:
    facts = read("while True:\n    yield 1", "model.fit(rows)\nother = 3\nuse(other)")
    named = facts.generators.named(last(facts, "rows"))
    assert named is not None
    assert named.endless == "yes"
    assert facts.generators.named(last(facts, "other")) is None


def test_generators_that_call_each_other_are_survived() -> None:
    facts = read("yield from other(paths)", "def other(paths):\n    yield from rows(paths)")
    assert [found.endless for found in facts.generators.functions] == ["unknown", "unknown"]
