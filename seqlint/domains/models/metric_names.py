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

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.logged import ANY_NAME, ANYTHING, NOTHING, Logged, named, perhaps
from seqlint.knowledge.canonical_names import METRIC
from seqlint.knowledge.metrics import (
    CAPITAL_FUNCTIONS,
    CLASSES,
    DEFAULTS,
    DEFAULTS_2,
    FUNCTIONS_2,
    NUMBERED,
    name_place,
    snake,
)
from seqlint.run import Class, Constant, External, Function, Instance, Result, constant
from seqlint.run.attributes import lineage
from seqlint.run.objects import Bound, itself

if TYPE_CHECKING:
    from seqlint.model import KerasLine
    from seqlint.run import Object, Run, Value

_METRICS = "keras.metrics."
_ROOTS = (_METRICS, "keras.losses.")
_KEEPS_NAME = ("keras.saving.register_keras_serializable", "keras.utils.register_keras_serializable")


class MetricNames:
    """The names of the metrics of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def of(self, found: Object, line: KerasLine) -> Logged:
        """Under which name a metric is logged on a line of Keras."""
        if isinstance(found, Constant):
            return self._text(found.value, line)
        if isinstance(found, (Function, Bound)):
            return self._function(found if isinstance(found, Function) else found.function, line)
        if isinstance(found, External):
            return self._external(found.name, line)
        if isinstance(found, Instance):
            return self._instance(found)
        if isinstance(found, Class):
            return ANYTHING if line == "2" else perhaps(snake(found.name) + "#")
        if isinstance(found, Result) and found.op == "call":
            return self._object(found, line)
        return ANY_NAME

    def is_metric(self, found: Object) -> bool:
        """Whether an object surely is a metric that Keras logs where a layer or model keeps it."""
        if isinstance(found, Instance):
            return any(_is_metric_class(each) for each in lineage(found.cls))
        is_made = isinstance(found, Result) and found.op == "call" and found.name.startswith(_METRICS)
        return is_made and found.method[:1].isupper()  # type: ignore[union-attr]

    def _text(self, text: object, line: KerasLine) -> Logged:
        if text is None:
            return NOTHING
        if not isinstance(text, str):
            return ANYTHING
        return _default(text, line) if line == "2" and text in CLASSES else named(text)

    # -- functions --------------------------------------------------------------------------------------------------

    def _function(self, function: Function, line: KerasLine) -> Logged:
        if isinstance(function.node, ast.Lambda):
            return named("<lambda>" if line == "2" else "lambda")
        if function.serial in self._renamed:
            return ANY_NAME
        plain = [name for name in function.wrapped if name not in _KEEPS_NAME and name != "builtins.staticmethod"]
        if not plain:
            return named(function.name if line == "2" else snake(function.name))
        return named(function.name) if plain == ["tensorflow.function"] else ANY_NAME

    @cached_property
    def _renamed(self) -> frozenset[int]:
        """The functions, and what `functools.partial` makes of them, whose `__name__` the program sets."""
        stores = (store.owner for store in self._run.stores if store.name == "__name__")
        return frozenset(owner.serial for owner in stores if isinstance(owner, (Function, Result)))

    def _external(self, name: str, line: KerasLine) -> Logged:
        last = name.rpartition(".")[2]
        if not name.startswith(_ROOTS):
            return ANY_NAME
        if last[:1].isupper() and last not in CAPITAL_FUNCTIONS:
            return ANYTHING if line == "2" else _default(last, line)
        return named(FUNCTIONS_2.get(last.lower(), last) if line == "2" else last)

    # -- objects ----------------------------------------------------------------------------------------------------

    def _object(self, made: Result, line: KerasLine) -> Logged:
        if made.name == "functools.partial":
            return ANY_NAME if made.serial in self._renamed else named("partial")
        if made.name.startswith(_ROOTS) and made.method[:1].isupper():
            place = name_place(made.method) if made.name.startswith(_METRICS) else -1
            given = made.args[place] if 0 <= place < len(made.args) else None
            return self._given(made, made.keyword("name") or given) or self._numbered(made, line)
        name = made.keyword("name")
        return (self._given(made, name) if name is not None and made.method[:1].isupper() else None) or ANY_NAME

    def _given(self, made: Result, name: Value | None) -> Logged | None:
        """What `name=` says; None where the default holds."""
        if name is None:
            return ANY_NAME if any(key in ("*", "**") for key, _ in made.keywords) else None
        found = constant(name)
        if found is None:
            return None
        return named(found) if isinstance(found, str) else ANY_NAME

    def _numbered(self, made: Result, line: KerasLine) -> Logged:
        """The default name. It is sure for a numbered one if the program makes only this one, once."""
        default = _default(made.method, line)
        if made.method in NUMBERED and self._is_first(made):
            return Logged(frozenset({snake(made.method)}), default.possible)
        return default

    def _is_first(self, made: Result) -> bool:
        context = self._run.call_of[made].context
        if context.loops or context.phase.kind not in ("script", "import") or not self._run.complete:
            return False
        text = re.compile(rf"[\"'](?:{made.method}|{snake(made.method)})[\"']")
        others = any(call.name == made.name and call.result is not made for call in self._run.calls)
        return not others and not text.search(self._run.slice(0, self._run.size))

    # -- classes of the program -------------------------------------------------------------------------------------

    def _instance(self, found: Instance) -> Logged:
        above = lineage(found.cls)
        if not any(_is_metric_class(each) for each in above):
            plain = all(isinstance(each, Class) or getattr(each, "name", "") == "builtins.object" for each in above)
            callable_ = any("__call__" in each.frame.own for each in above if isinstance(each, Class))
            return named(snake(found.cls.name)) if plain and callable_ else ANY_NAME
        if any(_gives_dict(each) for each in above if isinstance(each, Class)):
            return ANYTHING
        return self._from_init(found)

    def _from_init(self, found: Instance) -> Logged:
        """The name that the `__init__` of Keras is given."""
        inits = [
            call
            for call in self._run.calls
            if itself(call.result.receiver) is found and call.name.endswith(".__init__")
        ]
        if len(inits) != 1 or not inits[0].name.startswith(_METRICS):
            return ANY_NAME
        made = inits[0].result
        base = made.name.removesuffix(".__init__").rpartition(".")[2]
        place = name_place(base)
        name = made.keyword("name") or (made.args[place] if place < len(made.args) else None)
        default = _default(base, "3.10+") if base in CLASSES - NUMBERED else perhaps(snake(found.cls.name) + "#")
        return self._given(made, name) or default


def _default(name: str, line: KerasLine) -> Logged:
    text = (DEFAULTS_2.get(name) if line == "2" else None) or DEFAULTS.get(name) or snake(name)
    return perhaps(text + "#") if name in NUMBERED else named(text)


def _is_metric_class(found: Object) -> bool:
    return isinstance(found, External) and (found.name in METRIC or found.name.startswith(_METRICS))


def _gives_dict(cls: Class) -> bool:
    """Whether `result` may return a dict, whose keys are logged."""
    results = (one for one in cls.node.body if isinstance(one, ast.FunctionDef) and one.name == "result")
    returned = (node.value for one in results for node in ast.walk(one) if isinstance(node, ast.Return))
    return any(not isinstance(value, (ast.Call, ast.BinOp, ast.Attribute)) for value in returned)
