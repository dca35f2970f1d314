"""Programs that run on TensorFlow, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.model import Contract
from seqlint.proof import Pair, Settings, missing, prove_pair
from tests.proof.programs import FEED, FIT, HOOKED, MOVED

if TYPE_CHECKING:
    from seqlint.model import Observable
    from seqlint.proof import KerasChoice, Proof, Run, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
QUICK = Settings(limit_s=60)
NOTHING = Contract()


def changes(*names: Observable) -> Contract:
    return Contract(changes=frozenset(names))


def proved(child: Worker, before: str, after: str, contract: Contract = NOTHING) -> Proof:
    return prove_pair(Pair("program", before, after, contract), child)


def outcomes(proof: Proof, outcome: str) -> set[str]:
    return {verdict.observable for verdict in proof.verdicts if verdict.outcome == outcome}


def labels(run: Run) -> list[list[str]]:
    """The labels of every batch that reached a train step."""
    assert run.recording
    previews = run.recording["previews"]
    return [[previews[row].rpartition("y ")[2] for row in step["rows"]] for step in run.recording["steps"]]


def test_two_runs_of_an_unchanged_program_are_the_same_everywhere(child: Worker) -> None:
    proof = proved(child, HOOKED, HOOKED)
    assert outcomes(proof, "SAME") == {verdict.observable for verdict in proof.verdicts}
    assert proof.held


def test_evaluation_moved_out_of_the_hook_changes_the_history_and_keeps_the_training(child: Worker) -> None:
    proof = proved(child, HOOKED, MOVED, changes("history", "hooks", "state"))
    assert proof.changed == {"history", "hooks", "state"}
    assert {"samples", "order", "grouping", "weights", "steps", "errors", "output"} <= outcomes(proof, "SAME")
    assert proof.held


def test_the_same_move_without_a_contract_is_different(child: Worker) -> None:
    assert outcomes(proved(child, HOOKED, MOVED), "DIFFERENT") == {"history", "hooks", "state"}


def test_the_history_that_the_legacy_line_loses_comes_back(legacy: Worker) -> None:
    proof = proved(legacy, HOOKED, MOVED, changes("history", "hooks"))
    assert proof.before.recording
    assert proof.after.recording
    assert proof.before.recording["fits"][0]["history"] == {}
    assert list(proof.after.recording["fits"][0]["history"]) == ["loss"]
    assert proof.verdict("history").outcome == "CHANGED AS DECLARED"
    assert proof.before.recording["versions"].startswith("tf-keras")
    assert proof.held


def test_on_the_legacy_line_keras_is_tf_keras_unless_both_are_imported(legacy: Worker) -> None:
    alone = FIT.replace("from tensorflow import keras", "import keras")
    both = FIT.replace("from tensorflow import keras", "import keras\nimport tf_keras")
    for text, line in ((alone, "tf-keras 2"), (both, "keras 3")):
        run = legacy.run(text, "program.py", None)
        assert run.recording
        assert run.recording["versions"].startswith(line), run.errors


def test_a_swapped_label_is_named(child: Worker) -> None:
    proof = proved(child, FIT, FIT.replace("self.labels[part]", "self.labels[part][::-1]"))
    assert {"samples", "weights", "history"} <= outcomes(proof, "DIFFERENT")
    found = proof.verdict("samples").difference
    assert found
    assert found.where == "fit 1, epoch 1, step 1, row 1"
    assert [labels(run)[0][0] for run in (proof.before, proof.after)] == ["[0]", "[3]"]


def test_float64_batches_are_another_spec_and_the_same_samples(child: Worker) -> None:
    proof = proved(child, FIT, FIT.replace("return self.rows[part]", 'return self.rows[part].astype("float64")'))
    assert outcomes(proof, "DIFFERENT") == {"spec"}


def test_other_batches_of_the_same_samples(child: Worker) -> None:
    proof = proved(child, FIT, FIT.replace("feed = Feed()", "feed = Feed(size=5)"))
    assert {"grouping", "steps"} <= outcomes(proof, "DIFFERENT")
    assert {"samples", "order", "spec", "epochs"} <= outcomes(proof, "SAME")


def test_a_fit_that_was_refused_and_now_runs(child: Worker) -> None:
    nested = FIT.replace("return self.rows[part]", "return [self.rows[part], self.rows[part]]")
    nested = nested.replace("[keras.Input((3,)), keras.layers.Dense(1)]", "[Pick()]").replace(
        "def network",
        "class Pick(keras.layers.Layer):\n    def call(self, pair):\n        return pair[0][:, :1]\n\n\ndef network",
    )
    fixed = nested.replace("[self.rows[part], self.rows[part]]", "(self.rows[part], self.rows[part])")
    proof = proved(child, nested, fixed, Contract(repairs=frozenset({"errors"})))
    assert proof.changed == {"errors"}
    assert {"samples", "history", "steps"} <= outcomes(proof, "NEW")
    assert proof.held


STEPS = {
    "fit": "model.fit(feed, epochs=1, shuffle=False)\n",
    "generator": "model.fit((feed[k] for k in range(3)), epochs=1, steps_per_epoch=3)\n",
    "tf.data": "model.fit(tf.data.Dataset.from_tensor_slices((feed.rows, feed.labels)).batch(4))\n",
    "arrays": "model.fit(feed.rows, feed.labels, batch_size=4, shuffle=False)\n",
    "train_on_batch": "for k in range(3):\n    model.train_on_batch(*feed[k])\n",
    "steps_per_execution": (
        'model.compile("sgd", "mse", steps_per_execution=3)\nmodel.fit(feed, epochs=1, shuffle=False)\n'
    ),
    "jit": 'model.compile("sgd", "mse", jit_compile=True)\nmodel.fit(feed, epochs=1, shuffle=False)\n',
    "train_step": """
class Own(keras.Sequential):
    def train_step(self, data):
        x, y = data
        return super().train_step((x * 2.0, y))


model = Own([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(feed, epochs=1, shuffle=False)
""",
}


@pytest.mark.parametrize("way", STEPS)
def test_every_way_to_train_is_recorded_in_order(child: Worker, way: str) -> None:
    run = child.run(FEED + STEPS[way], "program.py", None)
    assert labels(run) == [[f"[{label}]" for label in batch] for batch in (range(4), range(4, 8), range(8, 10))]


@pytest.mark.parametrize("way", ["fit", "steps_per_execution"])
def test_the_legacy_line_is_recorded_in_order(legacy: Worker, way: str) -> None:
    run = legacy.run(FEED + STEPS[way], "program.py", None)
    assert labels(run) == [[f"[{label}]" for label in batch] for batch in (range(4), range(4, 8), range(8, 10))]


def test_a_train_step_of_the_legacy_line_may_branch_on_a_tensor(legacy: Worker) -> None:
    branching = STEPS["train_step"].replace(
        "        return super", "        if tf.reduce_mean(x) > 100.0:\n            x = x / 2.0\n        return super"
    )
    run = legacy.run(FEED + branching, "program.py", None)
    assert run.recording
    assert run.recording["error"] is None
    assert len(run.recording["steps"]) == 3


def test_endless_training_is_cut(child: Worker) -> None:
    endless = FEED + "model.fit(tf.data.Dataset.from_tensors(feed[0]).repeat(), epochs=1)\nprint('over')\n"
    run = child.run(endless, "program.py", None)
    assert run.recording
    assert len(run.recording["steps"]) == QUICK.steps
    assert run.recording["fits"][0]["cut"] == f"the smoke run ended it after {QUICK.steps} steps"
    assert run.output == "over"


def test_epochs_are_cut_and_the_reader_is_told(child: Worker) -> None:
    proof = proved(child, FIT, FIT.replace("epochs=2", "epochs=50"))
    assert proof.notes == ("fit 1 was cut to a smoke run: 3 of 50 epochs",)
    assert {"epochs", "history"} <= outcomes(proof, "DIFFERENT")


def test_the_callback_that_stopped_training_is_named(child: Worker) -> None:
    stopping = FIT.replace(
        "epochs=2,", "epochs=3, callbacks=[keras.callbacks.EarlyStopping('loss', min_delta=1e9, patience=1)],"
    )
    found = proved(child, stopping, stopping).verdict("stop")
    assert found.detail == "after epoch 2: stop_training was set by EarlyStopping"


def test_an_exit_is_an_error_with_its_text(child: Worker) -> None:
    found = proved(child, FIT, FIT + "sys.exit('no such folder')\n").verdict("errors").difference
    assert found
    assert found.after == "SystemExit: no such folder"


def test_an_exit_without_an_error_is_none(child: Worker) -> None:
    assert proved(child, FIT, FIT + "sys.exit(0)\n").held


def test_a_program_that_fails_before_it_trains_proves_nothing(child: Worker) -> None:
    proof = proved(child, "import nowhere\n", "import nowhere\n\n")
    assert proof.outcome == "NOT RUN"
    assert "ModuleNotFoundError: No module named 'nowhere'" in proof.obstacle


def test_a_module_of_classes_proves_nothing(child: Worker) -> None:
    assert "runs no model" in proved(child, "import keras\n", "import keras  # fixed\n").obstacle


def test_a_clock_is_left_out_and_the_rest_is_compared(child: Worker) -> None:
    timed = FIT + "took = time.time()\nprint('took', time.time(), 's')\n"
    assert proved(child, timed, timed).held
    assert outcomes(proved(child, timed, timed + "print('more')\n"), "DIFFERENT") == {"output"}


def test_a_program_that_no_seed_can_hold_is_not_run(child: Worker) -> None:
    loose = FIT.replace("default_rng()", "default_rng(int.from_bytes(os.urandom(4), 'big'))")
    proof = proved(child, loose, loose + "print('more')\n")
    assert {"samples", "history"} <= outcomes(proof, "NOT RUN")
    assert outcomes(proof, "DIFFERENT") == {"output"}


def test_the_slices_of_two_replicas_make_one_batch(mirrored: dict[KerasChoice, Worker]) -> None:
    program = FEED.replace("model = network()", "with tf.distribute.MirroredStrategy().scope():\n    model = network()")
    program += "model.fit(feed, epochs=1, shuffle=False)\nprint(model.distribute_strategy.num_replicas_in_sync)\n"
    proof = proved(mirrored["3"], program, program)
    assert proof.before.output == "2"
    assert proof.verdict("steps").detail == "3 in all"
    assert proof.verdict("samples").detail == "10 samples"
