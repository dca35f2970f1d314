"""Which of the changed lines ran."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from seqlint.proof.defaults import changed
from seqlint.proof.recorder.marks import Marks

PROGRAM = '''\
"""A docstring."""
from __future__ import annotations
import math


def described(a,
              b=1):
    "A docstring."
    try:
        int("x")
    except ValueError:
        return 3
    else:
        a = 1
    if a:
        b = 2
    elif b:
        b = 3
    return b


class Called(dict):
    "A docstring."
    size: int = 3

    def method(self):
        return self.size


class Never(dict):

    def method(self):
        return 1


described(0)
for number in range(0):
    print(number)
else:
    Called().method()
'''
RAN = {6, 7, 9, 10, 11, 12, 22, 24, 26, 27, 36, 37, 40}
NOT_RUN = {14, 15, 16, 17, 18, 19, 30, 31, 32, 33, 38}


def marks(ranges: list[tuple[int, int]], text: str = PROGRAM) -> Marks:
    made = Marks("program.py", ranges)
    exec(made.compiled(text.encode()), {"__name__": "__main__"})
    return made


def test_each_line_by_itself() -> None:
    numbers = range(1, PROGRAM.count("\n") + 1)
    seen = dict(zip(numbers, marks([(number, number) for number in numbers]).ran, strict=True))
    assert {number for number, ran in seen.items() if ran is True} == RAN
    assert {number for number, ran in seen.items() if ran is False} == NOT_RUN


def test_an_import_of_the_module_tells_nothing_and_one_that_did_not_run_does() -> None:
    text = "import math\nif not math:\n    import os\n\n\ndef f():\n    import sys\n\n\nf()\n"
    assert marks([(number, number) for number in (1, 3, 7)], text).ran == ["imported", False, True]


def test_a_range_ran_where_some_of_its_lines_did() -> None:
    assert marks([(14, 40), (14, 19), (4, 5)]).ran == [True, False, None]


def test_what_is_watched_does_what_it_did() -> None:
    text = "def f():\n    'doc'\n    yield 1\n\n\nassert f.__doc__ == 'doc'\nassert list(f()) == [1]\n"
    made = marks([(1, 9)], text + "assert [n for n in globals() if 'seqlint' in n] == []\n")
    assert made.ran == [True]


def test_a_name_that_is_declared_global_stays_so() -> None:
    text = "count = 0\n\n\ndef add():\n    global count\n    count += 1\n\n\nadd()\nassert count == 1\n"
    assert marks([(number, number) for number in range(1, 11)], text).ran[4:6] == [True, True]


DEFAULTS = '''\
def cut(rows, size=4, *,
        step=1):
    """A docstring."""
    return rows[:size:step]


class Feed:
    def __init__(self, rows, size=[2]): self.size = size


def never(size=9):
    return size


cut([1, 2], 1)
Feed([1])
assert cut.__doc__ == "A docstring."
assert cut.__defaults__ == (4,)
assert cut.__kwdefaults__ == {"step": 1}
'''


def test_the_line_of_a_changed_default_ran_where_a_call_left_the_argument_out() -> None:
    made = Marks(
        "program.py",
        [(line, line) for line in (1, 2, 4, 8, 11)],
        ["cut.size", "cut.step", "Feed.__init__.size", "never.size"],
    )
    exec(made.compiled(DEFAULTS.encode()), {"__name__": "__main__"})
    assert made.ran == [False, True, True, True, False]


def test_other_changes_of_a_definition_ran_with_its_body() -> None:
    made = Marks("program.py", [(line, line) for line in (1, 2)], ["cut.step"])
    exec(made.compiled(DEFAULTS.replace("cut([1, 2], 1)", "cut([1, 2], step=2)").encode()), {"__name__": "__main__"})
    assert made.ran == [True, False]


def test_changed_defaults_are_those_of_functions_that_both_programs_have() -> None:
    after = DEFAULTS.replace("size=4", "size=5").replace("never(size=9)", "seldom(size=8)").replace("[2]", "[2, 3]")
    assert changed(DEFAULTS, after) == ("Feed.__init__.size", "cut.size")
    assert changed(DEFAULTS, DEFAULTS.replace("size=4", "size = 4")) == ()
    assert changed(DEFAULTS, "def cut(:") == ()
