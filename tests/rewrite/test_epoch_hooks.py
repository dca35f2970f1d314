"""What leaves an epoch hook, where it goes, and when it is left where it is."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import callback_fixes, why_not_moved
from tests.facts.reading import facts_of

HEAD = """\
import keras
import numpy as np

count = 0
level = 0
log = []
shared = np.arange(8)


class Feed(keras.utils.PyDataset):
    def __init__(self, x, held=None, every=2):
        super().__init__()
        self.x = x
        self.held = held
        self.every = every
        self.epoch = 0
        self.order = np.arange(8)

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.x[self.order], level

"""
TAIL = """

x = np.ones((8, 1))
model = keras.Sequential([keras.layers.Dense(1)])
feed = Feed(x, held=(x, x))
model.fit(feed, epochs=2)
"""


def moved(hook: str, tail: str = TAIL, head: str = HEAD) -> tuple[str, str] | None:
    """The part of the program from the hook on after the first fix, and the names of what it changes."""
    text = head + indent(dedent(hook).strip("\n"), "    ") + "\n" + tail
    facts = facts_of(text)
    moves = callback_fixes(facts)
    if not moves:
        return None
    fix = moves[0].fixes[0]
    after = apply(facts.source.utf8, fix.edits)
    compile(after, "after.py", "exec")
    assert fix.contract is not None
    return after.partition("level\n")[2], " ".join(sorted(fix.contract.changes))


def why_not(hook: str, tail: str) -> str:
    """Why the first thing that a hook writes or runs stays in it."""
    facts = facts_of(HEAD + indent(hook, "    ") + "\n" + tail)
    return why_not_moved(facts, facts.hooks.writes[0] if facts.hooks.writes else facts.hooks.runs[0])


def test_a_hook_of_which_nothing_is_left_goes_whole_with_its_comments() -> None:
    found = moved(
        '''
        # what is done
        def on_epoch_end(self):  # at the end
            """Count."""

            # one more
            global count
            count += 1  # here
            # that is all
        '''
    )
    assert found is not None
    assert found[0].startswith(
        dedent(
            '''

            class EpochCounter(keras.callbacks.Callback):
                # what is done
                def on_epoch_end(self, epoch, logs=None):  # at the end
                    """Count."""

                    # one more
                    global count
                    count += 1  # here
                    # that is all


            x = np.ones((8, 1))
            '''
        )
    )
    assert found[0].endswith("model.fit(feed, epochs=2, callbacks=[EpochCounter()])\n")
    assert found[1] == "hooks state"


def test_what_is_for_the_data_stays_and_prints_go_with_their_neighbours() -> None:
    found = moved(
        """
        def on_epoch_end(self):
            global count, level
            print("mixing")
            np.random.shuffle(self.order)

            count += 1
            print("epochs:", count)
            print("done")
        """
    )
    assert found is not None
    assert found[0].startswith(
        dedent(
            """
                def on_epoch_end(self):
                    print("mixing")
                    np.random.shuffle(self.order)


            class EpochCounter(keras.callbacks.Callback):
                def on_epoch_end(self, epoch, logs=None):
                    global count, level
                    count += 1
                    print("epochs:", count)
                    print("done")
            """
        )
    )
    assert found[1] == "hooks output state"


def test_the_state_of_the_statements_moves_and_values_are_handed_over() -> None:
    found = moved(
        """
        def on_epoch_end(self):
            self.epoch += 1
            if self.epoch % self.every == 0:
                self._check()
            np.random.shuffle(self.order)

        def _check(self):
            model.evaluate(*self.held, verbose=0)
        """
    )
    assert found is not None
    assert found[0].startswith(
        dedent(
            """
                def on_epoch_end(self):
                    np.random.shuffle(self.order)


            class EvaluationCallback(keras.callbacks.Callback):
                def __init__(self, every, held):
                    super().__init__()
                    self.every = every
                    self.held = held
                    self.epoch = 0

                def on_epoch_end(self, epoch, logs=None):
                    self.epoch += 1
                    if self.epoch % self.every == 0:
                        self._check()

                def _check(self):
                    self.model.evaluate(*self.held, verbose=0)
            """
        )
    )
    assert found[0].endswith("callbacks=[EvaluationCallback(every=feed.every, held=feed.held)])\n")


def test_batches_that_hang_on_a_global_are_declared_to_change() -> None:
    found = moved("def on_epoch_end(self):\n    global level\n    level = level + 1")
    assert found is not None
    assert found[1] == "grouping history hooks order samples state weights"


def test_names_that_the_code_needs_are_not_shadowed_by_parameters() -> None:
    found = moved(
        "def on_epoch_end(this):\n    global epoch, logs\n    epoch, logs = 1, 2",
    )
    assert found is not None
    assert "def on_epoch_end(this, index, metrics=None):" in found[0]


def test_an_inherited_hook_stays_switched_off() -> None:
    head = HEAD + "    def on_epoch_end(self):\n        np.random.shuffle(self.order)\n\n\nclass Still(Feed):\n"
    found = moved("def on_epoch_end(self):\n    log.append(1)", TAIL.replace("Feed(", "Still("), head)
    assert found is not None
    assert "class Still(Feed):\n    def on_epoch_end(self):\n        pass\n" in found[0]
    assert "class StillCallback(keras.callbacks.Callback):" in found[0]


def test_a_callback_for_each_instance_of_a_list() -> None:
    tail = TAIL.replace("feed = ", "one, two = Feed(x), ").replace("fit(feed", "fit([one, two]")
    found = moved("def on_epoch_end(self):\n    print(model.evaluate(self.held, verbose=0))", tail)
    assert found is not None
    assert "callbacks=[EvaluationCallback(one.held), EvaluationCallback(two.held)])" in found[0]


@pytest.mark.parametrize(
    "hook",
    [
        pytest.param("global count\nif not self.every:\n    return\ncount += 1", id="leaves early"),
        pytest.param("picked = np.random.permutation(8)\nself.order = picked\nlog.append(picked[0])", id="draws"),
        pytest.param("log.append(self.order[0])\nnp.random.shuffle(self.order)", id="order of the data"),
        pytest.param("log.append(shared[0])\nnp.random.shuffle(shared)", id="order of an array of the module"),
        pytest.param("self.epoch += 1\nlog.append(self.epoch)\nself.x = self.x + self.epoch", id="state that stays"),
        pytest.param("global level\nlevel += 1\nself.order = np.arange(level)", id="read by what stays"),
        pytest.param("log.append(len(self))", id="the instance as a whole"),
        pytest.param("log.append(self.workers)", id="attribute of Keras"),
        pytest.param("model.fit(self.x, self.x)", id="trains"),
        pytest.param("model.train_on_batch(self.x, self.x)", id="trains on a batch"),
        pytest.param("np.random.seed(1)", id="seed"),
    ],
)
def test_what_can_not_go_stays(hook: str) -> None:
    assert moved("def on_epoch_end(self):\n" + indent(hook, "    ")) is None


@pytest.mark.parametrize("name", ["_model", "validation_data", "on_start"])
def test_what_keras_keeps_on_a_callback_is_not_overwritten(name: str) -> None:
    tail = "\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.fit(Feed(1, other))\n"
    hook = "def on_epoch_end(self):\n    log.append(self.held.evaluate(self.x, self.x))"
    assert moved(hook, tail) is not None
    assert moved(hook.replace("held", name), tail, HEAD.replace("self.held", f"self.{name}")) is None


@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        pytest.param("", "this file has no `fit` on `Feed`", id="trained nowhere"),
        pytest.param("\nmodel.fit(Feed(1), **options)\n", "a `fit` on `Feed` takes its callbacks or arguments from other code", id="arguments out of sight"),
        pytest.param("\nmodel.fit(Feed(1), callbacks=make())\n", "a `fit` on `Feed` takes its callbacks or arguments from other code", id="callbacks out of sight"),
        pytest.param("\nmodel.fit(Feed(1))\ntrain(Feed(2))\n", "not every `fit` on `Feed` is known", id="trained elsewhere too"),
        pytest.param("\nfeed = Feed(1)\nmodel.fit(feed)\nfeed.on_epoch_end()\n", "other code calls `Feed.on_epoch_end` as well", id="called by hand"),
        pytest.param("\nsklearn_like = Pipeline()\nsklearn_like.fit(Feed(1))\n", "a `fit` on `Feed` may not be that of a Keras model", id="no model"),
    ],
)  # fmt: skip
def test_fits_that_can_not_be_edited(tail: str, reason: str) -> None:
    hook = "def on_epoch_end(self):\n    log.append(1)"
    assert moved(hook, tail) is None
    assert why_not(hook, tail) == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("log.append(self.order[0]); np.random.shuffle(self.order)", "without it the rest of the hook would change"),
        ("model.fit(self.x, self.x)", "it would change the training in a Callback too"),
    ],
)
def test_the_reason_why_nothing_moves_is_told(line: str, reason: str) -> None:
    assert why_not(f"def on_epoch_end(self):\n    {line}", TAIL) == reason


def test_an_evaluation_at_the_start_of_an_epoch_is_as_wrong_in_a_callback() -> None:
    assert moved("def on_epoch_begin(self):\n    model.evaluate(self.x, self.x)") is None
    found = moved("def on_epoch_begin(self):\n    log.append(1)")
    assert found is not None
    assert "def on_epoch_begin(self, epoch, logs=None):" in found[0]


def test_an_evaluation_alone_can_be_given_as_validation_data() -> None:
    hook = "    def on_epoch_end(self):\n        loss = model.evaluate(*self.held, verbose=0)\n        print(loss)\n"
    facts = facts_of(HEAD + hook + TAIL)
    (move,) = callback_fixes(facts)
    first, second = move.fixes
    after = apply(facts.source.utf8, second.edits)
    assert "evaluate" not in after
    assert after.endswith("model.fit(feed, epochs=2, validation_data=feed.held)\n")
    assert first.title != second.title
