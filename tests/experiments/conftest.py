"""Each experiment runs on every line of Keras that is installed: Keras 3 (early or newest) and tf-keras, side by side in one process."""

from __future__ import annotations

import functools
import gc
import os
from typing import TYPE_CHECKING

import pytest

from tests.experiments.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

MODULES = {"keras": "keras", "tf-keras": "tf_keras"}


@pytest.fixture(params=MODULES)
def line(request: pytest.FixtureRequest) -> Iterator[Line]:
    """A Keras with one seed and no state left of the experiment before."""
    os.environ["KERAS_BACKEND"] = "tensorflow"
    pytest.importorskip("tensorflow", reason="TensorFlow is not installed")
    keras = _imported(request.param)
    keras.utils.set_random_seed(7)
    made = Line(_name(keras.__version__), keras)
    yield made
    # Kept in pytest's report: what was said of which Keras.
    request.node.user_properties.append(("keras", keras.__version__))
    request.node.user_properties.extend(("says", sentence) for sentence in made.said)
    keras.backend.clear_session()


@pytest.fixture
def unseeded(line: Line) -> Iterator[Line]:
    """The same Keras without the global seed of TensorFlow that an experiment begins with: operations draw anew each time."""
    import tensorflow as tf

    tf.random.set_seed(None)
    yield line
    tf.random.set_seed(7)


@functools.cache
def _imported(name: str) -> ModuleType:
    """The module of a Keras; a collection of garbage, which each experiment ends with, then leaves out what was imported."""
    found: ModuleType = pytest.importorskip(MODULES[name], reason=f"{name} is not installed")
    gc.collect()
    gc.freeze()
    return found


def _name(version: str) -> str:
    major, minor = (int(part) for part in version.split(".")[:2])
    if major == 2:
        return "Keras 2"
    return "Keras 3.0 to 3.9" if minor < 10 else "Keras 3.10 and later"
