"""What single calls of tf.data do, as far as their arguments tell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.datasets.chains import SAMPLES, UNKNOWN, State, after
from seqlint.facts.values.values import Constant, bound
from seqlint.knowledge.tf_data import (
    APPLIED,
    JOINS,
    LOADER_ROOTS,
    LOADERS,
    METHODS,
    ROOTS,
    SOURCES,
    TFDS,
    TFDS_PARAMETERS,
    Does,
)  # fmt: skip

if TYPE_CHECKING:
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

Arguments = dict[str, cst.Arg]
_MAKES_BATCHES = ("make_csv_dataset", "make_batched_features_dataset")
_GROUPS = frozenset({"batch", "padded_batch", "ragged_batch", "bucket_by_sequence_length", "window"})
_GROUPED: dict[Answer, tuple[Answer, int | None]] = {"no": ("yes", 1), "yes": ("no", 0), "unknown": ("unknown", None)}


class Operations:
    """The calls of one file, each for itself."""

    def __init__(self, tree: Tree, names: Names, values: Values) -> None:
        self._tree = tree
        self._names = names
        self._values = values

    # -- names ------------------------------------------------------------------------------------------------------

    def source(self, call: cst.Call) -> str | None:
        """The name under which a call makes a dataset: "from_tensor_slices", "text_dataset_from_directory", "tfds.load"."""
        name = self._names.qualified(call.func)
        if name is None:
            return None
        if name == TFDS:
            return "tfds.load"
        last = name.rpartition(".")[2]
        if last in SOURCES and any(name == root + last for root in ROOTS):
            return last
        return last if last in LOADERS and any(name == root + last for root in LOADER_ROOTS) else None

    def join(self, call: cst.Call) -> str | None:
        """The name under which a call makes one dataset of several."""
        name = self._names.qualified(call.func) or ""
        last = name.rpartition(".")[2]
        return last if last in JOINS and any(name == root + last for root in ROOTS) else None

    def joins(self, call: cst.Call, name: str) -> tuple[cst.BaseExpression, ...]:
        """The datasets that a call joins: those written out one by one, or in a tuple, list or dict."""
        named = bound(call, JOINS[name]).get("datasets") if name != "zip" else _keyword(call, "datasets")
        given = [a.value for a in call.args if a.keyword is None and not a.star] if name == "zip" else []
        whole = named.value if named is not None else given[0] if len(given) == 1 else None
        if whole is None:
            return tuple(given)
        known = self._values.only(whole)
        return _elements(known) if isinstance(known, (cst.Tuple, cst.List, cst.Dict)) else (whole,)

    def gives_several(self, call: cst.Call) -> bool:
        """Whether a call gives several datasets to unpack."""
        name = self.source(call)
        if name in ("split_dataset", "tfds.load"):
            return True
        subset = self.arguments(call, name).get("subset") if name is not None else None
        return subset is not None and self._values.constant(subset.value) == Constant("both")

    def arguments(self, call: cst.Call, name: str) -> Arguments:
        """The arguments of a source, a join or a method by their parameters."""
        if name == "tfds.load":
            return bound(call, TFDS_PARAMETERS)
        known = METHODS[name][0] if name in METHODS else JOINS.get(name) or SOURCES.get(name) or LOADERS.get(name, ())
        return bound(call, known)

    # -- sources ----------------------------------------------------------------------------------------------------

    def made(self, name: str, given: Arguments, output: cst.CSTNode | None) -> State:
        """What is known of the dataset that a source makes."""
        if name in LOADERS:
            return self._loaded(name, given, output)
        if name in _MAKES_BATCHES:
            forever = self._is(given, "num_epochs", None, default=True)
            return State(*(self._flag(given, "shuffle", default="yes"),) * 2, forever, "no", "yes", "yes", 1)
        if name == "tfds.load":
            shuffled = self._flag(given, "shuffle_files", default="no")
            single = "batch_size" not in given
            return State(
                shuffled, shuffled, "no", "unknown", "yes", "no" if single else "unknown", 0 if single else None
            )
        if name == "list_files":
            shuffled = self._flag(given, "shuffle", default="yes", none="yes")
            return replace(SAMPLES, shuffled=shuffled, reshuffled=shuffled)
        if name in ("counter", "Counter", "random"):
            return replace(SAMPLES, shuffled="yes" if name == "random" else "no", reshuffled="unknown", endless="yes")
        if name == "load":
            return UNKNOWN
        if name == "from_generator":
            return replace(UNKNOWN, cached="no", prefetched="no")
        return replace(SAMPLES, batched="unknown", batches=None) if name == "from_tensors" else SAMPLES

    def _loaded(self, name: str, given: Arguments, output: cst.CSTNode | None) -> State:
        if name == "split_dataset":
            return State("unknown", "no", "no", "no", "yes")
        default: Answer = "no" if name == "timeseries_dataset_from_array" else "yes"
        shuffled = self._flag(given, "shuffle", default=default)
        if output is not None and self._is_second(output):  # of `subset="both"` the validation rows are never shuffled
            reshuffled: Answer = "no"
        else:
            reshuffled = shuffled
        single = self._is(given, "batch_size", None, default=False)
        batched, batches = _GROUPED[single]
        return State(reshuffled if reshuffled == "no" else shuffled, reshuffled, "no", "no", "yes", batched, batches)

    def _is_second(self, output: cst.CSTNode) -> bool:
        element = self._tree.parents[output]
        holder = self._tree.parents[element]
        return isinstance(holder, (cst.Tuple, cst.List)) and holder.elements[-1] is element

    # -- methods ----------------------------------------------------------------------------------------------------

    def applied(self, given: Arguments) -> tuple[tuple[str, ...], Arguments]:
        """What `apply(tf.data.experimental.shuffle_and_repeat(8))` does, with the arguments of the function."""
        function = given.get("transformation_func")
        call = self._values.only(function.value) if function is not None else None
        name = (self._names.qualified(call.func) or "") if isinstance(call, cst.Call) else ""
        last = name.removeprefix("tensorflow.data.experimental.")
        if not isinstance(call, cst.Call) or last not in APPLIED or last == name:
            return (), {}
        does = APPLIED[last]
        order = ("buffer_size", "count", "seed") if last == "shuffle_and_repeat" else METHODS[does[0]][0]
        return does, bound(call, order)

    def effect(self, state: State, does: tuple[str, ...], given: Arguments) -> State:
        """What is known of a dataset behind a method."""
        if not does:
            return UNKNOWN
        for name in does:
            what: Does = METHODS[name][1]
            state = after(state, what, self._asked(what, given))
        return state

    def _asked(self, what: Does, given: Arguments) -> Answer:
        if what == "shuffle":
            return self._flag(given, "reshuffle_each_iteration", default="yes", none="yes")
        if what == "repeat":
            return self._forever(given)
        if what == "take":
            count = given.get("count")
            constant = self._values.constant(count.value) if count is not None else None
            number = constant.value if constant is not None else None
            return "yes" if isinstance(number, int) and number >= 0 else "unknown"
        return self._groups(given) if what == "flatten" else "yes"

    def _forever(self, given: Arguments) -> Answer:
        count = given.get("count")
        if count is None:
            return "yes"
        constants = {
            self._values.constant(value) if value is not None else None for value in self._values.of(count.value)
        }
        answers = {_is_endless_count(constant) for constant in constants}
        return answers.pop() if len(answers) == 1 else "unknown"

    def _groups(self, given: Arguments) -> Answer:
        """Whether the function of `flat_map` or `interleave` makes batches."""
        function = given.get("map_func") or given.get("reduce_func")
        value = self._values.only(function.value) if function is not None else None
        if value is None:
            return "unknown"
        if not isinstance(value, cst.Lambda):
            definition = self._names.definition(value)
            if not isinstance(definition, cst.FunctionDef):
                return "no" if (self._names.qualified(value) or "").startswith("tensorflow.data.") else "unknown"
            value_body: cst.CSTNode = definition.body
        else:
            value_body = value.body
        words = (node.attr.value for node in self._tree.inside(value_body, cst.Attribute))
        return "unknown" if any(word in _GROUPS for word in words) else "no"

    # -- arguments --------------------------------------------------------------------------------------------------

    def _flag(self, given: Arguments, name: str, *, default: Answer, none: Answer = "no") -> Answer:
        """Whether an argument is true; `none` is what `None` means."""
        if name not in given:
            return default
        constant = self._values.constant(given[name].value)
        if constant is None:
            return "unknown"
        return none if constant.value is None else "yes" if constant.value else "no"

    def _is(self, given: Arguments, name: str, wanted: object, *, default: bool) -> Answer:
        """Whether an argument is a certain literal."""
        if name not in given:
            return "yes" if default else "no"
        values = self._values.of(given[name].value)
        constants = [self._values.constant(value) if value is not None else None for value in values]
        if all(constant is not None and constant.value == wanted for constant in constants):
            return "yes"
        unlike = all(value is not None and not isinstance(value, cst.Name) for value in values)
        return "no" if unlike or all(c is not None and c.value != wanted for c in constants) else "unknown"


def _is_endless_count(constant: Constant | None) -> Answer:
    if constant is None:
        return "unknown"
    return "yes" if constant.value is None or (isinstance(constant.value, int) and constant.value < 0) else "no"


def _keyword(call: cst.Call, name: str) -> cst.Arg | None:
    return next((a for a in call.args if a.keyword is not None and a.keyword.value == name), None)


def _elements(node: cst.Tuple | cst.List | cst.Dict) -> tuple[cst.BaseExpression, ...]:
    return tuple(element.value for element in node.elements)
