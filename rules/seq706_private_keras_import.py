"""A private module of Keras, such as `tensorflow.python.keras`, imported or asked.

## Why
Only what `keras.layers`, `keras.utils` and the like hand out is public. The modules behind them move with every release.
`tensorflow.python.keras` is a copy of Keras 2 that TensorFlow keeps for itself: its layers, Sequences and optimizers are not
those of `tf.keras`.

## Measured
- Keras 3: `fit` refuses a Sequence of `tensorflow.python.keras` ("Unrecognized data type"), a model its layers and its
  optimizers; ReduceLROnPlateau of it raises AttributeError at `optimizer.lr`.
- Keras 3 and Keras 2: with TensorFlow 2.15 and 2.21 `fit` of a model of `tensorflow.python.keras` raises AttributeError
  "module 'tensorflow.python.distribute.input_lib' has no attribute 'DistributedDatasetInterface'", whatever the data are.
- Keras 3: of `tensorflow.python.keras` the callbacks EarlyStopping, CSVLogger, LambdaCallback, TerminateOnNaN and History,
  `np_utils.to_categorical`, losses and metrics work with models of Keras 3. ModelCheckpoint raises ValueError or TypeError for
  `options`, TensorBoard AttributeError at `_train_counter`, LearningRateScheduler ValueError 'Optimizer must have a "lr" attribute'.
- Keras 2: all of these callbacks work with models of tf-keras, but for TensorBoard, which raises AttributeError there as well, and
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
Import the same name from the public module: `from tensorflow.keras.layers import Dense`, `from keras.utils import to_categorical`.

## Silent when
The import may fail: it stands in a `try` that catches that, or in a branch on the version. The module is part of the project itself, as
where Keras is checked.
"""

import re
from collections.abc import Iterator, Sequence

from seqlint.api import (
    OF_KERAS,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Mention,
    Rule,
    Sometimes,
    a_member_of,
    cst,
    either,
    matching,
    names_instead_of_module,
    public_import,
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
_GONE = re.compile(
    r"keras\.(?:engine|objectives|legacy\.(?!saving\b)\w+|premade|optimizer_v[12]|optimizers\.(?:optimizer_v\d|optimizer_experimental)|saving\.\w*hdf5\w*"
    r"|wrappers\.scikit_learn"
    r"|backend\.(?:tensorflow|theano|cntk|common|load_backend)\w*"
    r"|utils\.(?:visualize_util|(?:np|generic|vis|data|layer|conv|io|tf|training|multi_gpu|test|losses|metrics|tf_inspect)_utils)"
    r"|layers\.(?:advanced_activations|attention|convolutional(?:_recurrent)?|core|cudnn_recurrent|embeddings|kernelized|local|merge|"
    r"merging|noise|normalization|pooling|preprocessing\.\w+|recurrent(?:_v2)?|regularization|reshaping|rnn|wrappers))(?:\.|$)"
)


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[cst.CSTNode] = set()
    for mention in facts.mentions.imported:
        private = _private(mention)
        statement = mention.statement
        if (
            not private
            or statement in seen
            or facts.mentions.of_project(private)
            or facts.mentions.optional(mention.node)
            or facts.evidence.guarded(mention.node)
        ):
            continue
        if isinstance(statement, cst.ImportFrom) and _private_module(statement, mention):
            seen.add(statement)
        node = statement.module if statement in seen and isinstance(statement, cst.ImportFrom) else mention.node
        if node is None:
            continue
        start, end = facts.pointer(node)
        taken = [
            one
            for one in facts.mentions.imported
            if one.statement is statement and (statement in seen or one is mention)
        ]
        works = private == _COPY_OF_2 and all(map(facts.own_copy.works, taken))
        levels = Levels.everywhere("advice") if works else _levels(facts, private, taken)
        finding = Finding(start, end, _message(facts, private, mention, taken), levels=levels)
        edits = _edits(facts, mention, private) if not works else ()
        yield finding.fixed_by("Import it from the public module", *edits) if edits else finding
    yield from _asked(facts)


def _asked(facts: Facts) -> Iterator[Finding]:
    """`keras.layers.advanced_activations.LeakyReLU`, where no import goes through the private module."""
    imported = {_private(mention) for mention in facts.mentions.imported}
    for mention in facts.mentions.reached:
        found = _GONE.fullmatch(mention.name)
        node, parent = mention.node, facts.tree.parents[mention.node]
        if found is None or mention.name in imported or not isinstance(node, cst.Attribute):
            continue
        if facts.mentions.optional(node) or facts.evidence.guarded(node) or facts.values.stored(node) is not None:
            continue
        if facts.mentions.of_project(found[0]):
            continue
        levels = _levels(facts, mention.name)
        message = f"`{mention.name}` does not exist on Keras 3: AttributeError"
        finding = Finding(*facts.pointer(node), message, levels=levels)
        asks = isinstance(parent, cst.Attribute) and parent.value is node
        public = public_name(facts, parent, mention.name) if asks and isinstance(parent, cst.Attribute) else None
        edit = replace(facts, parent, public) if public is not None else None
        yield finding.fixed_by(f"Write `{public}`", edit) if edit is not None else finding


def _private(mention: Mention) -> str:
    """The private module that an import goes through; empty for a public one."""
    for root in (_COPY_OF_2, "keras.src", "tf_keras.src", "keras.api"):
        if mention.name == root or mention.name.startswith(root + "."):
            return root
    found = _GONE.match(mention.name)
    return found[0].rstrip(".") if found is not None else ""


def _private_module(statement: cst.ImportFrom, mention: Mention) -> bool:
    """Whether the module after `from` is private itself, not only what is taken from it."""
    module = mention.module if mention.binding is not None else mention.name
    return bool(_private(Mention(module, statement)))


def _levels(facts: Facts, private: str, taken: Sequence[Mention] = ()) -> Levels | None:
    new = Levels(keras2="error", early="error", keras3="error")
    if private == _COPY_OF_2:
        late = facts.keras.tensorflow_may_be("2.15") and facts.keras.may_be("2.13")
        works_on_2 = facts.own_copy.fails_with_keras_3(taken)
        return Levels("advice" if works_on_2 else "error" if late else "warning", early="error", keras3="error")
    if private in ("keras.src", "tf_keras.src"):
        return Levels.everywhere("advice")
    if private == "keras.api":
        return Levels(keras2=None, early="advice", keras3="error")
    return new if not facts.keras.may_be_older("2.13") else None


def _message(facts: Facts, private: str, mention: Mention, taken: Sequence[Mention]) -> str:
    if private == _COPY_OF_2:
        return f"`{private}` {facts.own_copy.fate(taken)}"
    if private in ("keras.src", "tf_keras.src"):
        return f"`{private}` is private: what is in it moves from release to release"
    line = "Keras 3.10 and later" if private == "keras.api" else "Keras 3"
    statement = mention.statement
    # A module that is taken by its name is missing as any name is.
    by_name = isinstance(statement, cst.ImportFrom) and not _private_module(statement, mention)
    return f"`{private}` does not exist on {line}: {'ImportError' if by_name else 'ModuleNotFoundError'}"


def _edits(facts: Facts, mention: Mention, private: str) -> tuple[Edit, ...]:
    statement = mention.statement
    if not isinstance(statement, cst.ImportFrom) or private in ("keras.src", "tf_keras.src"):
        return ()
    if not _private_module(statement, mention):
        return names_instead_of_module(facts, mention) or ()
    if private == _COPY_OF_2 and not _all_can_move(facts):
        return ()
    return public_import(facts, statement, "tensorflow.keras" if private == _COPY_OF_2 else "keras") or ()


def _all_can_move(facts: Facts) -> bool:
    """Whether every import from TensorFlow's copy has a public twin: half of them moved would mix the two."""
    found = [mention for mention in facts.mentions.imported if _private(mention) == _COPY_OF_2]
    statements = {mention.statement for mention in found}
    return all(isinstance(one, cst.ImportFrom) and public_import(facts, one, "tensorflow.keras") for one in statements)
