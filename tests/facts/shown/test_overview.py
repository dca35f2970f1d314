"""What `seqlint facts` knows of a file and of a line."""

from __future__ import annotations

import pytest

from seqlint.facts.shown.line import LineKnown, line_known
from seqlint.facts.shown.overview import FileKnown, overview
from tests.facts.reading import facts_of

PROGRAM = """
import math
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.callbacks import EarlyStopping as Stop

BATCH = 32


class Base(keras.utils.Sequence):
    def _load(self, rows):
        return np.stack([read(row) for row in rows])


class Feed(Mixin, Base):
    def __init__(self, paths, size=BATCH):
        self.paths, self.size = paths, size

    def __len__(self):
        return math.ceil(len(self.paths) / self.size)

    def __getitem__(self, index):
        rows = self.paths[index * self.size : (index + 1) * self.size]
        if not rows:
            return np.zeros((self.size, 28, 28), "float32"), np.zeros(self.size)
        return self._load(rows), np.arange(self.size)

    def on_epoch_end(self):
        np.random.shuffle(self.paths)


class Plain:
    pass


def read(path):
    return np.load(path)


def main(paths, verbose):
    strategy = tf.distribute.MirroredStrategy(["cpu:0", "cpu:1"])
    with strategy.scope():
        model = keras.Sequential([keras.layers.Dense(1)])
    train = Feed(paths)
    calls = [Stop(monitor="val_loss")]
    if verbose:
        calls.append(keras.callbacks.TensorBoard("logs"))
    model.fit(train, validation_data=elsewhere(), epochs=3, callbacks=calls)


main(["a"], VERBOSE)
"""


@pytest.fixture(scope="module")
def known() -> FileKnown:
    return overview(facts_of(PROGRAM))


def at(text: str) -> LineKnown:
    """What is known of the last line that starts like this."""
    facts = facts_of(PROGRAM)
    numbers = [n for n in range(1, len(facts.source.line_starts)) if facts.source.line(n).strip().startswith(text)]
    return line_known(facts, numbers[-1])


def test_classes_are_told_with_the_bases_that_decide(known: FileKnown) -> None:
    base, feed, plain = known.classes
    assert next((each.kind, each.answer, each.through) for each in base.kinds) == (
        "sequence",
        "yes",
        ("keras.utils.Sequence",),
    )
    assert {each.kind: (each.answer, each.through) for each in feed.kinds} == {
        "sequence": ("yes", ("Base", "keras.utils.Sequence")),
        "callback": ("unknown", ("?",)),
        "metric": ("unknown", ("?",)),
        "model": ("unknown", ("?",)),
    }
    assert {each.answer for each in plain.kinds} == {"no"}
    assert [(each.text, each.name) for each in feed.bases] == [
        ("Mixin", "?"),
        ("Base", f"class Base, line {base.line}"),
    ]
    assert [each.text for each in feed.made] == ["Feed(paths)"]


def test_what_runs_on_the_way_to_a_batch_is_told_with_its_path(known: FileKnown) -> None:
    ways = [way.path for way in known.classes[1].ways]
    assert ("__getitem__", "_load", "read") in ways
    assert ("on_epoch_end",) in ways
    assert known.classes[2].ways == ()


def test_batches_are_told_by_their_forms(known: FileKnown) -> None:
    (maker,) = known.makers
    assert maker.name == "Feed.__getitem__"
    assert maker.batches[0].forms == ("tuple(array(32, 28, 28) float32, array(32) float64)",)


def test_a_fit_is_told_with_all_that_reaches_it(known: FileKnown) -> None:
    (fit,) = known.calls
    train, validation = fit.data
    assert (fit.model, fit.strategies) == ("yes", (f"MirroredStrategy, line {known.strategies[0].line}",))
    assert (train.role, train.text, train.kind, train.classes) == ("train", "train", "sequence", ("Feed",))
    assert [value.text for value in train.values] == ["Feed(paths)"]
    assert (validation.role, validation.kind, validation.classes) == ("validation", "unknown", ())
    assert {each.parameter: each.text for each in fit.arguments} == {
        "x": "train", "validation_data": "elsewhere()", "epochs": "3", "callbacks": "calls",
    }  # fmt: skip
    stop, board = fit.callbacks
    assert (stop.name, stop.conditions) == ("keras.callbacks.EarlyStopping", ())
    assert board.name == "keras.callbacks.TensorBoard"
    assert len(board.conditions) == 1
    assert known.strategies[0].devices == 2


def test_a_line_is_told_by_its_names_and_values() -> None:
    line = at("return self._load(rows)")
    assert [each.text for each in line.inside] == ["Feed", "__getitem__"]
    assert [way.path for way in line.reached] == [("Feed.__getitem__",)]
    terms = {term.text: term for term in line.terms}
    assert terms["np.arange(self.size)"].names == "numpy.arange"
    assert [(each.about, each.text) for each in terms["np.arange(self.size)"].more] == [("array", "array(32) int64")]
    assert [(value.text, value.name) for value in terms["self.size"].values] == [("32", "")]
    assert [each.text for each in terms["rows"].bound] == ["assign"]
    assert list(terms) == sorted(terms, key=lambda text: terms[text].column)


def test_a_line_in_a_helper_is_told_with_its_way() -> None:
    assert [way.path for way in at("return np.load").reached] == [("Feed.__getitem__", "_load", "read")]


def test_an_import_is_told_by_both_of_its_names() -> None:
    (term,) = at("from tensorflow.keras.callbacks").terms
    assert term.names == "keras.callbacks.EarlyStopping"
    assert term.origins == ("tensorflow.keras.callbacks.EarlyStopping",)


def test_a_rounding_is_told_with_what_it_is_of() -> None:
    terms = {term.text: term for term in at("return math.ceil").terms}
    more = [(each.about, each.text) for each in terms["math.ceil(len(self.paths) / self.size)"].more]
    assert ("rounding", "ceil of len(self.paths) by self.size") in more


def test_a_line_of_a_fit_is_told_with_the_fit() -> None:
    line = at("model.fit")
    terms = {term.text: [(each.about, each.text) for each in term.more] for term in line.terms}
    assert ("model", "yes") in terms["model"]
    assert ("data", "sequence") in terms["train"]
    assert terms["elsewhere()"] == []
    assert [call.method for call in line.calls] == ["fit"]


@pytest.mark.parametrize(
    ("made", "answer"),
    [("keras.Sequential()", "yes"), ("sklearn.svm.SVC()", "no"), ("elsewhere.build()", "unknown")],
)
def test_why_a_fit_counts_or_not_is_told(made: str, answer: str) -> None:
    facts = facts_of(f"import elsewhere\nimport keras\nimport sklearn.svm\nthing = {made}\nthing.fit(x)\n")
    (call,) = [term for term in line_known(facts, 5).terms if term.text == "thing.fit(x)"]
    assert ("called on a model", answer) in [(each.about, each.text) for each in call.more]


def test_a_line_without_code_is_told_as_that() -> None:
    facts = facts_of("x = 1\n\n# a comment\ny = 2\n")
    assert line_known(facts, 2).terms == line_known(facts, 3).terms == ()


@pytest.mark.parametrize("number", range(1, PROGRAM.count("\n")))
def test_every_line_can_be_asked(number: int) -> None:
    assert line_known(facts_of(PROGRAM), number).line == number


def test_a_function_without_parameters_is_told_of() -> None:
    facts = facts_of("import keras\n\n\ndef build():\n    return keras.Sequential()\n")
    assert [each.text for each in line_known(facts, 4).inside] == ["build"]
