"""A run on a device counts only where the models lay and the train steps computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.model import Contract
from seqlint.proof import Pair, Settings, Worker, missing, prove_pair
from seqlint.proof.devices import elsewhere
from seqlint.proof.recorder.cards import choose
from tests.proof.programs import FEED
from tests.proof.recordings import ran, recording

if TYPE_CHECKING:
    from seqlint.proof import Run, Workers
    from seqlint.proof.recorder.recording import Devices, Recording

CPU, GPU = (f"/job:localhost/replica:0/task:0/device:{name}:0" for name in ("CPU", "GPU"))


THERE: Devices = {"variables": [GPU], "steps": [CPU, GPU]}


def carded(*devices: Devices, error: str = "") -> Recording:
    """What a machine with a card would have recorded."""
    made = recording(steps=(), error={"type": "ValueError", "text": error} if error else None)
    made["devices"] = list(devices)
    made["cards"] = ["NVIDIA H200"]
    return made


def found(*devices: Devices, error: str = "") -> str:
    return elsewhere(carded(*devices, error=error), "GPU")


def test_every_model_must_lie_and_compute_there() -> None:
    assert found(THERE) == ""
    assert found() == "no model ran, so nothing shows that it ran on a GPU"
    assert found(THERE, {"variables": [CPU, GPU], "steps": [GPU]}) == (
        "the variables of model 2 did not lie on a GPU: CPU:0, GPU:0"
    )
    assert found({"variables": [GPU], "steps": [CPU]}) == "the steps of model 1 did not run on a GPU: CPU:0"
    assert found({"variables": [GPU], "steps": []}) == "the steps of model 1 did not run on a GPU: unknown"


def test_a_program_that_fails_before_its_first_step_was_nowhere_else() -> None:
    assert found(error="no such layer") == ""
    assert found({"variables": [], "steps": []}, error="shapes differ") == ""
    assert found(THERE, {"variables": [GPU], "steps": []}, error="no such layer") == ""
    assert "did not lie on a GPU: CPU:0" in found({"variables": [CPU], "steps": [CPU]}, error="too late")


def test_who_has_a_card_that_is_not_found_learns_what_to_install() -> None:
    made = carded()
    made["cards"] = []
    assert "tensorflow[and-cuda]" in elsewhere(made, "GPU")


class Simulated(Worker):
    """Gives the recordings of a machine with a card, one after the other."""

    def __init__(self, *made: Recording) -> None:
        self.settings = Settings(device="gpu")
        self._made = iter(made)

    def run(self, *args: object, **kwargs: object) -> Run:
        return ran(next(self._made))


def trained_there() -> Recording:
    return {**recording(), "cards": ["NVIDIA H200"], "devices": [THERE]}


def test_an_error_that_a_fix_repairs_is_proved_on_a_card() -> None:
    pair = Pair("p", "fit(a)\n", "fit(b)\n", Contract(repairs=frozenset({"errors"})))
    proof = prove_pair(pair, Simulated(carded(error="no such layer"), trained_there(), carded(error="no such layer")))
    assert proof.outcome == "CHANGED AS DECLARED"


def test_a_repaired_program_that_trains_on_a_processor_proves_nothing_of_a_card() -> None:
    pair = Pair("p", "fit(a)\n", "fit(b)\n", Contract(repairs=frozenset({"errors"})))
    after = trained_there()
    after["devices"] = [{"variables": [CPU], "steps": [CPU]}]
    proof = prove_pair(pair, Simulated(carded(error="no such layer"), after))
    assert proof.outcome == "NOT RUN"
    assert "did not lie on a GPU: CPU:0" in proof.obstacle


def test_two_failures_before_a_step_are_no_matter_of_the_card() -> None:
    pair = Pair("p", "fit(a)\n", "fit(b)\n")
    proof = prove_pair(pair, Simulated(carded(error="no file"), carded(error="no file")))
    assert proof.obstacle == "the program fails before a model is trained, before and after: ValueError: no file"


class Machine:
    """What `tf.config` is on a machine with some cards, as far as a run asks it."""

    def __init__(self, cards: int) -> None:
        self._devices = {"GPU": [f"card {number}" for number in range(cards)], "CPU": ["processor"]}
        self.visible: list[str] = self._devices["GPU"]
        self.parts: dict[str, list[dict[str, int]]] = {}

    def list_physical_devices(self, kind: str) -> list[str]:
        return self._devices[kind]

    def set_visible_devices(self, devices: list[str], kind: str) -> None:
        self.visible = devices

    def LogicalDeviceConfiguration(self, **limit: int) -> dict[str, int]:  # noqa: N802
        return limit

    def set_logical_device_configuration(self, device: str, parts: list[dict[str, int]]) -> None:
        self.parts[device] = parts

    @property
    def replicas(self) -> int:
        """How many a strategy has that takes all GPUs."""
        return sum(len(self.parts.get(card, [{}])) for card in self.visible)


@pytest.mark.parametrize(("there", "wanted"), [(1, 1), (1, 2), (2, 2), (4, 1), (4, 2), (2, 3)])
def test_a_run_has_as_many_replicas_on_any_number_of_cards(there: int, wanted: int) -> None:
    machine = Machine(there)
    assert choose(machine, "gpu", wanted) == 0
    assert machine.replicas == wanted
    assert "processor" not in machine.parts
    assert all(part.get("memory_limit") for parts in machine.parts.values() for part in parts)


@pytest.mark.parametrize(("device", "there"), [("cpu", 2), ("auto", 0), ("gpu", 0)])
def test_processors_stand_for_cards_that_are_hidden_or_not_there(device: str, there: int) -> None:
    machine = Machine(there)
    assert choose(machine, device, 2) == 2
    assert machine.visible == []
    assert len(machine.parts["processor"]) == 2


needs_tensorflow = pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow is not installed")
WAYS = {
    "graph": 'model.compile("sgd", "mse")\nmodel.fit(feed)\n',
    "xla": 'model.compile("sgd", "mse", jit_compile=True)\nmodel.fit(feed)\n',
    "eager": 'model.compile("sgd", "mse", run_eagerly=True)\nmodel.fit(feed)\n',
    "batch": "model.train_on_batch(*feed[0])\n",
    "second model": "model.fit(feed)\nmodel = network()\nmodel.fit(feed)\n",
    "predict": "model.predict(feed.rows)\n",
    "predict by XLA": 'model.compile("sgd", "mse", jit_compile=True)\nmodel.predict(feed.rows)\n',
    "own loop": """
optimizer, (x, y) = keras.optimizers.SGD(), feed[0]
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x)[:, 0] - y) ** 2)
optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
""",
    "own function by XLA": """
optimizer = keras.optimizers.SGD()
optimizer.build(model.trainable_variables)

@tf.function(jit_compile=True)
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x)[:, 0] - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss

step(*feed[0])
""",
    "embeddings alone": """
model = keras.Sequential([keras.Input((3,)), keras.layers.Embedding(9, 1), keras.layers.Flatten()])
model.compile("sgd", "mse")
model.fit(np.ones((4, 3)), np.ones((4, 3)))
""",
}


@pytest.fixture(params=["3", "legacy"])
def anywhere(request: pytest.FixtureRequest, lent: Workers) -> Worker:
    return lent.under(Settings(request.param, device="auto", limit_s=60))


@needs_tensorflow
@pytest.mark.tensorflow
@pytest.mark.parametrize("way", WAYS)
def test_the_device_of_the_step_is_read_where_it_computes(anywhere: Worker, way: str) -> None:
    # Under device="auto" the program pins itself to the CPU, so that this holds beside a GPU, too.
    text = FEED.replace("\nfeed = Feed()", '\ntf.config.set_visible_devices([], "GPU")\nfeed = Feed()') + WAYS[way]
    run = anywhere.run(text, "program.py", None)
    assert run.recording
    assert run.recording["error"] is None
    there: Devices = {"variables": [CPU], "steps": [CPU]}
    assert run.recording["devices"] == [there] * (2 if way == "second model" else 1)
    assert run.recording["cards"] or elsewhere({**run.recording, "cards": ["none"]}, "CPU") == ""
    wanted = (
        "the variables of model 1 did not lie on a GPU: CPU:0"
        if run.recording["cards"]
        else "TensorFlow finds no GPU here"
    )
    assert elsewhere(run.recording, "GPU").startswith(wanted)
