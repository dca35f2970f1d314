"""What the functions run that are handed to a dataset, and where they draw random numbers.

Measured, on TensorFlow 2.21 with all Keras lines alike: NumPy's and Python's numbers are drawn once, when the function is traced, but
afresh inside `py_function` and `numpy_function`; `tf.random` and `tf.image.random_*` draw afresh for each element, yet with a
`seed`, or after `tf.random.set_seed` or `keras.utils.set_random_seed`, the same ones in each pass; random layers of Keras draw afresh
also without `training=True`, noise and dropout layers only with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.values.values import MAX_STEPS, Constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.datasets.chains import Link
    from seqlint.facts.flow.lists import Lists
    from seqlint.facts.values.values import Values

Function = cst.FunctionDef | cst.Lambda
Library = Literal["tensorflow", "keras", "numpy", "python"]

_HANDED = (
    "map_func",
    "predicate",
    "generator",
    "scan_func",
    "reduce_func",
    "key_func",
    "class_func",
    "transformation_func",
)
_EAGER = frozenset({
    "tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.experimental.numpy_function",
})  # fmt: skip
_SEEDS_ALL = frozenset({"tensorflow.random.set_seed", "tensorflow.set_random_seed", "keras.utils.set_random_seed"})
_NO_DRAWS = frozenset({"seed", "set_seed", "default_rng", "RandomState", "Generator", "SeedSequence", "get_state", "set_state",
                       "create_rng_state", "fold_in", "split", "SeedGenerator"})  # fmt: skip
_ROOTS: tuple[tuple[str, Library], ...] = (
    ("numpy.random.", "numpy"), ("random.", "python"), ("tensorflow.random.experimental.", "tensorflow"),
    ("tensorflow.random.", "tensorflow"), ("tensorflow.image.random_", "tensorflow"),
    ("tensorflow.image.sample_distorted", "tensorflow"), ("keras.random.", "keras"),
)  # fmt: skip
_GENERATORS: tuple[tuple[str, Library], ...] = (
    ("numpy.random.", "numpy"), ("random.Random", "python"), ("tensorflow.random.", "tensorflow"),
)  # fmt: skip
_LAYERS = ("keras.layers.Random", "keras.layers.experimental.preprocessing.Random")
_NOISE = frozenset({
    "keras.layers.Dropout", "keras.layers.SpatialDropout1D", "keras.layers.SpatialDropout2D", "keras.layers.GaussianNoise",
    "keras.layers.GaussianDropout", "keras.layers.AlphaDropout",
})  # fmt: skip
_CONTAINERS = frozenset({"keras.Sequential", "keras.layers.Pipeline"})


@dataclass(frozen=True, eq=False)
class Ran:
    """A call that runs for an element of the dataset, or once when the function is traced.

    Attributes:
        name: its canonical name, where it has one.
        traced: whether it is a part of the graph; False inside `py_function` and the like, where Python runs each time.
    """

    node: cst.Call
    name: str | None
    traced: bool


@dataclass(frozen=True, eq=False)
class Draw:
    """A place where random numbers are drawn.

    Attributes:
        fresh: whether the next pass over the dataset draws others: "no" for what is drawn once or seeded.
    """

    node: cst.Call
    library: Library
    traced: bool
    fresh: bool


class Mapped:
    """The functions that the datasets of one file are handed."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, lists: Lists) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._lists = lists
        self._known: dict[cst.Call, tuple[Ran, ...]] = {}

    def functions(self, link: Link) -> tuple[Function, ...]:
        """The functions of this file that a link is handed."""
        handed = [value for name in _HANDED if (value := link.arg(name)) is not None]
        found = [function for value in handed for function in self._handed(value)]
        return tuple(dict.fromkeys(found))

    def _handed(self, value: cst.BaseExpression) -> Iterator[Function]:
        for node in (value, *self._values.of(value)):
            function = self._function(node)
            if function is not None:
                yield function

    def runs(self, link: Link) -> tuple[Ran, ...]:
        """Every call that its functions run, themselves or through others of this file, in the order in which they lead there."""
        if link.node not in self._known:
            traced = link.name != "from_generator"
            self._known[link.node] = tuple(self._run([(function, traced) for function in self.functions(link)]))
        return self._known[link.node]

    def draws(self, link: Link) -> tuple[Draw, ...]:
        """Where its functions draw random numbers; `map(augment)` with a random layer is one itself."""
        found = [draw for ran in self.runs(link) if (draw := self._draw(ran)) is not None]
        handed = link.arg("map_func")
        if handed is not None and self._is_random_layer(handed):
            found.append(Draw(link.node, "keras", traced=True, fresh=True))
        return tuple(found)

    # -- functions --------------------------------------------------------------------------------------------------

    def _function(self, node: cst.BaseExpression | None, steps: int = MAX_STEPS) -> Function | None:
        if isinstance(node, cst.Lambda):
            return node
        if isinstance(node, cst.Call) and self._names.qualified(node.func) == "functools.partial" and node.args:
            return self._function(self._values.only(node.args[0].value), steps - 1) if steps else None
        if isinstance(node, cst.Attribute) and (owner := self._values.self_class(node.value)) is not None:
            found = self._classes.of(owner).member(node, self._classes.of(owner))
            return found[1] if found is not None else None
        definition = self._names.definition(node) if node is not None else None
        return definition if isinstance(definition, cst.FunctionDef) else None

    def _run(self, stack: list[tuple[Function, bool]]) -> Iterator[Ran]:
        seen: set[Function] = set()
        while stack:
            function, traced = stack.pop(0)
            if function in seen:
                continue
            seen.add(function)
            for node in self._own(function):
                if isinstance(node, cst.Call):
                    yield Ran(node, self._names.qualified(node.func), traced)
                inner = self._function(node) if isinstance(node, (cst.Lambda, cst.Attribute, cst.Name)) else None
                if inner is not None:
                    stack.append((inner, traced and not self._is_eager(node)))

    def _own(self, function: Function) -> Iterator[cst.CSTNode]:
        """The code of a function itself. An inner function runs where its name or the lambda stands."""
        for node in self._tree.walk(function.body):
            label = isinstance(node, cst.Name) and self._tree.is_label(node)
            if not label and self._tree.enclosing(node, cst.FunctionDef, cst.Lambda) is function:
                yield node

    def _is_eager(self, node: cst.CSTNode) -> bool:
        """Whether a function is handed to `py_function` or `numpy_function`."""
        argument = self._tree.parents[node]
        call = self._tree.parents[argument] if isinstance(argument, cst.Arg) else None
        return isinstance(call, cst.Call) and self._names.qualified(call.func) in _EAGER

    # -- random numbers ---------------------------------------------------------------------------------------------

    def _draw(self, ran: Ran) -> Draw | None:
        library = self._library(ran)
        if library is None:
            layer = self._is_random_layer(ran.node.func) or (self._is_noise(ran.node.func) and self._trains(ran.node))
            return Draw(ran.node, "keras", ran.traced, fresh=True) if layer else None
        if library in ("numpy", "python"):
            return Draw(ran.node, library, ran.traced, fresh=not ran.traced)
        seeded = library == "tensorflow" and ran.name is not None and (self._has_seed(ran.node) or self._seeds_all)
        return Draw(ran.node, library, ran.traced, fresh=not seeded)

    def _library(self, ran: Ran) -> Library | None:
        name = ran.name
        if name is not None:
            last = name.rpartition(".")[2]
            if last in _NO_DRAWS or last.startswith("stateless_"):
                return None
            return next((library for root, library in _ROOTS if name.startswith(root)), None)
        func = ran.node.func
        made = self._values.only(func.value) if isinstance(func, cst.Attribute) else None
        maker = self._names.qualified(made.func) if isinstance(made, cst.Call) else None
        return next((library for root, library in _GENERATORS if maker is not None and maker.startswith(root)), None)

    def _has_seed(self, call: cst.Call) -> bool:
        given = [a.value for a in call.args if a.keyword is not None and a.keyword.value == "seed"]
        return any(self._values.constant(value) != Constant(None) for value in given)

    @cached_property
    def _seeds_all(self) -> bool:
        return any(self._names.qualified(call.func) in _SEEDS_ALL for call in self._tree.all(cst.Call))

    def _is_random_layer(self, node: cst.BaseExpression, steps: int = MAX_STEPS) -> bool:
        """A random layer of Keras, or a Sequential that holds one."""
        made = self._values.only(node)
        name = self._names.qualified(made.func) if isinstance(made, cst.Call) else None
        if not isinstance(made, cst.Call) or name is None:
            return False
        if name not in _CONTAINERS or not made.args or not steps:
            return name.startswith(_LAYERS)
        held = (item.value for item in self._lists.items(made.args[0].value))
        return any(value is not None and self._is_random_layer(value, steps - 1) for value in held)

    def _is_noise(self, node: cst.BaseExpression) -> bool:
        made = self._values.only(node)
        return isinstance(made, cst.Call) and self._names.qualified(made.func) in _NOISE

    def _trains(self, call: cst.Call) -> bool:
        given = (a.value for a in call.args if a.keyword is not None and a.keyword.value == "training")
        return any(self._values.constant(value) == Constant(True) for value in given)
