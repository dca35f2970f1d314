"""Where values are made, with the calls on the way, and the branches that constants decide."""

from __future__ import annotations

import libcst as cst
import pytest

from tests.facts.reading import facts_of, last


def origins(program: str, text: str = "x") -> list[str | None]:
    """What makes the last `x` of a program."""
    facts = facts_of(program)
    found = facts.allocation_sites.of(last(facts, text))
    return [None if leaf is None or leaf.node is None else facts.text(leaf.node) for leaf in found]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("x = make()\nuse(x)", ["make()"]),
        ("def f():\n    return make()\nx = f()\nuse(x)", ["make()"]),
        ("def f(a):\n    return a\nx = f(make())\nuse(x)", ["make()"]),
        ("def f(x):\n    use(x)\nf(make())\nf(other())", ["make()", "other()"]),
        ("def f(x):\n    use(x)", [None]),
        ("def f(x=make()):\n    use(x)\nf()", ["make()"]),
        ("class T:\n    def __init__(self):\n        self.x = make()\n    def go(self):\n        use(self.x)", []),
        ("for x in items:\n    use(x)", ["x"]),
        ("x, y = make()\nuse(x)", ["x"]),
        ("x = x\nuse(x)", [None]),
        ("def f(x):\n    return f(x)\nx = f(1)\nuse(x)", ["f(x)"]),
    ],
)
def test_what_makes_a_value(program: str, expected: list[str | None]) -> None:
    text = "self.x" if "self.x" in program else "x"
    assert origins(program, text) == (expected or ["make()"])


def test_an_attribute_of_an_instance() -> None:
    program = "class T:\n    def __init__(self, a):\n        self.x = a\nt = T(make())\nuse(t.x)"
    assert origins(program, "t.x") == ["make()"]


def test_two_calls_of_one_helper_make_two_things() -> None:
    facts = facts_of("def f():\n    return make()\na = f()\nb = f()\nuse(a, b)")
    (one,) = facts.allocation_sites.of(last(facts, "a"))
    (other,) = facts.allocation_sites.of(last(facts, "b"))
    assert one is not None
    assert other is not None
    assert one.node is other.node
    assert one.frame is not other.frame


BRANCHES = """
def f(flag=False, mode=None, size=None):
    x = first()
    if flag:
        x = second()
    elif mode == "test":
        x = third()
    if size is not None:
        x = fourth()
    return x


def early(flag):
    if not flag:
        return first()
    return second()
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f()", ["first()"]),
        ("f(True)", ["second()"]),
        ("f(mode='test')", ["third()"]),
        ("f(mode='train')", ["first()"]),
        ("f(True, size=3)", ["fourth()"]),
        ("f(size=unseen)", ["fourth()", "first()"]),
        ("f(flag=unseen)", ["second()", "first()"]),
        ("f(**options)", ["fourth()", "third()", "second()", "first()"]),
        ("early(True)", ["second()"]),
        ("early(False)", ["first()"]),
        ("early(unseen)", ["first()", "second()"]),
    ],
)
def test_constant_arguments_decide_branches(call: str, expected: list[str]) -> None:
    assert set(origins(f"{BRANCHES}\nx = {call}\nuse(x)")) == set(expected)


def test_a_loop_leaves_a_branch_open() -> None:
    program = "def f(flag):\n    x = first()\n    for i in range(3):\n        if flag:\n            x = second()\n    return x\nx = f(True)\nuse(x)"
    assert set(origins(program)) == {"first()", "second()"}


def test_a_branch_that_is_decided_in_a_loop_is_left_out() -> None:
    program = "def f(flag):\n    x = first()\n    for i in range(3):\n        if flag:\n            x = second()\n    return x\nx = f(False)\nuse(x)"
    assert origins(program) == ["first()"]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("x = one()\ndef f():\n    use(x)\nx = two()\nf()", ["two()"]),
        ("x = one()\ndef f():\n    use(x)\nf()\nx = two()", ["one()"]),
        ("x = one()\ndef f():\n    use(x)\nf()\nx = two()\nf()", ["one()", "two()"]),
        (
            "x = one()\ndef g():\n    f()\ndef f():\n    use(x)\nx = two()\nif __name__ == '__main__':\n    g()",
            ["two()"],
        ),
        ("x = one()\ndef f():\n    use(x)\nx = two()", ["one()", "two()"]),
        ("x = one()\nx = two()\ndef f():\n    use(x)\nhand(f)", ["one()", "two()"]),
    ],
)
def test_a_function_reads_what_the_module_holds_when_it_runs(program: str, expected: list[str]) -> None:
    facts = facts_of(program)
    used = next(call for call in facts.tree.all(cst.Call) if facts.text(call) == "use(x)").args[0].value
    found = [leaf.node for leaf in facts.allocation_sites.of(used) if leaf is not None and leaf.node is not None]
    assert sorted(facts.text(node) for node in found) == sorted(expected)
