"""The name under which Keras logs one metric: a string, a function, an object.

Measured with small fits on Keras 3.15.1, Keras 3.3.3 and tf-keras 2.21:

- a string is logged as it is written on Keras 3, also "AUC" and "MeanSquaredError". On Keras 2 too, but for the name of a metric
  class, which is logged under the default name of the class: "AUC" as "auc". "acc" stays "acc", "accuracy" stays "accuracy".
- a function is logged under its `__name__` on Keras 2 and under that name in snake case on Keras 3 ("myF1" as "my_f1", "R2" as "r2"),
  where one wrapped in `tf.function` keeps it as it is. A lambda is "<lambda>" on Keras 2 and "lambda" on Keras 3; a
  `functools.partial` is "partial"; an object that can be called has the name of its class in snake case.
- an object has its `name=`, else the default of its class. Classes without one of their own (AUC, Precision, Recall, ...; classes
  of the user's own too) are numbered in the order in which the process makes them: "auc", "auc_1".
- a metric whose result is a dict is logged under the keys of the dict.
- the same name twice: Keras 3 logs the second as "acc_1", and of weighted metrics as "weighted_acc"; Keras 2 refuses the first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.metrics.logged import ANY_NAME, ANYTHING, NOTHING, Logged, either, named, perhaps
from seqlint.facts.values.values import Constant, bound

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Value, Values
    from seqlint.model import KerasLine

NUMBERED = frozenset({
    "AUC", "BinaryIoU", "FalseNegatives", "FalsePositives", "IoU", "MeanIoU", "MeanMetricWrapper", "MeanRelativeError", "Metric",
    "OneHotIoU", "OneHotMeanIoU", "Precision", "PrecisionAtRecall", "Recall", "RecallAtPrecision", "SensitivityAtSpecificity",
    "SpecificityAtSensitivity", "TrueNegatives", "TruePositives",
})  # fmt: skip
"""The classes of `keras.metrics` whose objects are numbered; all others have a fixed name."""

_STRING_CLASSES = NUMBERED | {
    "BinaryAccuracy", "BinaryCrossentropy", "CategoricalAccuracy", "CategoricalCrossentropy", "CategoricalHinge",
    "CosineSimilarity", "F1Score", "FBetaScore", "Hinge", "KLDivergence", "LogCoshError", "MeanAbsoluteError",
    "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson", "R2Score",
    "RootMeanSquaredError", "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy",
    "SquaredHinge", "TopKCategoricalAccuracy",
}  # fmt: skip
_DEFAULTS = {"FBetaScore": "fbeta_score", "LogCoshError": "logcosh", "Huber": "huber_loss"}
_DEFAULTS_2 = {"KLDivergence": "kullback_leibler_divergence"}
_FUNCTIONS_2 = {
    "mse": "mean_squared_error", "mae": "mean_absolute_error", "mape": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error", "kld": "kl_divergence", "kullback_leibler_divergence": "kl_divergence",
    "logcosh": "log_cosh",
}  # fmt: skip
"""Functions of Keras 2 that are the same as another, whose `__name__` they have; in small or capital letters."""

_CAPITAL_FUNCTIONS = frozenset({"MSE", "MAE", "MAPE", "MSLE", "KLD"})
_NAME_SECOND = frozenset({"FalseNegatives", "FalsePositives", "MeanIoU", "MeanMetricWrapper", "OneHotMeanIoU",
                          "SparseTopKCategoricalAccuracy", "TopKCategoricalAccuracy", "TrueNegatives", "TruePositives"})  # fmt: skip
_NAME_THIRD = frozenset({"BinaryIoU", "F1Score", "IoU", "OneHotIoU", "R2Score"})
_NAME_FOURTH = frozenset({"AUC", "FBetaScore", "Precision", "PrecisionAtRecall", "Recall", "RecallAtPrecision",
                          "SensitivityAtSpecificity", "SpecificityAtSensitivity"})  # fmt: skip
_ROOTS = ("keras.metrics.", "keras.losses.")
_KEEPS_NAME = ("keras.saving.register_keras_serializable", "keras.utils.register_keras_serializable")


class MetricNames:
    """The names of the metrics of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls

    def of(self, node: cst.BaseExpression, line: KerasLine) -> Logged:
        """Under which name a metric is logged on a line of Keras."""
        return either(self._value(value, line) for value in self._values.of(node))

    def _value(self, value: Value, line: KerasLine) -> Logged:
        if value is None:
            return ANY_NAME
        constant = self._values.constant(value)
        if constant is not None:
            return self._string(constant, line)
        if isinstance(value, cst.Lambda):
            return named("<lambda>" if line == "2" else "lambda")
        return self._object(value, line) if isinstance(value, cst.Call) else self._function(value, line)

    def _string(self, constant: Constant, line: KerasLine) -> Logged:
        if constant.value is None:
            return NOTHING
        if not isinstance(constant.value, str):
            return ANYTHING
        text = constant.value
        return self._default(text, line) if line == "2" and text in _STRING_CLASSES else named(text)

    # -- functions --------------------------------------------------------------------------------------------------

    def _function(self, value: cst.BaseExpression, line: KerasLine) -> Logged:
        definition = self._names.definition(value)
        if isinstance(definition, cst.FunctionDef):
            return self._defined(definition, line)
        if isinstance(definition, cst.ClassDef):
            return ANYTHING if line == "2" else perhaps(snake(definition.name.value) + "#")
        name = self._names.qualified(value) or ""
        last = name.rpartition(".")[2]
        if not name.startswith(_ROOTS):
            return ANY_NAME
        if last[:1].isupper() and last not in _CAPITAL_FUNCTIONS:
            return ANYTHING if line == "2" else self._default(last, line)
        return named(_FUNCTIONS_2.get(last.lower(), last) if line == "2" else last)

    def _defined(self, function: cst.FunctionDef, line: KerasLine) -> Logged:
        name = function.name.value
        if self._is_renamed(name):
            return ANY_NAME
        decorators = [self._names.qualified(_called(item.decorator)) for item in function.decorators]
        plain = [decorator for decorator in decorators if decorator not in _KEEPS_NAME]
        if not plain:
            return named(name if line == "2" else snake(name))
        return named(name) if plain == ["tensorflow.function"] else ANY_NAME

    def _is_renamed(self, name: str) -> bool:
        """Whether the file sets `f1.__name__`."""
        dunders = self._tree.attributes("__name__")
        stores = (node for node in dunders if isinstance(self._tree.parents[node], cst.AssignTarget))
        return any(isinstance(node.value, cst.Name) and node.value.value == name for node in stores)

    # -- objects ----------------------------------------------------------------------------------------------------

    def _object(self, call: cst.Call, line: KerasLine) -> Logged:
        definition = self._names.definition(call.func)
        if isinstance(definition, cst.ClassDef):
            return self._own(call, self._classes.of(definition), line)
        name = self._names.qualified(call.func) or ""
        last = name.rpartition(".")[2]
        if name == "functools.partial":
            return named("partial")
        if name.startswith(_ROOTS) and last[:1].isupper():
            return self._given(bound(call, _parameters(name, last)).get("name"), call) or self._numbered(
                call, last, line
            )
        given = bound(call, ()).get("name")
        written = dotted_last(call.func)
        return (self._given(given, call) if given is not None and written[:1].isupper() else None) or ANY_NAME

    def _given(self, argument: cst.Arg | None, call: cst.Call) -> Logged | None:
        """What `name=` says; None where the default holds."""
        if argument is None:
            return ANY_NAME if any(a.star for a in call.args) else None
        constant = self._values.constant(argument.value)
        if constant is None:
            return ANY_NAME
        return named(constant.value) if isinstance(constant.value, str) else None

    def _default(self, name: str, line: KerasLine) -> Logged:
        text = (_DEFAULTS_2.get(name) if line == "2" else None) or _DEFAULTS.get(name) or snake(name)
        return perhaps(text + "#") if name in NUMBERED else named(text)

    def _numbered(self, call: cst.Call, name: str, line: KerasLine) -> Logged:
        """The default name. It is sure for a numbered one if the file makes only this one, once."""
        default = self._default(name, line)
        if name in NUMBERED and self._is_first(call, name):
            return Logged(frozenset({snake(name)}), default.possible)
        return default

    def _is_first(self, call: cst.Call, name: str) -> bool:
        qualified = self._names.qualified(call.func)
        others = (c for c in self._tree.all(cst.Call) if c is not call and self._names.qualified(c.func) == qualified)
        strings = (s.evaluated_value for s in self._tree.all(cst.SimpleString))
        return not any(True for _ in others) and not {name, snake(name)} & set(strings) and self._runs_once(call, 3)

    def _runs_once(self, node: cst.CSTNode, steps: int) -> bool:
        for outer in self._tree.ancestors(node):
            if isinstance(outer, (cst.For, cst.While, cst.Lambda, cst.ListComp, cst.DictComp, cst.GeneratorExp)):
                return False
            if isinstance(outer, cst.FunctionDef):
                calls = self._calls.callers(outer)
                return len(calls) == 1 and steps > 0 and self._runs_once(calls[0], steps - 1)
        return True

    # -- classes of the file ----------------------------------------------------------------------------------------

    def _own(self, call: cst.Call, owner: ClassFacts, line: KerasLine) -> Logged:
        if owner.is_a("metric") != "yes":
            callable_ = owner.is_a("metric") == "no" and owner.method("__call__") is not None
            return named(snake(owner.name)) if callable_ else ANY_NAME
        keys = self._keys_of_result(owner)
        if keys is not None:
            return keys
        init = owner.method("__init__")
        if init is not None:
            return self._from_init(call, owner, init[1])
        given = self._given(bound(call, ()).get("name"), call)
        return given or self._inherited(owner, line)

    def _inherited(self, owner: ClassFacts, line: KerasLine) -> Logged:
        """The name of a class that leaves the constructor to Keras."""
        bases = [name.removeprefix(_ROOTS[0]) for name in owner.external_bases if name.startswith(_ROOTS[0])]
        fixed = [base for base in bases if base not in NUMBERED]
        return self._default(fixed[0], line) if len(fixed) == 1 else perhaps(snake(owner.name) + "#")

    def _from_init(self, call: cst.Call, owner: ClassFacts, init: cst.FunctionDef) -> Logged:
        """The name that `super().__init__(name=...)` is given."""
        above = [c for c in self._tree.inside(init.body, cst.Call) if self._is_super_init(c)]
        if len(above) != 1:
            return ANY_NAME
        argument = bound(above[0], ()).get("name")
        if argument is None:
            plain = [a for a in above[0].args if a.keyword is None and not a.star]
            given = bound(call, ()).get("name")
            passes = any(a.star == "**" for a in above[0].args)
            if plain or (given is not None and not passes):
                return ANY_NAME
            return (self._given(given, call) if given is not None else None) or perhaps(snake(owner.name) + "#")
        return self._through(argument.value, call, init) or perhaps(snake(owner.name) + "#")

    def _through(self, value: cst.BaseExpression, call: cst.Call, init: cst.FunctionDef) -> Logged | None:
        """A name that is written there, or that comes in as a parameter."""
        bindings = self._names.reaching(value) if isinstance(value, cst.Name) else ()
        if len(bindings) == 1 and isinstance(bindings[0].node, cst.Param):
            passed = self._calls.passed(call, init, bindings[0].name)
            if passed is None:
                return ANY_NAME
            value = passed
        constant = self._values.constant(value)
        if constant is None:
            return ANY_NAME
        return named(constant.value) if isinstance(constant.value, str) else None

    def _is_super_init(self, call: cst.Call) -> bool:
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "__init__":
            return False
        return isinstance(func.value, cst.Call) and self._names.qualified(func.value.func) == "builtins.super"

    def _keys_of_result(self, owner: ClassFacts) -> Logged | None:
        """The keys of the dict that `result` returns."""
        found = owner.method("result")
        returned = [r.value for r in self._values.own(found[1], cst.Return)] if found is not None else []
        made = [self._values.only(value) for value in returned if value is not None]
        if not any(isinstance(value, cst.Dict) for value in made):
            return None
        if len(made) != 1 or not isinstance(made[0], cst.Dict):
            return ANYTHING
        keys = [self._values.constant(e.key) if isinstance(e, cst.DictElement) else None for e in made[0].elements]
        texts = [key.value for key in keys if key is not None and isinstance(key.value, str)]
        return named(*texts) if len(texts) == len(keys) else ANYTHING


def snake(name: str) -> str:
    """A name as Keras writes it: "BinaryIoU" is "binary_io_u"."""
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


def dotted_last(node: cst.BaseExpression) -> str:
    """The last word of what is called: "F1Score" of `tfa.metrics.F1Score`."""
    return node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""


def _called(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.func if isinstance(node, cst.Call) else node


def _parameters(name: str, last: str) -> tuple[str, ...]:
    """The parameters of a metric up to `name`, as far as one can give it by position."""
    if not name.startswith(_ROOTS[0]):
        return ()
    place = 1 if last in _NAME_SECOND else 2 if last in _NAME_THIRD else 3 if last in _NAME_FOURTH else 0
    return (*(f"_{number}" for number in range(place)), "name")
