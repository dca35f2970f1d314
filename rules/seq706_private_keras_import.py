"""A private module of Keras is used, such as `tensorflow.python.keras`.

## Why
Only what `keras.layers`, `keras.utils` and the like offer is public. The private modules change with every release.
`tensorflow.python.keras` is a copy of Keras 2 that TensorFlow keeps for itself: its layers, Sequences and optimizers are not those of
`tf.keras`.

## Measured
- Keras 3: `fit` refuses a Sequence of `tensorflow.python.keras` ("Unrecognized data type"), a model its layers and its
  optimizers; ReduceLROnPlateau of it raises AttributeError at `optimizer.lr`.
- Keras 3 and Keras 2: with TensorFlow 2.15 and 2.21 `fit` of a model of `tensorflow.python.keras` raises AttributeError
  "module 'tensorflow.python.distribute.input_lib' has no attribute 'DistributedDatasetInterface'", whatever the data are.
- Keras 3: of `tensorflow.python.keras` the callbacks EarlyStopping, CSVLogger, LambdaCallback, TerminateOnNaN and History,
  `np_utils.to_categorical`, activations, initializers, losses and metrics work with models of Keras 3. ModelCheckpoint raises ValueError or TypeError for
  `options`, TensorBoard AttributeError at `_train_counter`, LearningRateScheduler ValueError 'Optimizer must have a "lr" attribute'.
- Keras 2: all of these callbacks work with models of tf-keras, except for TensorBoard, which raises AttributeError there as well, and
  ModelCheckpoint with a path that ends in `.keras`, which raises ValueError.
- Keras 3 and Keras 2: with TensorFlow 2.16 and 2.21 it has no `preprocessing`, `datasets`, `applications`, `wrappers` and no
  `utils.to_categorical`: ImportError.
- Keras 3: `keras.engine`, `keras.layers.core`, `keras.layers.merge`, `keras.utils.np_utils`, `keras.utils.data_utils` and their
  like raise ModuleNotFoundError, and `from keras.utils import np_utils` ImportError; on Keras 2 they do so from 2.13 on. To ask
  `keras.layers` for `core` or `advanced_activations` raises AttributeError on the same lines.
- Keras 3.10 and later: `keras.api` raises ModuleNotFoundError, too.
- Keras 3.0 to 3.9: `keras.api` is there.
- Keras 3: `keras.src` is there, and on Keras 2 from 2.13 on.

## Do this
Import the same name from the public module: `from tensorflow.keras.layers import Dense`, `from keras.utils import to_categorical`. If no
public module has it, look for what replaced it in the documentation of Keras, and copy the few lines that you need if nothing did.

## Silent when
The import may fail: it is in a `try` that catches that, or in a branch on the version. The module is part of the project itself, for
example where the code of Keras is checked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace as but

from seqlint.api import (
    KERAS_SOURCES,
    OF_KERAS,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Mention,
    Note,
    Rule,
    Sometimes,
    a_member_of,
    cst,
    either,
    is_from_private,
    is_gone,
    matching,
    private_module,
    public_instead,
    public_name,
    replace,
)

_COPY = """
import numpy as np
from tensorflow.python.keras.layers import Dense
from tensorflow.python.keras.models import Sequential
from tensorflow.python.keras.utils.data_utils import Sequence


class Waves(Sequence):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return np.ones((4, 3), "float32"), np.ones((4, 1), "float32")


model = Sequential([Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Waves(), epochs=2, verbose=0)
"""
_MOVED = """
import keras
import numpy as np
from keras.layers.core import Dense, Flatten
from keras.utils import np_utils

labels = np_utils.to_categorical([0, 1, 1, 0], 2)
model = keras.Sequential([Flatten(), Dense(2)])
model.compile(optimizer="sgd", loss="mse")
model.fit(np.ones((4, 3), "float32"), labels, verbose=0)
"""

_PRIVATE_PARTS = (
    "python", "src", "api", "engine", "objectives", "legacy", "premade", "optimizer_experimental", "scikit_learn", "visualize_util",
    "advanced_activations", "attention", "core", "cudnn_recurrent", "embeddings", "kernelized", "local", "merge", "merging", "noise",
    "normalization", "pooling", "regularization", "reshaping", "rnn", "wrappers",
)  # fmt: skip
_LIKE = (
    r"optimizer_v\d|\w*hdf5\w*|(?:tensorflow|theano|cntk|common|load)_\w*backend\w*|common|(?:convolutional|recurrent)(?:_recurrent|_v2)?"
    r"|(?:np|generic|vis|data|layer|conv|io|tf|training|multi_gpu|test|losses|metrics|tf_inspect)_utils"
)
_LAYERS = r"\blayers\s*\.\s*preprocessing\b|\blayers\s+import\b[^\n]*preprocessing"

RULE = Rule(
    code="SEQ706",
    name="private-keras-import",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(keras2=("error", "warning", "advice"), early=("advice",), keras3=("advice",)),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(either(a_member_of(OF_KERAS, *_PRIVATE_PARTS, like=_LIKE), matching(_LAYERS)),),
    examples=(
        Example(
            _COPY,
            _COPY.replace(".python", "").replace(".data_utils", ""),
        ),
        Example(
            _MOVED,
            _MOVED.replace(".core", "")
            .replace("import np_utils", "import to_categorical")
            .replace("np_utils.to_categorical", "to_categorical"),
            keras=">=3",
        ),
        Example(
            """
from tensorflow.python.keras.layers import Dense, Wrapper
from tensorflow.python.keras.engine.base_layer_utils import make_variable

layers = [Dense(1), Wrapper, make_variable]
"""
        ),
        Example.ok(
            """
try:
    from keras.utils.np_utils import to_categorical
except ModuleNotFoundError:
    from keras.utils import to_categorical

labels = to_categorical([0, 1], 2)
"""
        ),
        Example.ok(
            """
import keras
import tensorflow as tf
from keras.applications.vgg16 import preprocess_input
from keras.optimizers.schedules import ExponentialDecay
from tensorflow.keras.layers import Dense

layers = [Dense(1), keras.layers.Dense(1)]
rate = ExponentialDecay(0.1, 10, 0.9)
"""
        ),
    ),
    sources=("tensorflow/addons#2643", "thushv89/attention_keras#21"),
)

_COPY_OF_2 = "tensorflow.python.keras"
_HELP = "import it from the public module"


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for mention in facts.mentions.imported:
        private = private_module(mention.name)
        statement = mention.statement
        if (
            not private
            or statement in seen
            or facts.mentions.of_project(private)
            or facts.mentions.optional(mention.node)
            or facts.evidence.guarded(mention.node)
        ):
            continue
        if isinstance(statement, cst.ImportFrom) and is_from_private(mention):
            seen.add(statement)
        node = statement.module if statement in seen and isinstance(statement, cst.ImportFrom) else mention.node
        if node is None:
            continue
        taken = [
            one
            for one in facts.mentions.imported
            if one.statement is statement and (statement in seen or one is mention)
        ]
        works = private == _COPY_OF_2 and all(map(facts.own_copy.works, taken))
        levels = Levels.everywhere("advice") if works else _levels(facts, private, taken)
        finding = but(facts.finding(node, *_texts(facts, private, mention, taken)), levels=levels)
        edits = public_instead(facts, mention, private) if not works else "what it imports works today"
        if isinstance(edits, str):
            yield but(finding, help=_HELP, no_fix=edits)
        else:
            yield finding.fixed_by("Import it from the public module", *edits)
    yield from _asked(facts)


def _asked(facts: Facts) -> Iterator[Finding]:
    """`keras.layers.advanced_activations.LeakyReLU`, where no import goes through the private module."""
    imported = {private_module(mention.name) for mention in facts.mentions.imported}
    for mention in facts.mentions.reached:
        node, parent = mention.node, facts.tree.parents[mention.node]
        if not is_gone(mention.name) or mention.name in imported or not isinstance(node, cst.Attribute):
            continue
        if facts.mentions.optional(node) or facts.evidence.guarded(node) or facts.values.stored(node) is not None:
            continue
        if facts.mentions.of_project(mention.name):
            continue
        texts = _missing(facts, mention.name, "reading it raises AttributeError")
        finding = but(facts.finding(node, *texts), levels=_levels(facts, mention.name))
        asks = isinstance(parent, cst.Attribute) and parent.value is node
        public = public_name(facts, parent, mention.name) if asks and isinstance(parent, cst.Attribute) else None
        if public is not None:
            yield finding.fixed_by(f"Write `{public}`", replace(facts, parent, public))
        else:
            yield but(finding, help=_HELP, no_fix="the file does not reach one public module that has what it asks for")


def _levels(facts: Facts, private: str, taken: Sequence[Mention] = ()) -> Levels | None:
    new = Levels(keras2="error", early="error", keras3="error")
    if private == _COPY_OF_2:
        late = facts.keras.tensorflow_may_be("2.15") and facts.keras.may_be("2.13")
        works_on_2 = facts.own_copy.fails_with_keras_3(taken)
        return Levels("advice" if works_on_2 else "error" if late else "warning", early="error", keras3="error")
    if private in KERAS_SOURCES:
        return Levels.everywhere("advice")
    if private == "keras.api":
        return Levels(keras2=None, early="advice", keras3="error")
    return new if not facts.keras.may_be_older("2.13") else None


def _texts(facts: Facts, private: str, mention: Mention, taken: Sequence[Mention]) -> tuple[str, Note]:
    """The message and the note."""
    if private == _COPY_OF_2:
        message, note = facts.own_copy.fate(taken)
        return f"`{private}` {message}", Note(note)
    if private in KERAS_SOURCES:
        return f"`{private}` is private", Note("its content changes from release to release")
    # A module that is taken by its name is missing as any name is.
    by_name = isinstance(mention.statement, cst.ImportFrom) and not is_from_private(mention)
    raised = f"the import raises {'ImportError' if by_name else 'ModuleNotFoundError'}"
    if private == "keras.api":
        return f"`{private}` does not exist on Keras 3.10 and later", Note(
            early="it exists, but is private", keras3=raised
        )
    return _missing(facts, private, raised)


def _missing(facts: Facts, private: str, raised: str) -> tuple[str, Note]:
    line = "Keras 2.13 and later" if facts.keras.lines == {"2"} else "Keras 3"
    return f"`{private}` does not exist on {line}", Note.on_keras_3(raised, f"from 2.13 on {raised}")
