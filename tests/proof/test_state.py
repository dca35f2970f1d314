"""Names that only the changed program has count where the unchanged code can see them; private attributes count where both have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import judge
from seqlint.proof.recorder.names import read_in
from tests.proof.recordings import ran, recording
from tests.proof.test_judge import NOTHING

if TYPE_CHECKING:
    from seqlint.proof import Run
    from seqlint.proof.recorder.recording import Leaf

READER = """
import os

data, options, table, words = load(), Options(), {}, ["x"]


def best():
    steps = 3
    return globals().get("record", max(data) + steps)


if hasattr(options, "fast") or options.slow:
    table["a"] = best()
"""


def run(state: dict[str, Leaf], bound: str = "") -> Run:
    made = recording(state=state)
    made["bound"] = [*["data", "options", "table", "words", "best", "os"], *bound.split()]
    made["reads"] = sorted(read_in(READER))
    return ran(made)


def answer(before: dict[str, Leaf], after: dict[str, Leaf], bound: str = "Options") -> str:
    verdicts = judge(NOTHING, run(before, bound), run(after, bound))
    return {verdict.observable: verdict.outcome for verdict in verdicts}["state"]


@pytest.mark.parametrize(
    "name",
    ["environ[OMP_NUM_THREADS]", "record", "max", "globals", "load", "options.fast", "options.slow", "Options.fast", "table['c']", "len(max)"],
)  # fmt: skip
def test_a_name_that_the_unchanged_code_can_see_counts(name: str) -> None:
    assert answer({"table['a']": 1}, {"table['a']": 1, name: 3}) == "DIFFERENT"


@pytest.mark.parametrize(
    "name",
    ["helper", "steps", "batch", "options.size", "data", "data[0]", "len(words)", "_kept", "helper.fast"],
)  # fmt: skip
def test_a_name_that_it_can_not_see_does_not(name: str) -> None:
    assert answer({"table['a']": 1}, {"table['a']": 1, name: 3}) == "SAME"


def test_words_in_texts_are_names_only_where_code_looks_for_names() -> None:
    assert "mse" not in read_in('model.compile("sgd", loss="mse")')
    assert {"mse", ".mse"} <= read_in('vars().get("mse")')
    assert read_in("%matplotlib inline") == set()


def test_private_attributes_count_where_both_programs_have_them() -> None:
    bound = "options._seen options.seen"
    assert answer({"options._seen": 1}, {"options._seen": 2}, bound) == "DIFFERENT"
    assert answer({"len(options._seen)": 1}, {"len(options._seen)": 2}, bound) == "DIFFERENT"
    assert answer({"the callback Best._score": 1}, {"the callback Best._score": 2}) == "DIFFERENT"
    assert answer({"options._seen": 1}, {}, bound) == "SAME"
    assert answer({"the data Feed.order": 1}, {"the data Feed.order": 2}) == "DIFFERENT"
    assert answer({"the data Feed.order": 1}, {}) == "SAME"
    assert answer({"options._seen[0]": 1, "len(options._seen)": 1}, {"options.seen": 1}, bound) == "SAME"
    assert answer({"options.seen": 1}, {}, bound) == "DIFFERENT"
    assert answer({"Options._made": 1}, {}) == "DIFFERENT"
