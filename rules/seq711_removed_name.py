"""A name that Keras 3 lost, such as `keras.backend.sum` or `CuDNNLSTM`.

## Why
Keras 3 was written anew. A third of what Keras 2 offered is gone, or has another name: most of `keras.backend`, all that was experimental,
old layers and losses. The code fails where the name is imported or first read, often deep in a loss or a layer. The names, and the line that
lacks each, come from Keras 2.3, tf-keras 2.21 and seven releases of Keras 3, each installed and asked.

## Measured
- Keras 3: `from keras.optimizers import adam` raises ImportError, `keras.backend.sum` AttributeError.
- Keras 3: `tf.keras.backend.sum` and most of what `keras.backend` lost is still in `tf.keras.backend`.
- Keras 3: `tf.keras.backend.gradients` is there and raises RuntimeError.
- Keras 3: `keras.optimizers.legacy.Adam` is there, and making one raises ImportError.
- Keras 3.10 and later: `tf.keras.losses.mean_squared_error` raises AttributeError, and `tf.keras.losses.mse` is there.
- Keras 3.0 to 3.9: `tf.keras.losses.mean_squared_error` is gone from 3.3 on.
- Keras 3: `tf.estimator` is gone from every TensorFlow with Keras 3, and `tf.feature_column` is there without a layer that takes it.
- Keras 3: of a symbolic tensor `get_shape`, `set_shape` and `shape.as_list` raise AttributeError.
- Keras 2: Nadam and RMSprop of `optimizers.legacy` take other steps than those of `optimizers`; SGD, Adam, Adamax, Adagrad, Adadelta and Ftrl take the same.
- Keras 3: of a Sequential `predict_classes`, `predict_proba` and `reset_states` raise AttributeError, of an optimizer `minimize` does, of a layer `output_shape`.
- Keras 3: `reset_states` of a metric raises AttributeError, and `reset_state` is there, on Keras 2, too.
- Keras 3.10 and later: `add_metric` of a layer raises NotImplementedError.
- Keras 3.0 to 3.9: `add_metric(value)` of a layer raises TypeError up to 3.3, or NotImplementedError.
- Keras 2: `predict_classes` and `predict_proba` of tf-keras raise AttributeError, too.
- Keras 2: all of these names exist, but for those that were lost before 2.15, such as `CuDNNLSTM` and `keras.backend.get_session`.

## Do this
Write the name that the message gives. `keras.ops` has most of the old backend. A name without one is gone, and seqlint knows no replacement.

## Silent when
The import may fail: it is in a `try` that catches that, or in a branch on the version. The file has the name from another package.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    LOST_MEMBERS,
    LOST_NAMES,
    OF_KERAS,
    OTHER_NUMBERS,
    Contract,
    Example,
    Facts,
    Finding,
    Level,
    Levels,
    LostMember,
    LostMembers,
    LostName,
    Note,
    Rule,
    Sometimes,
    a_member_of,
    any_of,
    cst,
    either,
    how_to_replace,
    instead_of,
    member_instead,
    tensorflow_has,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((8, 3), "float32")
"""
_LOSS = """

def distance(y_true, y_pred):
    return keras.backend.mean(keras.backend.square(y_true - y_pred), axis=-1)


model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(optimizer="sgd", loss=distance)
model.fit(rows, rows[:, :1], verbose=0)
"""
_ADAM = """
import keras
import numpy as np

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.adam(0.01), loss="mse")
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
"""
_SCORES = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.layers.Dense({1}, activation="{0}", kernel_initializer="ones")])
model.build((None, 3))
print({2})
"""
_ANEW = Contract(repairs=frozenset({"errors"}))
_OTHERWISE = Contract(changes=frozenset({"history", "weights"}), repairs=frozenset({"errors"}))

RULE = Rule(
    code="SEQ711",
    name="removed-name",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(keras2=("error",)),
    contract=_ANEW,
    needs=(
        either(
            a_member_of(OF_KERAS, *LOST_NAMES),
            any_of(*(name.rpartition(".")[2] for name in LOST_MEMBERS)),
        ),
    ),
    examples=(
        Example(
            _START + _LOSS,
            _START + _LOSS.replace("keras.backend.", "keras.ops."),
            keras=">=3",
        ),
        Example(
            _START + _LOSS,
            _START + _LOSS.replace("keras.backend.", "tf.keras.backend."),
        ),
        Example(_ADAM, _ADAM.replace("adam(", "Adam(")),
        Example(
            _ADAM.replace("optimizers.adam(0.01)", "optimizers.legacy.Adam(0.01)"),
            _ADAM.replace("adam(", "Adam("),
            keras=">=3",
        ),
        Example(
            _SCORES.format("softmax", 3, "model.predict_classes(rows)"),
            _SCORES.format("softmax", 3, "np.argmax(model.predict(rows, verbose=0), axis=-1)"),
        ),
        Example(
            _SCORES.format("sigmoid", 1, "model.predict_classes(rows, batch_size=4)"),
            _SCORES.format("sigmoid", 1, '(model.predict(rows, batch_size=4, verbose=0) > 0.5).astype("int32")'),
        ),
        Example(
            "import keras\n\nmean = keras.metrics.Mean()\nmean.reset_states()\n",
            "import keras\n\nmean = keras.metrics.Mean()\nmean.reset_state()\n",
        ),
        Example(_SCORES.format("linear", 3, "model.predict_classes(rows)")),
        Example("import tensorflow as tf\n\nguess = tf.estimator.LinearClassifier([])\n"),
        Example(_START + "\nstep = keras.backend.function([], [])\n"),
        Example.ok(_START + _LOSS, keras="tf-keras"),
        Example.ok(_START + _LOSS.replace("keras.backend.", "tf.keras.backend.")),
        Example.ok("import keras\n\n\nclass CuDNNLSTM(keras.layers.LSTM):\n    pass\n\n\nlayer = CuDNNLSTM(3)\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    names = facts.lost_names
    elsewhere = _with_old_rates(facts)
    for one in (*names.imported, *names.reached):
        node = one.mention.node
        if (
            node in elsewhere
            or facts.mentions.optional(node)
            or facts.evidence.guarded(node)
            or facts.mentions.of_project(one.package)
        ):
            continue
        if one.package != "keras" and facts.keras.legacy:
            continue  # it is tf_keras
        stored = isinstance(node, cst.Attribute) and facts.values.stored(node) is not None
        if not stored and not one.back:
            yield _fixed(facts, one, but(_finding(facts, one), levels=_levels(facts, one)))
    yield from _members(facts)


def _with_old_rates(facts: Facts) -> set[cst.CSTNode]:
    """What is named together with the learning rate by its old name: one finding speaks of both, that of SEQ519."""
    words = ("lr", "decay")
    named = {
        call.func
        for call, _ in facts.optimizers.by_second_name()
        if any(each.keyword is not None and each.keyword.value in words for each in call.args)
    }
    parents = (facts.tree.enclosing(rate.node, cst.Call) for rate in facts.optimizers.rates)
    return named | {call.func for call in parents if call is not None}


def _members(facts: Facts) -> Iterator[Finding]:
    """`model.predict_classes`, `metric.reset_states`."""
    for one in facts.run.domain(LostMembers).all:
        span = facts.run.span(one.node)
        node = next((each for each in facts.tree.attributes(one.name) if facts.span(each) == span), None)
        if (
            node is None
            or facts.mentions.optional(node)
            or facts.evidence.guarded(node)
            or facts.packages.is_keras_2(node.value)
        ):
            continue
        if facts.values.stored(node) is None:
            yield _member(facts, one, node)


def _member(facts: Facts, one: LostMember, node: cst.Attribute) -> Finding:
    stub = one.name == "add_metric"
    raised = "it raises NotImplementedError, or TypeError on early releases" if stub else "it raises AttributeError"
    message = f"`{facts.text(node)}` {'does not work' if stub else 'does not exist'} on Keras 3"
    finding = facts.finding(
        node, message, Note.on_keras_3(raised, "AttributeError from 2.6 on" if one.on_2 else "it works")
    )
    on_2: Level | None = "error" if one.on_2 and not facts.keras.may_be_older("2.7") else None
    finding = but(finding, levels=Levels(on_2, "error", "error"))
    title, edits = member_instead(facts, one, node)
    if edits:
        return finding.fixed_by(title, *edits)
    return but(finding, help=LOST_MEMBERS[one.member], no_fix="what takes its place depends on the rest of the program")


def _finding(facts: Facts, one: LostName) -> Finding:
    line = "Keras 3" if one.since == "3.0" else f"Keras {one.since} and later"
    home, _, name = one.part.rpartition(".")
    if one.mention.statement is not None:
        message = f"`{one.package}{'.' if home else ''}{home}` has no `{name}` on {line}"
        raised = "the import fails" if "legacy" not in one.part else "making one raises ImportError"
    else:
        message = f"`{facts.text(one.mention.node)}` does not exist on {line}"
        raised = "reading it raises AttributeError" if "legacy" not in one.part else "making one raises ImportError"
    there = f"; `tf.{one.mention.name}` is still there" if tensorflow_has(facts, one) else ""
    note = Note.on_keras_3(raised + there, raised if one.on_2 else "it works")
    return facts.finding(one.mention.node, message, note)


def _fixed(facts: Facts, one: LostName, finding: Finding) -> Finding:
    ways = instead_of(facts, one)
    for way in ways:
        contract = _OTHERWISE if one.part in OTHER_NUMBERS else _ANEW
        finding = finding.fixed_by(way.title, *way.edits, contract=contract, lines=way.lines)
    if ways:
        return finding
    told, reason = how_to_replace(facts, one)
    return but(finding, help=told, no_fix=reason)


def _levels(facts: Facts, one: LostName) -> Levels:
    """Where the name is missing; of a release in the middle of a line nothing is said where the project may use an earlier one."""
    on_2: Level | None = "error" if one.on_2 and not facts.keras.may_be_older("2.7") else None
    surely = one.since == "3.0" or (facts.keras.known and not facts.keras.may_be("3.0", one.since))
    return Levels(on_2, "error" if surely else None, "error")
