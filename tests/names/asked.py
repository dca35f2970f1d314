"""Prints what one Keras has, as JSON. It runs alone, under the interpreter and the Keras that are asked, and imports nothing of seqlint.

    python asked.py keras tf.keras < what-to-try.json

Each root gives its public names with their kind and parameters, and the attributes of some objects. What is read from the input is tried by a
call: {"layers.Dense": ["input_shape"]} makes a Dense without and with that argument.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import types
import warnings
from functools import reduce
from typing import Any

_PRIVATE = frozenset({"src", "api"})
PLAIN = "()"
"""What is tried without any of the arguments."""
_SAMPLES = {
    "Model": "functional(keras)",
    "Sequential": "sequential(keras)",
    "layers.Layer": "built(keras)",
    "layers.RNN": "keras.layers.LSTM(1)",
    "layers.InputLayer": "keras.layers.InputLayer((2,))",
    "optimizers.Optimizer": "keras.optimizers.SGD()",
    "callbacks.Callback": "keras.callbacks.Callback()",
    "metrics.Metric": "keras.metrics.Mean()",
    "losses.Loss": "keras.losses.MeanSquaredError()",
    "initializers.Initializer": "keras.initializers.Zeros()",
    "regularizers.Regularizer": "keras.regularizers.L2(0.1)",
    "KerasTensor": "keras.Input((2,))",
    "KerasTensor.shape": "keras.Input((2,)).shape",
}
_GIVEN: dict[str, Any] = {
    "units": 2, "filters": 2, "kernel_size": 1, "rate": 0.1, "stddev": 0.1, "n": 2, "dims": (1,), "target_shape": (1,), "input_dim": 2,
    "output_dim": 2, "height": 2, "width": 2, "factor": 0.1, "num_tokens": 2, "num_bins": 2, "axes": 1, "scale": 1.0, "activation": "relu",
    "num_heads": 1, "key_dim": 1, "equation": "ab,bc->ac", "output_shape": 2, "num_classes": 2, "target_class_ids": [0], "recall": 0.5,
    "precision": 0.5, "sensitivity": 0.5, "specificity": 0.5, "filename": "a.csv", "filepath": "a.keras", "backup_dir": "b",
    "initial_learning_rate": 0.1, "decay_steps": 2, "decay_rate": 0.5, "first_decay_steps": 2, "boundaries": [1], "values": [0.1, 0.2],
    "value": 0.1, "fn": abs, "name": "it", "function": abs, "pool_size": 2, "fold": 2, "size": 2, "padding": 1, "cropping": 1,
}  # fmt: skip
"""What is given for parameters that have no default."""


def functional(keras: Any) -> Any:
    """A model that is compiled."""
    inputs = keras.Input((2,))
    model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
    model.compile(optimizer="sgd", loss="mse")
    return model


def sequential(keras: Any) -> Any:
    """A Sequential that is compiled."""
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    model.compile(optimizer="sgd", loss="mse")
    return model


def built(keras: Any) -> Any:
    """A layer of a functional model."""
    return functional(keras).layers[-1]


def listed(module: types.ModuleType, at: str = "", seen: tuple[int, ...] = ()) -> dict[str, list[str]]:
    """The public names below a module: kind and parameters of each. Modules count under their own path alone."""
    found: dict[str, list[str]] = {}
    if id(module) in seen:
        return found
    for name in sorted({*dir(module), *getattr(module, "__all__", ())}):
        value = getattr(module, name, None)
        where = f"{at}.{name}" if at else name
        if name.startswith("_") or name in _PRIVATE or value is None or type(value).__name__ == "_Feature":
            continue
        if not isinstance(value, types.ModuleType):
            found[where] = described(value)
        elif value.__name__.endswith(f".{where}"):
            found[where] = ["module", ""]
            found.update(listed(value, where, (*seen, id(module))))
    return found


def described(value: Any) -> list[str]:
    """The kind and the parameters of an object."""
    if inspect.isclass(value):
        return ["class", parameters(value.__init__)]
    return ["function", parameters(value)] if callable(value) else ["value", ""]


def parameters(function: Any) -> str:
    """`x, axis=-1, **kwargs`; empty where Python cannot tell."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ""
    return ", ".join(_written(each) for each in found if each.name != "self")


def _written(one: inspect.Parameter) -> str:
    mark = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
    text = repr(one.default)
    default = "" if one.default is one.empty else f"={text}" if len(text) < 40 and " at 0x" not in text else "=..."
    return f"{mark}{one.name}{default}"


def attributes(keras: Any) -> dict[str, dict[str, str]]:
    """The public attributes of some objects, and the parameters of those that are methods."""
    makers = {"keras": keras, "functional": functional, "sequential": sequential, "built": built}
    found = {}
    for name, code in _SAMPLES.items():
        try:
            one = eval(code, makers)
        except AttributeError:
            continue  # an older Keras has no such class
        found[name] = {each: _member(one, each) for each in sorted(dir(one)) if not each.startswith("_")}
    return {name: {each: text for each, text in of.items() if text != "-"} for name, of in found.items()}


def _member(one: Any, name: str) -> str:
    try:
        value = getattr(one, name)
    except Exception as error:
        return "-" if isinstance(error, AttributeError) and "called" not in str(error) else "value"
    return f"({parameters(value)})" if inspect.ismethod(value) else "value"


def tried(keras: Any, wanted: dict[str, list[str]]) -> dict[str, dict[str, str]]:
    """What comes of arguments that are given to a class: "taken", or the name of the error; where a plain call fails, that of its error."""
    return {name: found for name, names in wanted.items() if (found := _tried(keras, name, names))}


def _tried(keras: Any, name: str, names: list[str]) -> dict[str, str]:
    try:
        made = reduce(getattr, name.split("."), keras)
        signature = inspect.signature(made.__init__)
        plain = {
            each.name: _GIVEN[each.name]
            for each in signature.parameters.values()
            if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD and each.name != "self"
        }
        made(**plain)
    except Exception as error:
        return {PLAIN: type(error).__name__}
    return {each: _fate(made, plain, each) for each in names}


def _fate(made: Any, plain: dict[str, Any], name: str) -> str:
    given = {
        "input_shape": (2,),
        "batch_input_shape": (1, 2),
        "lr": 0.1,
        "decay": 0.1,
        "input_length": 2,
        "weights": None,
    }
    try:
        made(**plain, **{name: given.get(name, _GIVEN.get(name))})
    except Exception as error:
        return type(error).__name__
    return "taken"


def main(roots: list[str]) -> None:
    """Ask each root."""
    warnings.simplefilter("ignore")
    wanted = json.load(sys.stdin)
    found: dict[str, Any] = {}
    for root in roots:
        module: Any = importlib.import_module("tensorflow" if root == "tf.keras" else root)
        if root == "tf.keras":
            getattr(module.keras, "layers")  # noqa: B009  the first name that is asked for loads it
            module = sys.modules.get("keras._tf_keras.keras") or sys.modules[module.keras.__name__]
        found[root] = {"version": getattr(module, "__version__", ""), "names": listed(module)}
        if root != "tf.keras":
            found[root].update(attributes=attributes(module), tried=tried(module, wanted))
    print("\n" + json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
