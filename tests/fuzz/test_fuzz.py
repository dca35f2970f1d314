"""A few hundred mutants hold what `scripts/fuzz` asks of many, and what it asks for is noticed where it fails."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.model import Contract, Edit, Example, Finding, Levels, LoadedRule, Rule
from tests.engine.rules import loaded, replaces
from tests.fuzz import judge
from tests.fuzz.judge import judged
from tests.fuzz.mutants import mutant
from tests.fuzz.run import run
from tests.fuzz.shrink import shrunk
from tests.fuzz.subjects import Subject
from tests.fuzz.trees import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from seqlint.api import Facts

SEED, MUTANTS = 2024, 200
PROGRAM = Subject("main.py", b"import keras\n\n# why\nkeras.utils.set_random_seed(7)\nprint(keras)\n", ">=3.10")


def test_mutants_are_checked_and_fixed_without_a_fault() -> None:
    tally = run(SEED, range(MUTANTS), jobs=1)
    assert not tally.faults, str(tally)
    assert tally.readable > MUTANTS * 0.9
    assert tally.findings > MUTANTS / 2
    assert tally.applied > MUTANTS / 4


def test_a_mutant_is_the_same_each_time_and_another_under_another_seed() -> None:
    assert [mutant(1, number) for number in range(50)] == [mutant(1, number) for number in range(50)]
    assert mutant(1, 7) != mutant(2, 7)


def test_all_kinds_of_files_come() -> None:
    subjects = [mutant(SEED, number) for number in range(300)]
    kinds = Counter(subject.name.rpartition(".")[2] for subject in subjects)
    assert set(kinds) >= {"py", "ipynb", "md", "rst"}
    python = [subject for subject in subjects if subject.name.endswith(".py")]
    assert sum(parsed(subject.text) is not None for subject in python) > len(python) * 0.8


def _crash(facts: Facts) -> Iterator[Finding]:
    raise ZeroDivisionError("in a rule")
    yield  # a rule is a generator


def _loop(facts: Facts) -> Iterator[Finding]:
    while True:
        pass
    yield


FAULTS: dict[str, tuple[Callable[[Facts], Iterator[Finding]], str]] = {
    "crash": (_crash, "SEQ002 the rule TST101"),
    "too long": (_loop, "took more than"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check, kind = FAULTS[name]
    rule = Rule(
        "TST101", "made-up", "0.1.0", Levels.everywhere("error"), contract=Contract(), examples=(Example("x = 1\n"),)
    )
    monkeypatch.setattr(registry, "load", lambda folders=(): (LoadedRule.of(rule, check, "Made up.", tmp_path),))
    monkeypatch.setattr(judge, "LIMIT", 1.0)
    fault = judged(PROGRAM).fault
    assert fault is not None
    assert fault.kind.startswith(kind)


def _waits(facts: Facts) -> Iterator[Finding]:
    """Its fix works once the print has nothing to print, but it is tried before, and what is refused stays refused in a run."""
    text = facts.source.utf8
    at = text.find(b"(7)\nprint")
    if at >= 0:
        yield Finding(at, at + 1, "seven").fixed_by("Write eight", Edit(at, at + len(b"(7)\nprint"), "(8)\nprint"))
    elif b"print(keras)" in text:
        yield Finding(0, 1, "eight")


UNSTEADY: dict[str, tuple[tuple[LoadedRule, ...], str]] = {
    "back and forth": ((replaces("TST101", "(7)", "(8)"), replaces("TST102", "(8)", "(7)")), "SEQ005 "),
    "in a circle": (
        tuple(replaces(f"TST10{n}", f"({n})", f"({(n - 6) % 3 + 7})") for n in (7, 8, 9)),
        "SEQ005 ",
    ),
    "too late": (
        (loaded("TST101", "waits", _waits, Contract()), replaces("TST102", "print(keras)", "print()")),
        "a second round applies TST101 (safe)",
    ),
}


@pytest.mark.parametrize("name", UNSTEADY)
def test_fixes_that_do_not_come_to_an_end_are_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, kind = UNSTEADY[name]
    monkeypatch.setattr(registry, "load", lambda folders=(): rules)
    fault = judged(PROGRAM).fault
    assert fault is not None
    assert fault.kind.startswith(kind)


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (b"import keras\n\nkeras.utils.set_random_seed(7)\nprint(keras)\n", "comments are lost"),
        (b"import keras\n\n# why\nkeras.utils.set_random_seed(7\nprint(keras)\n", "no longer compiles"),
    ],
)
def test_a_bad_text_is_noticed(after: bytes, kind: str) -> None:
    fault = judge.compared(PROGRAM, after)
    assert fault is not None
    assert kind in fault.kind


def test_a_mutant_is_shrunk_to_what_shows_the_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def check(facts: Facts) -> Iterator[Finding]:
        if "seed" in facts.source.text:
            raise ZeroDivisionError
        yield from ()

    rule = Rule("TST101", "made-up", "0.1.0", Levels.everywhere("error"), examples=(Example("x = 1\n"),))
    monkeypatch.setattr(registry, "load", lambda folders=(): (LoadedRule.of(rule, check, "Made up.", tmp_path),))
    fault = judged(PROGRAM).fault
    assert fault is not None
    assert shrunk(PROGRAM, fault.kind).data == b"keras.utils.set_random_seed(7)\n"


CRASHED = {
    "a range of more numbers than `len` can say": "import keras\n\n\nclass Tides(keras.utils.PyDataset):\n"
    "    def __getitem__(self, index):\n        for attempt in range(10000000000000000000000000):\n"
    "            return self.rows[index]\n",
    "a shuffle and a length of what a star spreads": "import keras\nimport numpy as np\n\n\nclass Birds(keras.utils.PyDataset):\n"
    "    def __init__(self, songs):\n        super().__init__()\n        self.songs, self.order = songs, np.arange(len(songs))\n\n"
    "    def on_epoch_end(self):\n        np.random.shuffle(*self.order)\n\n    def __len__(self):\n        return len(*self.songs)\n\n"
    "    def __getitem__(self, index):\n        return self.songs[self.order[index : index + 8]]\n",
    "calls without an argument": "import keras\nimport tensorflow as tf\n\n\nclass Tides(keras.utils.PyDataset):\n"
    "    def __len__(self):\n        return round()\n\n    def __getitem__(self, index):\n        return hasattr(), len()\n\n\n"
    "model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
    "model.fit(tf.random.normal(), tf.reduce_mean())\n",
    "a dataset that is taken out of a list": "import tensorflow as tf\n\nmade = tf.data.Dataset.range(8)\n"
    "both = [made.shuffle(8)][0].batch(2)\nmodel = tf.keras.Sequential()\nmodel.fit(both, batch_size=2)\n",
}


@pytest.mark.parametrize("text", CRASHED.values(), ids=CRASHED)
def test_what_once_crashed_is_checked(text: str) -> None:
    assert judged(Subject("main.py", text.encode(), ">=3.10")).fault is None
