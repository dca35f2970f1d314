"""A program does the same on Keras 3 as its old text did on tf-keras, or it is said what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Program
from seqlint.proof.across import Crossing, prove_across

if TYPE_CHECKING:
    from seqlint.proof import Worker
    from seqlint.proof.across import Across

pytestmark = pytest.mark.tensorflow

HEAD = """\
import keras
import numpy as np

np.random.seed(3)
rows = np.random.rand(24, 3).astype("float32")
labels = rows.sum(axis=1, keepdims=True)
"""
SEQUENTIAL = f"""{HEAD}
model = keras.Sequential([
    keras.layers.Dense(8, activation="relu", input_shape=(3,)),
    keras.layers.Dropout(0.3),
    keras.layers.Dense(1),
])
model.compile(optimizer=keras.optimizers.SGD(learning_rate=0.05), loss="mse", metrics=["mae"])
model.fit(rows, labels, batch_size=4, epochs=3, shuffle=False, validation_split=0.25, verbose=0)
model.save_weights("apples.h5")
model.load_weights("apples.h5")
model.predict(rows, verbose=0)
"""
FUNCTIONAL = f"""{HEAD}
one, other = keras.Input((3,)), keras.Input((3,))
both = keras.layers.Concatenate()([keras.layers.Dense(4)(one), keras.layers.Dense(4)(other)])
model = keras.Model([one, other], keras.layers.Dense(1)(keras.layers.BatchNormalization()(both)))
model.compile(optimizer="adam", loss=keras.losses.MeanSquaredError(reduction="sum"))
model.fit([rows, rows], labels, batch_size=8, epochs=2, shuffle=False, verbose=0)
model.evaluate([rows, rows], labels, verbose=0)
model.save("apples.h5")
again = keras.models.load_model("apples.h5", compile=False)
again.predict([rows, rows], verbose=0)
"""
SUBCLASSED = f"""{HEAD}
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.one = keras.layers.Dense(5, activation="tanh")
        self.two = keras.layers.Dense(1)

    def call(self, x):
        return self.two(self.one(x))


model = Net()
model.compile(optimizer="rmsprop", loss="mse")
model.fit(rows, labels, batch_size=6, epochs=2, verbose=0)
model.predict(rows, verbose=0)
"""
FEED = f"""{HEAD}
class Feed(keras.utils.Sequence):
    def __init__(self, rows):
        self.rows = rows
        self.order = np.arange(len(rows))
        self.on_epoch_end()

    def on_epoch_end(self):
        np.random.shuffle(self.order)

    def __len__(self):
        return len(self.rows) // 4

    def __getitem__(self, index):
        chosen = self.order[index * 4 : index * 4 + 4]
        return self.rows[chosen], labels[chosen]


def batches():
    while True:
        for start in range(0, 24, 6):
            yield rows[start : start + 6].astype("float64"), labels[start : start + 6, 0]


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Feed(rows), epochs=2, shuffle=False, verbose=0)
model.fit(batches(), steps_per_epoch=4, epochs=2, verbose=0)
"""
DATASET = f"""{HEAD}
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((rows[..., None], labels)).shuffle(24, seed=1).batch(4)
model = keras.Sequential([
    keras.layers.Conv1D(4, 2, padding="same", input_shape=(3, 1)),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(1),
])
model.compile(optimizer="adam", loss="mse")
model.fit(data, epochs=3, verbose=0, callbacks=[
    keras.callbacks.EarlyStopping(monitor="loss", min_delta=100, patience=1),
    keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1),
    keras.callbacks.ModelCheckpoint("best.h5", monitor="loss", save_best_only=True),
])
"""
LOOP = f"""{HEAD}
import tensorflow as tf

model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.1)
for start in range(0, 24, 4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(rows[start : start + 4]) - labels[start : start + 4]) ** 2)
    found = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(found, model.trainable_variables))
model.predict(rows, verbose=0)
"""


def migrated(text: str) -> str:
    return (
        text.replace("apples.h5", "apples.weights.h5")
        if "save_weights" in text
        else text.replace("best.h5", "best.keras")
    )


def across(old: str, new: str, legacy: Worker, child: Worker, program: Program | None = None) -> Across:
    crossing = Crossing("train.py", old.encode(), new.encode(), program=program or Program())
    return prove_across(crossing, legacy, child)


def unlike(found: Across) -> set[str]:
    return {one.name for one in found.judged if one.outcome == "DIFFERENT"}


def outcome(found: Across, name: str) -> str:
    return next(one.outcome for one in found.judged if one.name == name)


def test_a_right_migration_is_the_same(legacy: Worker, child: Worker) -> None:
    found = across(SEQUENTIAL, migrated(SEQUENTIAL), legacy, child)
    assert found.answer == "SAME ACROSS", found.reason
    names = ("samples", "order", "steps", "history", "results", "weights", "saved and loaded", "initial weights")
    assert {outcome(found, name) for name in names} == {"SAME"}
    assert "differs by" in next(one.detail for one in found.judged if one.name == "history")
    assert [each.split()[0] for each in found.ran_on] == ["tf-keras", "keras"]


def test_a_lost_layer_and_a_lost_rate_are_seen(legacy: Worker, child: Worker) -> None:
    wrong = migrated(SEQUENTIAL).replace("    keras.layers.Dropout(0.3),\n", "").replace("learning_rate=0.05", "")
    found = across(SEQUENTIAL, wrong, legacy, child)
    assert found.answer == "DIFFERENT"
    assert unlike(found) >= {"layers", "settings", "history", "weights"}
    assert "Dropout is gone" in found.reason
    assert "learning_rate was 0.05" in found.reason
    assert "layer 1 (Dense)" in next(one.detail for one in found.judged if one.name == "weights")


def test_what_fails_on_keras_3_is_different(legacy: Worker, child: Worker) -> None:
    found = across(SEQUENTIAL, SEQUENTIAL, legacy, child)
    assert found.answer == "DIFFERENT"
    assert ".weights.h5" in found.reason


def test_what_can_not_be_run_before_is_not_run(legacy: Worker, child: Worker) -> None:
    found = across("import keras\n\nkeras.no_such_thing()\n", SEQUENTIAL, legacy, child)
    assert (found.answer, found.judged) == ("NOT RUN", ())
    assert "no_such_thing" in found.reason


def test_a_program_without_results_is_not_run(legacy: Worker, child: Worker) -> None:
    text = "import keras\n\nmodel = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])\n"
    assert across(text, text, legacy, child).answer == "NOT RUN"


@pytest.mark.long
def test_what_older_keras_took_counts_as_it_did_there(legacy: Worker, child: Worker) -> None:
    old = LOOP.replace("SGD(0.1)", "SGD(lr=0.1)")
    new = LOOP.replace("SGD(0.1)", "SGD(learning_rate=0.1)")
    older = across(old, new, legacy, child, Program(older=True))
    assert older.answer == "SAME ACROSS", older.reason
    assert any("`lr`" in note for note in older.notes)
    assert across(old, new, legacy, child).answer == "DIFFERENT"


@pytest.mark.long
@pytest.mark.parametrize("text", [FUNCTIONAL, FEED, DATASET, LOOP], ids=["functional", "feed", "dataset", "loop"])
def test_right_migrations_of_other_kinds(text: str, legacy: Worker, child: Worker) -> None:
    found = across(text, migrated(text), legacy, child)
    assert found.answer == "SAME ACROSS", found.reason


@pytest.mark.long
def test_an_order_that_keras_draws_is_left_to_chance(legacy: Worker, child: Worker) -> None:
    found = across(SUBCLASSED, SUBCLASSED, legacy, child)
    assert found.answer == "SAME ACROSS", found.reason
    assert outcome(found, "order") == "BY CHANCE"
    assert outcome(found, "history") == "SAME"


WRONG = {
    "a lost layer with weights": (FUNCTIONAL, "keras.layers.BatchNormalization()(both)", "both", "layers"),
    "another reduction": (FUNCTIONAL, 'reduction="sum"', "", "settings"),
    "rows shuffled that were not": (FUNCTIONAL, "shuffle=False", "shuffle=True", "order"),
    "another model loaded": (
        FUNCTIONAL, 'keras.models.load_model("apples.h5", compile=False)', "keras.models.clone_model(model)", "saved and loaded",
    ),
    "a lost shuffle of a Sequence": (FEED, "np.random.shuffle(self.order)", "pass", "order"),
    "fewer steps": (FEED, "steps_per_epoch=4", "steps_per_epoch=3", "steps"),
    "a lost shuffle of a dataset": (DATASET, ".shuffle(24, seed=1)", "", "order"),
    "another padding": (DATASET, 'padding="same"', 'padding="valid"', "layers"),
    "a lost callback": (DATASET, 'keras.callbacks.EarlyStopping(monitor="loss", min_delta=100, patience=1),', "", "epochs"),
    "another activation": (SEQUENTIAL, 'activation="relu", ', "", "layers"),
    "another initializer": (SEQUENTIAL, 'activation="relu"', 'activation="relu", kernel_initializer="ones"', "initial weights"),
    "other labels": (LOOP, "labels[start : start + 4]", "labels[start : start + 4] * 2", "results"),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_wrong_migrations_are_different(name: str, legacy: Worker, child: Worker) -> None:
    text, old, new, where = WRONG[name]
    assert old in text
    found = across(text, migrated(text).replace(old, new), legacy, child)
    assert found.answer == "DIFFERENT"
    assert where in unlike(found), found.reason
