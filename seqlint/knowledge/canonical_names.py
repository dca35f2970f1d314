"""The names of Keras, TensorFlow, NumPy and Horovod, folded to one spelling each.

`tf.keras`, `keras`, `tf_keras`, `tensorflow.python.keras` and Keras's private `keras.src` name the same things; a rule asks for
`keras.callbacks.EarlyStopping` and gets all of them.
"""

from __future__ import annotations

from functools import cache

SEQUENCE = frozenset({"keras.utils.Sequence", "keras.utils.PyDataset"})
# Keras's own subclasses of Sequence.
ITERATORS = frozenset({
    "keras.preprocessing.sequence.TimeseriesGenerator", "keras.preprocessing.image.Iterator", "keras.preprocessing.image.DirectoryIterator",
    "keras.preprocessing.image.NumpyArrayIterator", "keras.preprocessing.image.DataFrameIterator",
})  # fmt: skip
CALLBACK = frozenset({"keras.callbacks.Callback"})
METRIC = frozenset({"keras.metrics.Metric", "keras.Metric"})
MODEL = frozenset({"keras.Model", "keras.Sequential"})
# Bases that bring nothing that a rule looks at.
NEUTRAL = frozenset(
    {"abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Generic", "typing_extensions.Protocol"}
)
LIBRARIES = ("keras", "tensorflow", "numpy", "horovod", "builtins")

# Longest first: the first that fits is taken.
_ROOTS = (
    ("tensorflow.compat.v1.keras", "keras"), ("tensorflow.compat.v2.keras", "keras"), ("tensorflow.python.keras", "keras"),
    ("tensorflow.keras", "keras"), ("tf_keras.src", "keras"), ("tf_keras.api", "keras"), ("tf_keras", "keras"),
    ("keras.api._v2.keras", "keras"), ("keras.api", "keras"), ("keras.src", "keras"), ("keras.legacy", "keras"),
    ("horovod.tensorflow.keras", "horovod.keras"), ("tensorflow.compat.v2", "tensorflow"), ("tensorflow.compat.v1", "tensorflow"),
)  # fmt: skip

# Where the same thing has a second public or private home.
_MODULES = (
    ("keras.utils.data_utils", "keras.utils"), ("keras.trainers.data_adapters.py_dataset_adapter", "keras.utils"),
    ("keras.callbacks.callback", "keras.callbacks"), ("keras.callbacks.early_stopping", "keras.callbacks"),
    ("keras.callbacks.model_checkpoint", "keras.callbacks"), ("keras.callbacks_v1", "keras.callbacks"),
    ("keras.engine.training", "keras"), ("keras.engine.sequential", "keras"), ("keras.engine.functional", "keras"),
    ("keras.models", "keras"), ("keras.preprocessing.image_dataset", "keras.utils"),
)  # fmt: skip

_NAMES = {
    "keras.Functional": "keras.Model",
    "keras.sequential.Sequential": "keras.Sequential",
    "keras.model.Model": "keras.Model",
    "keras.Model.Model": "keras.Model",
    "keras.preprocessing.image_dataset_from_directory": "keras.utils.image_dataset_from_directory",
    "keras.preprocessing.image.load_img": "keras.utils.load_img",
    "keras.preprocessing.image.img_to_array": "keras.utils.img_to_array",
    "tensorflow.data.experimental.AUTOTUNE": "tensorflow.data.AUTOTUNE",
    "tensorflow.distribute.experimental.MultiWorkerMirroredStrategy": "tensorflow.distribute.MultiWorkerMirroredStrategy",
}

# What `from MODULE import *` brings that the rules ask for. Other names stay unknown.
STAR_EXPORTS: dict[str, frozenset[str]] = {
    "keras.callbacks": frozenset({
        "Callback", "CallbackList", "BaseLogger", "TerminateOnNaN", "ProgbarLogger", "History", "ModelCheckpoint", "EarlyStopping",
        "RemoteMonitor", "LearningRateScheduler", "TensorBoard", "ReduceLROnPlateau", "CSVLogger", "LambdaCallback",
        "BackupAndRestore",
    }),
    "keras.models": frozenset({"Model", "Sequential", "load_model", "clone_model", "model_from_json"}),
    "keras.utils": frozenset({"Sequence", "PyDataset", "to_categorical", "image_dataset_from_directory", "load_img", "img_to_array"}),
    "keras": frozenset({"Model", "Sequential", "Input"}),
    "keras.optimizers": frozenset({
        "SGD", "RMSprop", "Adam", "AdamW", "Adadelta", "Adagrad", "Adamax", "Nadam", "Ftrl", "Optimizer",
    }),
    "keras.preprocessing.image": frozenset({"ImageDataGenerator", "load_img", "img_to_array"}),
}  # fmt: skip


@cache
def canonical(name: str) -> str:
    """The one spelling of a dotted name: "tensorflow.keras.utils.Sequence" becomes "keras.utils.Sequence"."""
    for root, folded in _ROOTS:
        if name == root or name.startswith(root + "."):
            name = folded + name[len(root) :]
            break
    if not name.startswith("keras"):
        return _NAMES.get(name, name)
    for module, folded in _MODULES:
        if name.startswith(module + "."):
            name = folded + name[len(module) :]
            break
    return _NAMES.get(name, name)


def library(name: str) -> bool:
    """Whether a canonical name belongs to a library that the vocabulary knows."""
    return name.partition(".")[0] in LIBRARIES
