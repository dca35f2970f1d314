"""What a smoke run leaves out, and that it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Pair, Settings, missing, prove_pair
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from seqlint.proof import Proof, Worker, Workers

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow or tf-keras is not installed"),
]
TAPE = """
optimizer = keras.optimizers.SGD(0.01)
while True:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(feed.rows) - feed.labels[:, None]) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""
ENDLESS = """
import itertools
endless = tf.data.Dataset.from_tensor_slices((feed.rows, feed.labels)).batch(2).repeat()
print(len(model.predict(endless.map(lambda x, y: x), steps=10**9, verbose=0)))
model.evaluate(endless, steps=10**9, verbose=0)
for _ in itertools.count():
    model.train_on_batch(*feed[0])
"""


@pytest.fixture(params=["3", "legacy"])
def short(request: pytest.FixtureRequest, lent: Workers) -> Worker:
    return lent.under(Settings(keras=request.param, limit_s=60, steps=4))


def proved(program: str, child: Worker, after: str = "") -> Proof:
    return prove_pair(Pair("program", FEED + program, FEED + (after or program)), child)


def test_endless_calls_and_loops_end(short: Worker) -> None:
    proof = proved(ENDLESS, short)
    assert proof.held, proof.obstacle
    assert proof.before.output == "8"  # four batches of two
    assert "4 of 1000000000 steps of a call outside fit were run" in proof.notes
    assert "the program was ended after 4 steps of its own training loop" in proof.notes
    assert len(proof.before.recording["steps"] if proof.before.recording else ()) == 4


def test_the_weights_of_an_own_loop_are_compared(short: Worker) -> None:
    proof = proved(TAPE, short)
    assert proof.outcome == "SAME"
    assert proof.verdict("samples").outcome == "NOT RUN"
    assert proof.verdict("weights").outcome == "SAME"
    faster = proved(TAPE, short, TAPE.replace("SGD(0.01)", "SGD(0.02)"))
    assert faster.verdict("weights").outcome == "DIFFERENT"
