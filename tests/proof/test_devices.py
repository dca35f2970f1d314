"""A run on a device counts only where the models lay and the train steps computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing
from seqlint.proof.devices import elsewhere
from tests.proof.programs import FEED
from tests.proof.recordings import recording

if TYPE_CHECKING:
    from seqlint.proof import Worker, Workers
    from seqlint.proof.recorder.recording import Devices

CPU, GPU = (f"/job:localhost/replica:0/task:0/device:{name}:0" for name in ("CPU", "GPU"))


def found(*devices: Devices) -> str:
    made = recording()
    made["devices"] = list(devices)
    made["cards"] = ["NVIDIA H200"]
    return elsewhere(made, "GPU")


def test_every_model_must_lie_and_train_there() -> None:
    there: Devices = {"variables": [GPU], "steps": [CPU, GPU]}
    assert found(there) == ""
    assert found() == "no model was trained by Keras, so nothing shows that it ran on a GPU"
    assert found(there, {"variables": [CPU, GPU], "steps": [GPU]}) == (
        "the variables of model 2 did not lie on a GPU: CPU:0, GPU:0"
    )
    assert found({"variables": [GPU], "steps": [CPU]}) == "the train step of model 1 did not run on a GPU: CPU:0"
    assert found({"variables": [GPU], "steps": []}) == "the train step of model 1 did not run on a GPU: unknown"


needs_tensorflow = pytest.mark.skipif(bool(missing(Settings(keras="legacy"))), reason="TensorFlow is not installed")
WAYS = {
    "graph": 'model.compile("sgd", "mse")\nmodel.fit(feed)\n',
    "xla": 'model.compile("sgd", "mse", jit_compile=True)\nmodel.fit(feed)\n',
    "eager": 'model.compile("sgd", "mse", run_eagerly=True)\nmodel.fit(feed)\n',
    "batch": "model.train_on_batch(*feed[0])\n",
    "second model": "model.fit(feed)\nmodel = network()\nmodel.fit(feed)\n",
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
    assert [item["steps"] for item in run.recording["devices"]] == [[CPU]] * (2 if way == "second model" else 1)
    assert run.recording["cards"] or elsewhere({**run.recording, "cards": ["none"]}, "CPU") == ""
    wanted = (
        "the variables of model 1 did not lie on a GPU" if run.recording["cards"] else "TensorFlow finds no GPU here"
    )
    assert elsewhere(run.recording, "GPU").startswith(wanted)
