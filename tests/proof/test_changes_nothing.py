"""A program under the recorder computes, to the bit, what it computes without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing
from seqlint.proof.child import environment
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.proof import KerasChoice, Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
    pytest.mark.skipif(sys.platform != "linux", reason="one import of TensorFlow serves all by fork"),
]
END = """
import hashlib

print([(name, [float(value) for value in values]) for name, values in history.history.items()])
for weight in model.get_weights():
    print(weight.shape, hashlib.sha1(weight.tobytes()).hexdigest())
"""
LAYERS = """
keras.utils.set_random_seed(3)
model = keras.Sequential([
    keras.Input((3,)), keras.layers.GaussianNoise(0.5), keras.layers.Dense(8, "relu"), keras.layers.Dropout(0.5),
    keras.layers.BatchNormalization(), keras.layers.Dense(1),
])
"""
PROGRAMS = {
    "sequence": LAYERS + 'model.compile("adam", "mse")\nhistory = model.fit(feed, epochs=2, verbose=0)',
    "xla": LAYERS + """
model.compile("adam", "mse", jit_compile=True)
history = model.fit(feed, epochs=2, verbose=0)
""",
    "eagerly": LAYERS + """
model.compile("adam", "mse", run_eagerly=True)
history = model.fit(feed, epochs=2, verbose=0)
""",
    "several steps at once": LAYERS + """
model.compile("adam", "mse", steps_per_execution=2)
history = model.fit(tf.data.Dataset.from_tensor_slices((feed.rows, feed.labels)).batch(2), epochs=2, verbose=0)
""",
    "several compiled steps at once": LAYERS + """
model.compile("adam", "mse", steps_per_execution=2, jit_compile=True)
history = model.fit(tf.data.Dataset.from_tensor_slices((feed.rows, feed.labels)).batch(2), epochs=2, verbose=0)
""",
    "train_step": """
class Own(keras.Sequential):
    def train_step(self, data):
        x, y = data
        noise = tf.random.normal(tf.shape(x)) + tf.random.uniform(())
        if tf.executing_eagerly():
            print("eager")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((y[:, None] - self(x + tf.cast(noise, x.dtype), training=True)) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


keras.utils.set_random_seed(3)
model = Own([keras.Input((3,)), keras.layers.Dense(4, "tanh"), keras.layers.Dropout(0.3), keras.layers.Dense(1)])
model.compile("adam")
history = model.fit(feed, epochs=2, verbose=0)
model.compile("adam", jit_compile=True)
print(model.fit(feed, epochs=2, verbose=0).history)
""",
    "train_on_batch": LAYERS + """
model.compile("adam", "mse")
losses = [float(np.ravel(model.train_on_batch(*feed[number % 3]))[0]) for number in range(6)]
history = type("Losses", (), {"history": {"loss": losses}})
model.compile("sgd", "mse", jit_compile=True)
print([float(np.ravel(model.train_on_batch(*feed[number % 3]))[0]) for number in range(6)])
""",
    "dataset": LAYERS + """
data = tf.data.Dataset.from_tensor_slices((feed.rows, feed.labels)).shuffle(10).batch(3).prefetch(2)
data = data.map(lambda x, y: (x + tf.random.normal(tf.shape(x)), y), num_parallel_calls=2)
model.compile("adam", "mse", metrics=["mae"])
history = model.fit(data, validation_data=data, epochs=2, verbose=0)
""",
    "arrays and two fits": LAYERS + """
model.compile("adam", "mse")
print(model.fit(feed.rows, feed.labels, batch_size=3, validation_split=0.2, verbose=0).history)
history = model.fit(feed.rows, feed.labels, class_weight={n: n + 1.0 for n in range(10)}, epochs=2, verbose=0)
""",
    "own loop": LAYERS + """
optimizer, losses = keras.optimizers.Adam(0.01), []


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((y[:, None] - model(x + tf.random.normal(tf.shape(x)), training=True)) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in tf.data.Dataset.from_tensor_slices((feed.rows, feed.labels)).shuffle(10).batch(4):
    losses.append(float(step(x, y)))
history = type("Losses", (), {"history": {"loss": losses}})
""",
    "hooks": LAYERS + """
class Noisy(Feed):
    def on_epoch_end(self):
        self.rows = self.rows[np.random.permutation(10)]


class Slower(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.optimizer.learning_rate.assign(0.01 / (epoch + 1))
        print(sorted(logs))


model.compile("adam", "mse")
history = model.fit(Noisy(), validation_data=feed, epochs=3, callbacks=[Slower()], verbose=0)
""",
}  # fmt: skip


ON_LEGACY = ("sequence", "xla", "train_step", "arrays and two fits")
MORE = tuple(name for name in PROGRAMS if name not in ON_LEGACY)
"""Which of them always run on tf-keras as well, and which do with the long tests."""


def plain(keras: KerasChoice, folder: Path, names: Sequence[str]) -> dict[str, str]:
    """What programs print without the recorder."""
    for name in names:
        (folder / f"{name}.py").write_text(FEED + PROGRAMS[name] + END, "utf-8")
    paths = [str(folder / f"{name}.py") for name in names]
    root = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, "-m", "tests.proof.plainly", *paths],
        env=environment(Settings(keras).kind),
        cwd=root,
        check=True,
    )
    return {name: Path(f"{path}.out").read_text("utf-8").strip() for name, path in zip(names, paths, strict=True)}


@pytest.fixture(scope="module")
def plain_keras_3(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return plain("3", tmp_path_factory.mktemp("plain"), [*PROGRAMS])


@pytest.fixture(scope="module")
def plain_legacy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return plain("legacy", tmp_path_factory.mktemp("plain"), ON_LEGACY)


@pytest.fixture(scope="module")
def more_on_legacy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return plain("legacy", tmp_path_factory.mktemp("plain"), MORE)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_recorder_changes_no_bit(child: Worker, plain_keras_3: dict[str, str], name: str) -> None:
    same(child, plain_keras_3, name)


@pytest.mark.parametrize("name", ON_LEGACY)
def test_the_recorder_changes_no_bit_of_the_legacy_line(
    legacy: Worker, plain_legacy: dict[str, str], name: str
) -> None:
    same(legacy, plain_legacy, name)


@pytest.mark.long
@pytest.mark.parametrize("name", MORE)
def test_the_recorder_changes_no_bit_of_more_on_the_legacy_line(
    legacy: Worker, more_on_legacy: dict[str, str], name: str
) -> None:
    same(legacy, more_on_legacy, name)


def same(child: Worker, without: dict[str, str], name: str) -> None:
    run = child.run(FEED + PROGRAMS[name] + END, "program.py", None)
    assert run.recording
    assert run.recording["error"] is None
    assert run.output == without[name]
    assert run.trained or "apply_gradients" in run.recording["calls"]
    assert run.recording["notes"] == []
