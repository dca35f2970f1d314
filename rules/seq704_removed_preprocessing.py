"""A name that `keras.preprocessing` lost, such as `ImageDataGenerator`.

## Why
Keras 3 kept the parts of `keras.preprocessing` that it recommends. The rest left the package `keras`; TensorFlow still has it
as `tf.keras.preprocessing`.

## Measured
- Keras 3: `from keras.preprocessing.image import ImageDataGenerator` raises ImportError, `keras.preprocessing.image.ImageDataGenerator`
  AttributeError. Left in `keras.preprocessing.image` are `array_to_img`, `img_to_array`, `load_img`, `save_img` and `smart_resize`.
- Keras 3: `keras.preprocessing.text` raises ModuleNotFoundError; of `keras.preprocessing.sequence` only `pad_sequences` is left.
- Keras 3: `tf.keras.preprocessing.image`, `.sequence` and `.text` have all of them.
- Keras 2: all are there, in both.

## Do this
Import them from `tensorflow.keras.preprocessing`, or move to `keras.utils.image_dataset_from_directory` with augmentation layers,
`keras.layers.TextVectorization` and `keras.utils.timeseries_dataset_from_array`.

## Silent when
The import is in a `try` that expects it to fail.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    LOST_PREPROCESSING,
    NOT_IN_TENSORFLOW,
    OF_KERAS,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Mention,
    Note,
    Rule,
    a_member_of,
    cst,
    dotted,
    replace,
)

_IMPORTED = """
import keras
import numpy as np
from keras.preprocessing.image import ImageDataGenerator, img_to_array
from keras.preprocessing.text import Tokenizer

images = np.ones((8, 4, 4, 1), "float32")
flow = ImageDataGenerator(rescale=0.5).flow(images, np.ones((8, 1)), batch_size=4)
words = Tokenizer(num_words=9)
words.fit_on_texts(["a b", "b"])
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(flow, epochs=2, verbose=0)
"""

_HELP = "import it from `tensorflow.keras.preprocessing`, or use `keras.layers` and `keras.utils` instead"

RULE = Rule(
    code="SEQ704",
    name="removed-preprocessing",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(a_member_of(OF_KERAS, "preprocessing"),),
    examples=(
        Example(
            _IMPORTED,
            _IMPORTED.replace("from keras.preprocessing.", "from tensorflow.keras.preprocessing."),
        ),
        Example(
            """
import keras
import numpy as np
import tensorflow as tf
from keras.preprocessing import sequence

tides = np.arange(12, dtype="float32").reshape(12, 1)
windows = sequence.TimeseriesGenerator(tides, tides, length=4, batch_size=4)
table = keras.preprocessing.sequence.make_sampling_table(4)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(windows, epochs=2, verbose=0)
""",
            """
import keras
import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing import sequence

tides = np.arange(12, dtype="float32").reshape(12, 1)
windows = sequence.TimeseriesGenerator(tides, tides, length=4, batch_size=4)
table = tf.keras.preprocessing.sequence.make_sampling_table(4)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(windows, epochs=2, verbose=0)
""",
            keras=">=2.15",
        ),
        Example(
            """
import keras

words = keras.preprocessing.text.Tokenizer(num_words=9)
"""
        ),
        Example.ok(
            """
import keras
from keras.preprocessing.image import img_to_array, load_img
from keras.preprocessing.sequence import pad_sequences

rows = pad_sequences([[1], [1, 2]])
rows = keras.preprocessing.sequence.pad_sequences([[1], [1, 2]])
"""
        ),
        Example.ok(
            """
import tensorflow as tf
from tensorflow.keras.preprocessing.image import ImageDataGenerator

flow = ImageDataGenerator()
words = tf.keras.preprocessing.text.Tokenizer()
"""
        ),
        Example.ok(
            """
try:
    from keras.preprocessing.image import ImageDataGenerator
except ImportError:
    from tensorflow.keras.preprocessing.image import ImageDataGenerator
"""
        ),
    ),
    sources=("rr-learning/diploSHIC#55", "instadeepai/VeriX#3"),
)

_ROOT = "keras.preprocessing"


def check(facts: Facts) -> Iterator[Finding]:
    for mention in facts.mentions.imported:
        lost = _lost(facts, mention)
        if lost and not _is_optional(facts, mention):
            yield _fixed(_finding(facts, mention, lost), _imported_from_tensorflow(facts, mention, lost))
    through = {
        use for mention in facts.mentions.imported if _lost(facts, mention) for use in facts.mentions.uses(mention)
    }
    for mention in facts.mentions.reached:
        module, _, name = mention.name.rpartition(".")
        if (
            name not in LOST_PREPROCESSING.get(module, ())
            or _is_optional(facts, mention)
            or _first(mention.node) in through
        ):
            continue
        yield _fixed(_finding(facts, mention, (name,)), _reached_through_tensorflow(facts, mention))


def _lost(facts: Facts, mention: Mention) -> tuple[str, ...]:
    """What an import asks for that is gone: a name, a module, or names that its uses ask of a module."""
    module, _, name = mention.name.rpartition(".")
    if mention.binding is not None and name in LOST_PREPROCESSING.get(module, ()):
        return (name,)
    if mention.name == f"{_ROOT}.text":
        return ("text",)
    if mention.name not in LOST_PREPROCESSING or mention.binding is None or mention.binding.name == "keras":
        return ()
    parents = [facts.tree.parents[use] for use in facts.mentions.uses(mention)]
    asked = [parent.attr.value for parent in parents if isinstance(parent, cst.Attribute)]
    return tuple(dict.fromkeys(name for name in asked if name in LOST_PREPROCESSING[mention.name]))


def _is_optional(facts: Facts, mention: Mention) -> bool:
    return facts.mentions.optional(mention.node) or facts.evidence.guarded(mention.node)


def _finding(facts: Facts, mention: Mention, lost: tuple[str, ...]) -> Finding:
    home = mention.name if mention.name in LOST_PREPROCESSING and lost != ("text",) else mention.name.rpartition(".")[0]
    what = f"`{lost[0]}`" if len(lost) == 1 else f"`{'`, `'.join(lost[:-1])}` or `{lost[-1]}`"
    note = Note.on_keras_3(f"the import fails; `tf.{home}` still has {'it' if len(lost) == 1 else 'them'}")
    return facts.finding(mention.node, f"`{home}` has no {what} on Keras 3", note)


def _fixed(finding: Finding, edits: tuple[Edit, ...]) -> Finding:
    if edits:
        return finding.fixed_by("Import it from `tensorflow.keras`", *edits)
    return but(finding, help=_HELP, no_fix="other names of this import, or its form, would change too")


def _may_change(facts: Facts, lost: tuple[str, ...]) -> bool:
    """Whether TensorFlow has the names and hands out the same Keras as the file uses."""
    return facts.runs_tensorflow and not facts.keras.legacy and NOT_IN_TENSORFLOW.isdisjoint(lost)


def _imported_from_tensorflow(facts: Facts, mention: Mention, lost: tuple[str, ...]) -> tuple[Edit, ...]:
    statement = mention.statement
    if not _may_change(facts, lost):
        return ()
    if isinstance(statement, cst.ImportFrom) and statement.module is not None:
        names = [] if isinstance(statement.names, cst.ImportStar) else [dotted(alias.name) for alias in statement.names]
        whole = dotted(statement.module)
        if not whole.startswith(_ROOT) or not NOT_IN_TENSORFLOW.isdisjoint(names):
            return ()
        return (replace(facts, statement.module, f"tensorflow.{whole}"),)
    alias = mention.node
    if isinstance(alias, cst.ImportAlias) and alias.asname is not None:
        return (replace(facts, alias.name, f"tensorflow.{dotted(alias.name)}"),)
    return ()


def _reached_through_tensorflow(facts: Facts, mention: Mention) -> tuple[Edit, ...]:
    """`keras.preprocessing.…` becomes `tf.keras.preprocessing.…` where the file has TensorFlow under a name."""
    name = mention.name
    text = facts.text(mention.node)
    if not _may_change(facts, (name.rpartition(".")[2],)) or text != name:
        return ()
    for other in facts.mentions.imported:
        binding = other.binding
        if other.name != "tensorflow" or binding is None or not isinstance(other.statement, cst.Import):
            continue
        scope = facts.names.scope(mention.node)
        if binding.scope.kind == "module" and scope.home(binding.name) in (None, binding.scope):
            return (replace(facts, mention.node, f"{binding.name}.{name}"),)
    return ()


def _first(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node
