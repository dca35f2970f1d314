"""Parts of two versions of Keras in one file, such as `keras` and `tf_keras`.

## Why
`tf_keras` is Keras 2, and `keras` is Keras 3 where TensorFlow 2.16 or later is installed. The two packages do not know each
other's classes. `tf.keras` is one of them: `tf_keras` where TF_USE_LEGACY_KERAS is set, else `keras`.

## Measured
- Keras 3: `keras` and `tf.keras` are the same objects, as long as TF_USE_LEGACY_KERAS is not set.
- Keras 3: a model of `keras` refuses layers ("Only instances of `keras.Layer` can be added"), optimizers and Sequences of `tf_keras`.
  EarlyStopping, losses and metrics of `tf_keras` work in it; ReduceLROnPlateau raises AttributeError at `optimizer.lr`.
- Keras 2: a model of `tf_keras` refuses layers, optimizers, Sequences, callbacks and metrics of `keras`; losses of it work.
- Keras 2: from 2.6 on `keras` and `tf.keras` are the same objects; before they are two packages.

## Do this
Import everything from one of them.

## Silent when
Each makes its own models, or the other one only serves helpers such as `to_categorical`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    PUBLIC,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Mention,
    Rule,
    Sometimes,
    any_of,
    cst,
    dotted,
    either,
    importing,
    reached_in,
    replace,
)

_MIXED = """
import keras
import numpy as np
from tf_keras.layers import Dense, Flatten
from tf_keras.utils import to_categorical

labels = to_categorical([0, 1, 1, 0], 2)
model = keras.Sequential([Flatten(), Dense(2)])
model.compile(optimizer="sgd", loss="mse")
model.fit(np.ones((4, 3), "float32"), labels, verbose=0)
"""

_KERAS_ITSELF = r"^[ \t;:]*from\s+keras\b|^[ \t;:]*import\s+(?:[\w.\s,\\]*,\s*)?(?:\\\s*)?keras\b"

_HELP = "import everything from one of them"
_NO_FIX = "some of these names are not in the other package, or a model comes from there"

RULE = Rule(
    code="SEQ705",
    name="mixed-keras-imports",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("tf_keras", "tensorflow"), either(any_of("tf_keras"), importing(_KERAS_ITSELF))),
    examples=(
        Example(_MIXED, _MIXED.replace("from tf_keras.layers", "from keras.layers")),
        Example.ok(
            """
import keras
import tensorflow as tf

model = keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Adam(), loss="mse")
"""
        ),
        Example.ok(
            """
import keras
import tf_keras

models = {
    "new": keras.Sequential([keras.layers.Dense(1)]),
    "old": tf_keras.Sequential([tf_keras.layers.Dense(1)]),
}
"""
        ),
    ),
    sources=("tensorflow/tensorflow#19913", "qubvel/segmentation_models#413"),
)

_ROOTS = ("tensorflow.keras", "tf_keras", "keras")
_MODELS = frozenset({"Model", "Sequential", "models.Model", "models.Sequential"})
_MODULES = frozenset({
    "layers", "callbacks", "optimizers", "losses", "metrics", "regularizers", "initializers", "constraints", "models",
})  # fmt: skip
_TAKEN = frozenset({"callbacks", "losses", "metrics", "regularizers", "initializers", "constraints"})
"""Of these a model of Keras 3 takes some from `tf_keras`."""
_WHOLE = ("applications.", "models.load_model", "models.clone_model", "models.model_from_")
_SINGLE = frozenset({"Model", "Sequential", "Input", "utils.Sequence", "utils.PyDataset"})


def check(facts: Facts) -> Iterator[Finding]:
    parts = _parts(facts)
    for one, other in (("keras", "tf_keras"), ("tensorflow.keras", "tf_keras"), ("keras", "tensorflow.keras")):
        if not parts[one] or not parts[other] or not _are_two(facts, one, other):
            continue
        makers = [root for root in (one, other) if any(_part(mention.name) in _MODELS for mention in parts[root])]
        if len(makers) != 1:
            continue
        strangers = parts[other if makers[0] == one else one]
        first = facts.tree.order.sorted(strangers, lambda mention: mention.node)[0]
        levels = _levels(facts, makers[0], strangers)
        message = f"`{first.name}` is given to a model of `{makers[0]}`, another Keras"
        note = "a model refuses most parts of another Keras" if levels is None else "a model takes only some of them"
        finding = but(facts.finding(first.node, message, note), levels=levels)
        edits = _edits(facts, strangers, makers[0])
        title = f"Import it from `{makers[0]}`"
        yield finding.fixed_by(title, *edits) if edits else but(finding, help=_HELP, no_fix=_NO_FIX)
        return


def _parts(facts: Facts) -> dict[str, list[Mention]]:
    """What the file uses of each Keras that belongs to a model: layers, callbacks, Sequences, not helpers."""
    found: dict[str, list[Mention]] = {root: [] for root in _ROOTS}
    imported = [mention for mention in facts.mentions.imported if _is_part(mention) and facts.mentions.uses(mention)]
    for mention in (*imported, *(reached for reached in facts.mentions.reached if _is_part(reached))):
        if not facts.mentions.optional(mention.node) and not facts.evidence.guarded(mention.node):
            found[_root(mention.name)].append(mention)
    return found


def _root(name: str) -> str:
    return next((root for root in _ROOTS if name.startswith(root + ".")), "")


def _part(name: str) -> str:
    return name[len(_root(name)) + 1 :]


def _is_part(mention: Mention) -> bool:
    if not _root(mention.name):
        return False
    part = _part(mention.name)
    module, _, name = part.partition(".")
    return part in _SINGLE or (module in _MODULES and bool(name) and "." not in name and name[:1].isupper())


def _are_two(facts: Facts, one: str, other: str) -> bool:
    """Whether two spellings are two packages where the file runs."""
    if (one, other) == ("tensorflow.keras", "tf_keras"):
        return not facts.keras.legacy
    if (one, other) == ("keras", "tf_keras"):
        return True
    old = (
        facts.keras.known
        and facts.keras.lines == {"2"}
        and not (facts.keras.may_be("2.6") and facts.keras.tensorflow_may_be("2.6"))
    )
    return facts.keras.legacy or old


def _levels(facts: Facts, maker: str, strangers: list[Mention]) -> Levels | None:
    """A model of Keras 3 takes some parts of `tf_keras`, which takes losses."""
    kinds = {_part(mention.name).partition(".")[0] for mention in strangers}
    legacy = maker == "tf_keras" or (maker == "tensorflow.keras" and facts.keras.legacy)
    taken = {"losses"} if legacy else _TAKEN
    return Levels.everywhere("warning") if kinds <= taken else None


def _edits(facts: Facts, strangers: list[Mention], root: str) -> tuple[Edit, ...]:
    """The same names of the other package, imported or reached; none where one of them is not public, or the package has no name here."""
    edits: list[Edit] = []
    stranger = _root(strangers[0].name)
    if any(_part(one.name).startswith(_WHOLE) for one in facts.mentions.reached if _root(one.name) == stranger):
        return ()  # a model that comes from there stays one of the other package
    for mention in strangers:
        statement = mention.statement
        if isinstance(mention.node, cst.Attribute) and statement is None:
            own = reached_in(facts, mention.node, _part(mention.name), root)
            if own is None:
                return ()
            edits.append(replace(facts, mention.node, own))
            continue
        if (
            not isinstance(statement, cst.ImportFrom)
            or statement.module is None
            or isinstance(statement.names, cst.ImportStar)
        ):
            return ()
        module = dotted(statement.module)
        public = PUBLIC.get(_part(module), frozenset())
        if any(dotted(alias.name) not in public for alias in statement.names):
            return ()
        edit = replace(facts, statement.module, f"{root}.{_part(module)}")
        edits += [edit] if edit not in edits else []
    return tuple(edits)
