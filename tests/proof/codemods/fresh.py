"""Codemods of what a model is made of and how it is trained, where a smoke run shows little of it in its numbers."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Unseen, Wrong
from tests.proof.codemods.programs import SEQUENCE

FRESH = """\
import os

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
rows = np.random.default_rng(1).random((20, 4)).astype("float32")
labels = (np.arange(20) % 2).astype("float32").reshape(20, 1)
importance = np.linspace(0.5, 1.5, 20).astype("float32")
train, tests = slice(0, 14), slice(14, 20)


class Blend(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.norm = keras.layers.BatchNormalization()

    def call(self, x, training=False):
        return self.norm(x, training=training)


class Halve(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        logs["half"] = logs["loss"] / 2


class Best(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.best = np.inf

    def on_epoch_end(self, epoch, logs=None):
        self.best = min(self.best, logs.get("half", -1.0))


inputs = keras.Input((4,), name="rows")
frozen = keras.layers.Dense(4, name="frozen")
frozen.trainable = False
hidden = keras.layers.Dense(3, "tanh", kernel_regularizer=keras.regularizers.L2(1e-3), name="hidden")
x = hidden(Blend()(frozen(inputs)))
x = keras.layers.Concatenate(axis=-1)([x, inputs])
low = keras.layers.Dense(1, name="low")(x)
high = keras.layers.Dense(1, name="high")(x)
model = keras.Model(inputs, [low, high])
rate = keras.optimizers.schedules.PiecewiseConstantDecay([2000], [0.05, 0.01])
model.compile(
    keras.optimizers.SGD(rate, clipnorm=1e4, use_ema=True, ema_momentum=0.9),
    ["mse", "mae"],
    loss_weights=[1.0, 0.5],
    steps_per_execution=1,
)
best = Best()
data = tf.data.Dataset.from_tensor_slices((rows[train], (labels[train], 1 - labels[train]), (importance[train],) * 2))
data = data.shuffle(14, seed=2).batch(4)
held_out = tf.data.Dataset.from_tensor_slices((rows[tests], (labels[tests], labels[tests]))).batch(2)
model.fit(data, epochs=300, validation_data=held_out, validation_steps=2, callbacks=[Halve(), best], verbose=0)
model.save("model.keras")
"""

CLASSES = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
words = np.random.default_rng(1).integers(0, 6, (16, 5))
words[:, 3:] = 0
kinds = np.arange(16) % 3
model = keras.Sequential(
    [
        keras.Input((5,)),
        keras.layers.Embedding(6, 4, mask_zero=True),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(4, "softmax", dtype="float32"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"], jit_compile=False, run_eagerly=False)
model.fit(
    words,
    kinds,
    batch_size=6,
    epochs=3,
    validation_split=0.25,
    class_weight={0: 1.0, 1: 2.0, 2: 1.0, 3: 4.0},
    shuffle=False,
    verbose=0,
)
"""

WEIGHTED = CLASSES.replace(
    "    class_weight={0: 1.0, 1: 2.0, 2: 1.0, 3: 4.0},\n", "    sample_weight=np.ones(16, 'float32'),\n"
)
UNSAVED = FRESH.replace('model.save("model.keras")\n', "")

KEPT = (
    SEQUENCE.replace(
        "        x = self.rows[part]\n", "        self._last = index\n        x = self.rows[part]\n"
    ).replace("import math\n", "import math\nfrom dataclasses import dataclass\n")
    + """

@dataclass
class Options:
    patience: int = 5


print(Options(3))
"""
)

LOOP = """\
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
rows = np.random.default_rng(1).random((9, 4)).astype("float32")
labels = rows.sum(1, keepdims=True)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.01, clipvalue=100.0)
seen = keras.metrics.Mean()
average = tf.train.ExponentialMovingAverage(0.9999)
kernel = model.layers[0].kernel.value


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, norm = tf.clip_by_global_norm(gradients, 50.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    seen.update_state(loss)


data = tf.data.Dataset.from_tensor_slices((rows, labels)).batch(4)
for epoch in range(400):
    for x, y in data:
        step(x, y)
        average.apply([kernel])
    print(f"epoch {epoch}: {seen.result():.3f}")
    seen.reset_state()
print(f"{float(tf.reduce_sum(average.average(kernel))):.3f}")
"""

ANYWHERE = At("…")

WRONG_FRESH = (
    Wrong(
        "a private attribute of a Sequence gets another value",
        KEPT,
        {"self._last = index": "self._last = index + 1"},
        {"state": At("the data Feed._last")},
    ),
    Wrong(
        "the default of a field changes that no instance uses",
        KEPT,
        {"patience: int = 5": "patience: int = 50"},
        {"state": At("Options.patience", 5, 50)},
    ),
    Wrong(
        "a layer is saved under another name", FRESH, {', name="hidden")': ', name="features")'}, {"output": ANYWHERE}
    ),
    Wrong("the weight of a class that no sample has is lost", CLASSES, {", 3: 4.0}": "}"}, {"settings": ANYWHERE}),
    Wrong("an optimizer no longer clips in a loop", LOOP, {", clipvalue=100.0": ""}, {"settings": ANYWHERE}),
    Wrong(
        "an average of weights comes before the step",
        LOOP,
        {
            "        step(x, y)\n        average.apply([kernel])\n": "        average.apply([kernel])\n        step(x, y)\n"
        },
        {"state": At("average, variable 1…")},
    ),
    Wrong("weights of losses are swapped", UNSAVED, {"[1.0, 0.5]": "[0.5, 1.0]"}, {"weights": ANYWHERE}),
    Wrong(
        "steps are executed together",
        UNSAVED,
        {"steps_per_execution=1": "steps_per_execution=2"},
        {"settings": ANYWHERE},
    ),
    Wrong("a model runs eagerly", CLASSES, {"run_eagerly=False": "run_eagerly=True"}, {"settings": ANYWHERE}),
)

WRONG_FRESH_TOO = (
    Wrong("one batch fewer is validated", FRESH, {"validation_steps=2": "validation_steps=1"}, {"history": ANYWHERE}),
    Wrong("outputs are swapped", FRESH, {"[low, high])": "[high, low])"}, {"history": ANYWHERE}),
    Wrong(
        "a callback runs before the one that it reads from",
        FRESH,
        {"[Halve(), best]": "[best, Halve()]"},
        {"hooks": ANYWHERE},
    ),
    Wrong("a seed is another", FRESH, {"set_random_seed(3)": "set_random_seed(4)"}, {"weights": ANYWHERE}),
    Wrong(
        "a regularizer is lost", FRESH, {"kernel_regularizer=keras.regularizers.L2(1e-3), ": ""}, {"settings": ANYWHERE}
    ),
    Wrong("a regularizer is weaker by far", FRESH, {"L2(1e-3)": "L2(1e-9)"}, {"settings": ANYWHERE}),
    Wrong("a mask is lost", CLASSES, {"mask_zero=True": "mask_zero=False"}, {"settings": ANYWHERE}),
    Wrong("weights of classes are swapped", CLASSES, {"{0: 1.0, 1: 2.0,": "{0: 2.0, 1: 1.0,"}, {"history": ANYWHERE}),
    Wrong(
        "weights of samples are lost that are all one",
        WEIGHTED,
        {"    sample_weight=np.ones(16, 'float32'),\n": ""},
        {"spec": ANYWHERE},
    ),
    Wrong("a rate falls by the epoch in place of the step", FRESH, {"[2000]": "[500]"}, {"settings": ANYWHERE}),
    Wrong("a metric is not reset", LOOP, {"    seen.reset_state()\n": ""}, {"output": ANYWHERE}),
    Wrong(
        "what is joined is joined along another axis",
        FRESH,
        {
            "x = keras.layers.Concatenate(axis=-1)([x, inputs])": "x = keras.layers.Reshape((7,))(keras.layers.Permute((1,))(keras.layers.Concatenate(axis=1)([inputs, x])))"
        },
        {"settings": ANYWHERE},
    ),
    Wrong(
        "rows are shuffled before they are split",
        FRESH,
        {"train, tests =": "np.random.shuffle(rows)\ntrain, tests ="},
        {"samples": ANYWHERE},
    ),
    Wrong(
        "the last batch is dropped where it is smaller",
        FRESH,
        {".batch(4)": ".batch(4, drop_remainder=True)"},
        {"steps": ANYWHERE},
    ),
    Wrong("weights of samples are lost", FRESH, {", (importance[train],) * 2))": "))"}, {"spec": ANYWHERE}),
    Wrong("a frozen layer learns", FRESH, {"frozen.trainable = False\n": ""}, {"weights": ANYWHERE}),
    Wrong(
        "a layer no longer knows that it is trained",
        FRESH,
        {"self.norm(x, training=training)": "self.norm(x, training=False)"},
        {"weights": ANYWHERE},
    ),
    Wrong("gradients are no longer clipped", FRESH, {"clipnorm=1e4, ": ""}, {"settings": ANYWHERE}),
    Wrong("an average of weights is lost", FRESH, {"use_ema=True, ema_momentum=0.9": ""}, {"settings": ANYWHERE}),
    Wrong("a model is compiled by XLA", CLASSES, {"jit_compile=False": "jit_compile=True"}, {"settings": ANYWHERE}),
    Wrong(
        "probabilities are less precise", CLASSES, {'dtype="float32"': 'dtype="mixed_bfloat16"'}, {"history": ANYWHERE}
    ),
    Wrong("fewer rows are held out", CLASSES, {"validation_split=0.25": "validation_split=0.5"}, {"samples": ANYWHERE}),
    Wrong("batches are larger", CLASSES, {"batch_size=6": "batch_size=12"}, {"steps": ANYWHERE}),
    Wrong(
        "a loss has another reduction",
        CLASSES,
        {'"sparse_categorical_crossentropy"': 'keras.losses.SparseCategoricalCrossentropy(reduction="sum")'},
        {"settings": ANYWHERE},
    ),
)

UNSEEN_FRESH = (
    Unseen(
        "a hook returns early",
        FRESH,
        {
            "    def on_epoch_end(self, epoch, logs=None):\n        self.best": "    def on_epoch_end(self, epoch, logs=None):\n        if epoch > 30:\n            return\n        self.best"
        },
    ),
    Unseen(
        "gradients are no longer clipped in a loop",
        LOOP,
        {"    gradients, norm = tf.clip_by_global_norm(gradients, 50.0)\n": ""},
    ),
)

RIGHT_FRESH = (
    Right(
        "a private attribute of a Sequence gets another name",
        KEPT,
        {"self._last": "self._recent", "Options(3)": "Options(patience=3)"},
    ),
    Right(
        "weights of classes come of a loop",
        CLASSES,
        {"{0: 1.0, 1: 2.0, 2: 1.0, 3: 4.0}": "{k: weight for k, weight in enumerate([1.0, 2.0, 1.0, 4.0])}"},
    ),
    Right(
        "rows are held out by hand",
        CLASSES,
        {
            "    words,\n    kinds,\n": "    words[:12],\n    kinds[:12],\n",
            "validation_split=0.25": "validation_data=(words[12:], kinds[12:])",
        },
    ),
    Right(
        "weights of losses are named",
        UNSAVED,
        {"[1.0, 0.5]": '{"low": 1.0, "high": 0.5}', '["mse", "mae"]': '{"low": "mse", "high": "mae"}'},
    ),
)

RIGHT_FRESH_TOO = (
    Right(
        "three seeds in place of one call",
        FRESH,
        {"keras.utils.set_random_seed(3)": "import random\n\nrandom.seed(3)\nnp.random.seed(3)\ntf.random.set_seed(3)"},
    ),
    Right(
        "options of an optimizer come from a dict",
        FRESH,
        {
            "keras.optimizers.SGD(rate, clipnorm=1e4, use_ema=True, ema_momentum=0.9)": 'keras.optimizers.SGD(**{"learning_rate": rate, "clipnorm": 10_000.0, "use_ema": True, "ema_momentum": 0.9})'
        },
    ),
    Right(
        "a metric is reset before an epoch",
        LOOP,
        {"    seen.reset_state()\n": "", "    for x, y in data:\n": "    seen.reset_state()\n    for x, y in data:\n"},
    ),
    Right(
        "a layer is frozen when it is made",
        FRESH,
        {'name="frozen")\nfrozen.trainable = False\n': 'name="frozen", trainable=False)\n'},
    ),
    Right(
        "a model is built step by step",
        CLASSES,
        {
            """model = keras.Sequential(
    [
        keras.Input((5,)),
        keras.layers.Embedding(6, 4, mask_zero=True),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(4, "softmax", dtype="float32"),
    ]
)
""": """model = keras.Sequential()
model.add(keras.Input((5,)))
model.add(keras.layers.Embedding(6, 4, mask_zero=True))
model.add(keras.layers.GlobalAveragePooling1D())
model.add(keras.layers.Dense(4, activation=keras.activations.softmax, dtype="float32"))
"""
        },
    ),
    Right(
        "a rate is named by keyword and an average is kept",
        FRESH,
        {
            "PiecewiseConstantDecay([2000], [0.05, 0.01])": "PiecewiseConstantDecay(boundaries=[2000], values=[0.05, 0.01])",
            "1 - labels[train]": "1.0 - labels[train]",
        },
    ),
)
