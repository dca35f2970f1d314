"""Runs programs on TensorFlow and says what they did: the names that fits logged, how datasets behave.

Reads JSON from its input: "kind", "legacy", "start" and "programs". Writes JSON to the file that it is given.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

MOST = 200


def main() -> None:
    asked = json.load(sys.stdin)
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    warnings.filterwarnings("ignore")
    if asked["legacy"]:
        import tf_keras

        sys.modules["keras"] = tf_keras
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    tf.config.run_functions_eagerly(True)
    look = logged if asked["kind"] == "fits" else behaviour
    found = {name: tried(asked["start"] + program, look) for name, program in asked["programs"].items()}
    Path(sys.argv[1]).write_text(json.dumps(found), encoding="utf-8")


def tried(program: str, look: Any) -> Any:
    """What a program did; None where Keras refuses it."""
    import keras

    keras.backend.clear_session()
    names: dict[str, Any] = {"__name__": "program"}
    try:
        exec(compile(program, "program", "exec"), names)
    except Exception:
        return None
    return look(names)


def logged(names: dict[str, Any]) -> list[str]:
    return sorted(names["history"].history)


def behaviour(names: dict[str, Any]) -> dict[str, Any]:
    import tensorflow as tf

    ds = names["ds"]
    endless = bool(tf.data.experimental.cardinality(ds) == tf.data.INFINITE_CARDINALITY)
    first, second = (flat(list(itertools.islice(ds.as_numpy_iterator(), MOST))) for _ in range(2))
    return {
        "endless": endless,
        "first": first,
        "second": second,
        "rank": len(tf.nest.flatten(ds.element_spec)[0].shape),
    }


def flat(items: list[Any]) -> list[int]:
    import numpy as np
    import tensorflow as tf

    arrays = [tf.nest.flatten(item)[0] for item in items]
    return [int(value) for array in arrays for value in np.ravel(array)]


main()
