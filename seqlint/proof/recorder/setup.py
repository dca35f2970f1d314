"""Makes a run repeatable, and places it: seeds, deterministic operations, devices, replicas."""

from __future__ import annotations

import os
import random
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from . import cards, unseeded

if TYPE_CHECKING:
    from .recording import Job, Orders


def seed(number: int, deterministic: bool = True) -> None:
    """Seed Python, NumPy and TensorFlow, and ask TensorFlow for deterministic operations, unless the program needs one that has none."""
    random.seed(number)
    np.random.seed(number)
    tf.random.set_seed(number)
    if deterministic:
        tf.config.experimental.enable_op_determinism()
    unseeded.seed(number)


def temporary_files(job: Job) -> None:
    """Put temporary files where they are removed with the run, under names that are the same in each run."""
    place = os.path.join(os.path.dirname(job["folder"]), "temporary")
    os.makedirs(place)
    os.environ["TMPDIR"] = tempfile.tempdir = place
    with suppress(AttributeError):  # private: without it the names differ, and count as noise
        tempfile._get_candidate_names().rng.seed(job["seed"])  # type: ignore[attr-defined]


def place(orders: Orders, replicas: int) -> None:
    """Choose the devices of a run. Must come before TensorFlow does anything else."""
    stand_ins = cards.choose(tf.config, orders["device"], replicas)
    if stand_ins:
        _mirror_on_cpus(stand_ins)


def _mirror_on_cpus(count: int) -> None:
    """Have `MirroredStrategy()` without devices take the logical CPUs, as it would take GPUs."""
    original = tf.distribute.MirroredStrategy.__init__

    def mirrored(self: Any, devices: Any = None, *args: Any, **kwargs: Any) -> None:
        original(self, devices or [f"CPU:{number}" for number in range(count)], *args, **kwargs)

    tf.distribute.MirroredStrategy.__init__ = mirrored
