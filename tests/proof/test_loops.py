"""Long programs are cut, whatever makes their steps, and what is cut is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing
from seqlint.proof.kinds import trains
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from seqlint.proof import Run, Worker, Workers

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
ROWS = "import tensorflow as tf\nrows = tf.ones((400, 2))\nweight = tf.Variable([[1.0], [1.0]])\nsgd = keras.optimizers.SGD(0.01)\n"
STEP = """
def step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((batch @ weight) ** 2)
    sgd.apply_gradients([(tape.gradient(loss, weight), weight)])
    return loss


"""
EPOCHS = (
    FEED
    + "for epoch in range(300):\n    history = model.fit(feed, epochs=1, verbose=0)\nprint(sorted(history.history))\n"
)
COMPILED = (
    FEED
    + ROWS
    + STEP
    + "step = tf.function(step)\nfor number in range(10_000):\n    step(rows)\nprint('not reached')\n"
)
IN_A_GRAPH = (
    FEED
    + ROWS
    + STEP
    + "@tf.function\ndef epoch(data):\n    count = 0\n    for batch in data:\n        step(batch)\n        count += 1\n"
    "    return count\n\n\nprint(int(epoch(tf.data.Dataset.from_tensor_slices(rows).batch(1).repeat())))\n"
)
IN_RANGE = (
    FEED
    + ROWS
    + STEP
    + "@tf.function\ndef train(rounds):\n    loss = 0.0\n    for number in tf.range(rounds):\n        loss = step(rows)\n    return loss\n\n\n"
    "@tf.function\ndef total(rounds):\n    found = 0\n    for number in tf.range(rounds):\n        found += number\n    return found\n\n\n"
    "print(int(total(1_000)))\nprint(float(train(3)) > 0)\ntrain(1_000_000_000)\nprint('not reached')\n"
)
NEW_MODELS = FEED + (
    "def made():\n    new = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])\n    new.compile('sgd', 'mse')\n    return new\n\n\n"
    "for number in range(14):\n    history = made().fit(feed, epochs=4, verbose=0)\nprint(sorted(history.history))\n"
)
ON_REPLICAS = (
    FEED + "import tensorflow as tf\nstrategy = tf.distribute.MirroredStrategy(['CPU:0'])\nwith strategy.scope():\n"
    "    weight = tf.Variable([[1.0], [1.0]])\n    sgd = keras.optimizers.SGD(0.01)\nrows = tf.ones((4, 2))\n"
    + STEP
    + "run = tf.function(lambda: strategy.run(step, args=(rows,)))\nfor number in range(10_000):\n    run()\nprint('not reached')\n"
)


@pytest.fixture
def short(lent: Workers) -> Worker:
    return lent.under(Settings(limit_s=60, steps=20))


def ended(text: str, child: Worker) -> Run:
    run = child.run(text, "program.py", None)
    assert run.status == "done", run.detail
    assert run.recording is not None
    assert run.recording["error"] is None, run.errors
    return run


def notes(run: Run) -> str:
    return "\n".join(run.recording["notes"]) if run.recording else ""


def test_fits_in_a_loop(short: Worker) -> None:
    run = ended(EPOCHS, short)
    assert run.recording is not None
    assert 3 <= len(run.recording["fits"]) <= 20
    assert "only the first 10 were run" in notes(run)
    assert run.recording["fits"][-1]["why"].endswith("290 more calls in this place were not run")
    assert "loss" in run.output


@pytest.mark.parametrize("text", [COMPILED, ON_REPLICAS])
def test_steps_that_the_program_compiles(text: str, short: Worker) -> None:
    run = ended(text, short)
    assert "after 20 steps of its own training loop" in notes(run)
    assert run.output == ""


def test_a_loop_over_an_endless_dataset_in_a_graph(short: Worker) -> None:
    run = ended(IN_A_GRAPH, short)
    assert run.output == "20"
    assert "was cut to 20 steps" in notes(run)


def test_a_loop_over_numbers_in_a_graph_ends_where_it_trains(short: Worker) -> None:
    run = ended(IN_RANGE, short)
    assert run.output == "499500\nTrue"
    assert "after 21 steps of its own training loop" in notes(run)  # and the one call before


def test_fits_of_a_new_model_in_each_round(short: Worker) -> None:
    run = ended(NEW_MODELS, short)
    assert run.recording is not None
    assert [len(fit["epochs"]) for fit in run.recording["fits"]] == [3] * 10 + [1] * 4
    assert "those after the first 10 took one step" in notes(run)
    assert "loss" in run.output


def test_a_call_on_replicas_trains() -> None:
    assert trains("strategy.run(step, args=(batch,))\n")
    assert not trains("def go():\n    subprocess.run(['ls'])\n")
