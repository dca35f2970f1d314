"""Codemods of training code that change nothing but what they declare; some on replicas, some on tf-keras."""

from __future__ import annotations

from tests.proof.codemods.codemod import Right, changes, in_a_function
from tests.proof.codemods.programs import (
    CALLBACKS,
    DATASET,
    EVALUATED,
    MIRRORED,
    NESTED,
    SCHEDULED,
    SEQUENCE,
    SHUFFLED,
    SHUFFLING_FEED,
    STOPPED,
    TRAIN_STEP,
    TWO_FITS,
    VALIDATED,
)

HOOK = """\
    def on_epoch_end(self):
        global epochs
        epochs += 1
        model.evaluate(rows[8:], labels[8:], verbose=0)
"""
CALLBACK = """\
class Evaluate(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        global epochs
        epochs += 1
        self.model.evaluate(rows[8:], labels[8:], verbose=0)


model ="""
MOVED = {HOOK: "", "model =": CALLBACK, "fit(Feed(), ": "fit(Feed(), callbacks=[Evaluate()], "}

RIGHT_TRAINING = (
    Right(
        "callbacks are appended one by one",
        CALLBACKS,
        {"[Note(), Count()]": "[]\ncallbacks.append(Note())\ncallbacks.append(Count())"},
    ),
    Right(
        "validation_split becomes two slices",
        VALIDATED.replace("*train, ", "rows, labels, ").replace("validation_data=held_out", "validation_split=0.2"),
        {"fit(rows, labels, ": "fit(*train, ", "validation_split=0.2": "validation_data=held_out"},
    ),
    Right(
        "a line is printed from an f-string",
        CALLBACKS,
        {'print("epoch", epoch, "is over")': 'print(f"epoch {epoch} is over")'},
    ),
    Right(
        "arguments get their names",
        STOPPED,
        {'EarlyStopping("loss"': 'EarlyStopping(monitor="loss"', "fit(rows, labels": "fit(x=rows, y=labels"},
    ),
    Right(
        "a schedule becomes a function with a name",
        SCHEDULED,
        {
            "rate = keras": "\ndef falling(epoch):\n    return 0.01 if epoch < 2 else 0.001\n\n\nrate = keras",
            "lambda epoch: 0.01 if epoch < 2 else 0.001": "falling",
        },
    ),
    Right(
        "two fits become a loop",
        TWO_FITS,
        {
            "model.fit(rows, labels, batch_size=5, epochs=1, shuffle=False, verbose=0)\n" * 2: "for _ in range(2):\n"
            "    model.fit(rows, labels, batch_size=5, epochs=1, shuffle=False, verbose=0)\n"
        },
    ),
    Right(
        "a train step collects its pairs first",
        TRAIN_STEP,
        {
            "        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))": "        pairs = list("
            "zip(gradients, self.trainable_variables))\n        self.optimizer.apply_gradients(pairs)"
        },
    ),
    Right(
        "an evaluation moves out of the hook of a Sequence, as declared",
        EVALUATED,
        MOVED,
        contract=changes("history", "hooks", "state"),
    ),
    Right(
        "a functional model in place of a Sequential",
        SEQUENCE,
        {
            "model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])": "inputs = keras.Input((1,))\n"
            "model = keras.Model(inputs, keras.layers.Dense(1)(inputs))"
        },
    ),
    Right(
        "a class with a hook moves into a function",
        SHUFFLED,
        {SHUFFLING_FEED: in_a_function(SHUFFLING_FEED)},
    ),
)

RIGHT_ON_LEGACY = (
    Right(
        "the batches are counted in whole numbers",
        SEQUENCE,
        {"math.ceil(len(self.rows) / self.size)": "-(-len(self.rows) // self.size)"},
        keras="legacy",
    ),
    Right(
        "nested inputs are a tuple",
        NESTED,
        {"[self.rows[part], self.rows[part]]": "(self.rows[part], self.rows[part])"},
        keras="legacy",
    ),
    Right(
        "a list of x and y becomes a tuple",
        SEQUENCE.replace("return x, y", "return [x, y]"),
        {"return [x, y]": "return x, y"},
        keras="legacy",
    ),
    Right(
        "batches are prefetched",
        DATASET,
        {"batch(3)": "batch(3).prefetch(tf.data.AUTOTUNE)"},
        keras="legacy",
    ),
)

RIGHT_ON_REPLICAS = (
    Right(
        "batches are prefetched",
        MIRRORED,
        {"batch(4)": "batch(4).prefetch(tf.data.AUTOTUNE)"},
    ),
)
