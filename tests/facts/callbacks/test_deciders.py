"""Which callbacks decide something from a logged value, and from what."""

from __future__ import annotations

import pytest

from tests.facts.reading import facts_of

HEAD = "import keras\nfrom keras.callbacks import *\n"
MODEL = "model = keras.Sequential([keras.layers.Dense(1)])\n"
DECIDES = """
class Mine(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        {body}


model.fit(x, callbacks=[Mine()])
"""


STOPS = {
    "assigned": "self.model.stop_training = logs['loss'] < 0.1",
    "one line": "if logs.get('val_loss') > self.best: self.model.stop_training = True",
    "local name": """logs = logs or {}
        value = logs.get('loss')
        if value < 0.1:
            self.model.stop_training = True""",
    "helpers": """self._look(logs)

    def _look(self, values):
        if values['loss'] < 1:
            self._stop()

    def _stop(self):
        self.model.stop_training = True""",
    "left early": """if logs['loss'] < self.best:
            self.wait = 0
            return
        self.wait += 1
        if self.wait > 3:
            self.model.stop_training = True""",
}


@pytest.mark.parametrize("body", STOPS.values(), ids=STOPS)
def test_a_callback_that_stops_by_what_is_logged_decides(body: str) -> None:
    facts = facts_of(HEAD + MODEL + DECIDES.format(body=body))
    (callbacks,) = facts.callback_lists.all
    assert facts.deciders.decides(callbacks.members[0])


@pytest.mark.parametrize(
    "body",
    [
        "print(logs['loss'])",
        "self.model.stop_training = epoch > 3",
        "self.model.stop_training = False",
        "if time.time() > self.end:\n            self.model.stop_training = True",
        "if hvd.allreduce(logs['loss']) < 1:\n            self.model.stop_training = True",
    ],
)
def test_a_callback_that_does_not_act_on_a_local_log_decides_nothing(body: str) -> None:
    text = "import time\nimport horovod.tensorflow.keras as hvd\n" + HEAD + MODEL + DECIDES.format(body=body)
    facts = facts_of(text)
    (callbacks,) = facts.callback_lists.all
    assert not facts.deciders.decides(callbacks.members[0])


@pytest.mark.parametrize(
    ("made", "decides"),
    [
        ("EarlyStopping()", True),
        ("ReduceLROnPlateau()", True),
        ("ModelCheckpoint('a.keras', save_best_only=True)", True),
        ("ModelCheckpoint('a.keras', 'val_loss', 0, True)", True),
        ("ModelCheckpoint('a.keras')", False),
        ("ModelCheckpoint('a.keras', save_best_only=best)", False),
        ("TensorBoard()", False),
        ("LearningRateScheduler(rate)", False),
    ],
)
def test_the_callbacks_of_keras_that_decide(made: str, decides: bool) -> None:
    facts = facts_of(HEAD + MODEL + f"model.fit(x, callbacks=[{made}])")
    (callbacks,) = facts.callback_lists.all
    assert facts.deciders.decides(callbacks.members[0]) is decides


def test_a_decision_by_predictions_is_known_to_be_local() -> None:
    body = """score = roc_auc_score(self.y, self.model.predict(self.x))
        if score > self.best:
            self.best = score
            self.wait = 0
            return
        self.wait += 1
        if self.wait > 2:
            self.model.stop_training = True"""
    facts = facts_of("from sklearn.metrics import roc_auc_score\n" + HEAD + MODEL + DECIDES.format(body=body))
    (owner,) = facts.callbacks
    (stop,) = facts.deciders.stops(owner)
    source = facts.deciders.local_source(stop)
    assert source is not None
    assert facts.text(source).startswith("roc_auc_score")
    assert not facts.deciders.reads_logs(stop)
    assert stop.hooks == {"on_epoch_end"}
