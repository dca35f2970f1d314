"""Seeds that are set on the way to a batch, to the same value in every epoch."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.project.callee_summaries import CalleeSummaries
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches
    from seqlint.facts.classes.classes import ClassFacts, Reached
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.attributes import Attributes
    from seqlint.facts.instances.writes import Write, Writes
    from seqlint.facts.project.callee_summaries import ExternalCall
    from seqlint.facts.training.training import Training
    from seqlint.facts.values.values import Values

HOOKS = ("on_epoch_end", "on_epoch_begin")
_DRAWS = {
    "numpy.random.seed": ("numpy.random.",),
    "random.seed": ("random.",),
    "tensorflow.random.set_seed": ("tensorflow.random.", "tensorflow.image.random_"),
    "keras.utils.set_random_seed": ("numpy.random.", "random.", "tensorflow.random.", "tensorflow.image.random_", "keras.random."),
}  # fmt: skip
_NO_DRAWS = frozenset(
    {"seed", "default_rng", "RandomState", "Generator", "Random", "get_state", "set_state", "set_seed"}
)
_GENERATORS = frozenset({"numpy.random.RandomState", "numpy.random.default_rng", "random.Random"})
_NUMBERS = frozenset({
    "beta", "binomial", "exponential", "gamma", "gauss", "integers", "laplace", "lognormal", "normal", "poisson", "rand", "randint",
    "randn", "random", "random_sample", "randrange", "standard_normal", "triangular", "uniform",
})  # fmt: skip
_PLAIN = ("builtins.", "hashlib.", "zlib.")
_LOADS = frozenset(
    {"load", "imread", "open", "load_img", "read_csv", "fromfile", "loadtxt", "decode_image", "read_file"}
)
_TEXT = frozenset({"encode", "digest", "hexdigest", "lower", "rpartition", "split", "strip"})
_SEEDS_ABOVE = frozenset({"seed", "set_random_seed", "get_state", "set_state", "getstate", "setstate"})
_STEPS = 5


@dataclass(frozen=True, eq=False)
class Reseed:
    """One seed.

    Attributes:
        owner: the Sequence.
        reached: the function that sets it.
        node: the call, such as `np.random.seed(index)`.
        external: whether a function of another file sets it, which is called here.
        own: whether the call makes its own generator, `np.random.RandomState(7)`, always from one number.
    """

    owner: ClassFacts
    reached: Reached
    node: cst.Call
    own: bool = False
    external: bool = False


class Reseeds:
    """The seeds of the batch methods of one file."""

    def __init__(self, batches: Batches, attributes: Attributes, writes: Writes, training: Training) -> None:
        self._batches = batches
        self._attributes = attributes
        self._writes = writes
        self._training = training
        self._tree: Tree = batches.flow.tree
        self._names: Names = batches.flow.names
        self._values: Values = batches.flow.values
        self._callees = CalleeSummaries(batches.flow.names.project)

    @cached_property
    def all(self) -> tuple[Reseed, ...]:
        """Each place once, in reading order."""
        found: dict[cst.Call, Reseed] = {}
        for owner in filter(self._trains, self._batches.sequences):
            for reseed in self._of(owner):
                found.setdefault(reseed.node, reseed)
        return self._tree.order.sorted(found.values(), lambda reseed: reseed.node)

    def _trains(self, owner: ClassFacts) -> bool:
        """Whether it may feed a fit: for validation and prediction the same draws each time are wanted."""
        roles = {role for _, role in self._training.fed(owner)}
        return not roles or "train" in roles

    def _of(self, owner: ClassFacts) -> list[Reseed]:
        ways = owner.reachable("__getitem__")
        above = any(
            reached.template_method is not None and reached.template_method.asked.takes_rows for reached in ways
        )
        if not above and not any(self._reads_data(reached) for reached in ways):
            return []  # it generates its data, which should be the same each time
        found = []
        for reached in ways:
            if reached.template_method is not None and not _SEEDS_ABOVE.isdisjoint(reached.template_method.asked.words):
                continue
            for write in self._writes.of(reached) if reached.path[-1] not in HOOKS else ():
                node = write.node
                if write.kind != "seed" or not isinstance(node, cst.Call):
                    continue
                names = [external.name for external in write.external] or [self._names.qualified(node.func) or ""]
                if write.external:
                    repeats = self._repeats_externally(owner, reached, write, node)
                else:
                    repeats = self._repeats(owner, reached, node)
                if repeats and any(self._draws(other, names) for other in ways):
                    found.append(Reseed(owner, reached, node, external=bool(write.external)))
            found += [Reseed(owner, reached, node, own=True) for node in self._generators(owner, reached, ways)]
        return found

    def _generators(self, owner: ClassFacts, reached: Reached, ways: tuple[Reached, ...]) -> Iterator[cst.Call]:
        """The generators that are made from one number for each batch, and draw what goes into it."""
        for call in self._tree.inside(reached.node.body, cst.Call) if reached.path[-1] not in HOOKS else ():
            if self._names.qualified(call.func) not in _GENERATORS or not self._is_one_number(call):
                continue
            if self._repeats(owner, reached, call) and any(self._is_drawn_from(other, call) for other in ways):
                yield call

    def _is_one_number(self, call: cst.Call) -> bool:
        """`RandomState(7)`, or a setting of the class that is a number by default."""
        found = self._values.of(call.args[0].value) if len(call.args) == 1 else ()
        known = [self._values.constant(value) for value in found if value is not None]
        numbers = [each for each in known if each is not None and isinstance(each.value, int)]
        return bool(numbers) and len(numbers) == len(known)

    def _is_drawn_from(self, reached: Reached, made: cst.Call) -> bool:
        """Whether numbers for a batch are drawn from a generator: not an order or a choice, and not a table of fixed shape."""
        for call in self._tree.inside(reached.node.body, cst.Call):
            func = call.func
            if not isinstance(func, cst.Attribute) or func.attr.value not in _NUMBERS:
                continue
            if self._values.only(func.value) is made and not any(map(self._is_fixed_shape, call.args)):
                return True
        return False

    def _is_fixed_shape(self, argument: cst.Arg) -> bool:
        items = argument.value.elements if isinstance(argument.value, (cst.Tuple, cst.List)) else ()
        return bool(items) and all(self._values.constant(item.value) is not None for item in items)

    def _reads_data(self, reached: Reached) -> bool:
        """Whether a function takes rows of the instance, or reads a file."""
        for node in self._tree.inside(reached.node.body, cst.Subscript):
            if isinstance(node.value, cst.Attribute) and self._values.self_class(node.value.value) is not None:
                return True
        calls = self._tree.inside(reached.node.body, cst.Call)
        words = (
            c.func.attr.value if isinstance(c.func, cst.Attribute) else getattr(c.func, "value", "") for c in calls
        )
        return any(word in _LOADS for word in words)

    def _draws(self, reached: Reached, seeds: list[str]) -> bool:
        """Whether a function draws from a generator that is seeded, or calls one of another file that does."""
        families = tuple(family for seed in seeds for family in _DRAWS.get(seed, ()))
        for call in self._tree.inside(reached.node.body, cst.Call):
            name = self._names.qualified(call.func) or ""
            for each in (name, *(external.name for external in self._callees.calls(name, b"random"))):
                if each.startswith(families or "?") and each.rpartition(".")[2] not in _NO_DRAWS:
                    return True
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "random_transform":
                return True
        return False

    # -- the seed ---------------------------------------------------------------------------------------------------

    def _repeats_externally(self, owner: ClassFacts, reached: Reached, write: Write, call: cst.Call) -> bool:
        """Whether a function of another file surely sets the same seed when the batch is made again."""
        if self._is_asked_for(reached, call) or self._is_set_back(reached) or any(given.star for given in call.args):
            return False
        return any(self._is_still_external(owner, external, call) for external in write.external)

    def _is_still_external(self, owner: ClassFacts, external: ExternalCall, call: cst.Call) -> bool:
        """`np.random.seed(7)`, or the argument of the call, or the default, for the parameter that becomes the seed."""
        value = external.node.args[0]
        if isinstance(value, ast.Name) and external.direct:
            arguments = [*external.function.args.posonlyargs, *external.function.args.args]
            names = tuple(each.arg for each in arguments)
            given = bound(call, names).get(value.id)
            if given is not None:
                constant = self._values.constant(given.value)
                return (constant is None or constant.value is not None) and self._is_still(owner, given.value, _STEPS)
            defaults = dict(zip(reversed(names), reversed(external.function.args.defaults), strict=False))
            value = defaults.get(value.id, value)
        return isinstance(value, ast.Constant) and value.value is not None

    def _repeats(self, owner: ClassFacts, reached: Reached, seed: cst.Call) -> bool:
        """Whether the seed surely has the same value when the batch is made again."""
        if len(seed.args) != 1 or seed.args[0].star or self._is_asked_for(reached, seed) or self._is_set_back(reached):
            return False
        constant = self._values.constant(seed.args[0].value)
        return (constant is None or constant.value is not None) and self._is_still(owner, seed.args[0].value, _STEPS)

    def _is_asked_for(self, reached: Reached, seed: cst.Call) -> bool:
        """Whether a condition decides: a seed that was given, a mode."""
        around = (found for found in self._tree.ancestors(seed) if self._tree.holds(reached.node.body, found))
        return any(isinstance(found, (cst.If, cst.IfExp, cst.BooleanOperation)) for found in around)

    def _is_set_back(self, reached: Reached) -> bool:
        """`np.random.set_state(state)` after it: other draws go on as before."""
        calls = self._tree.inside(reached.node.body, cst.Call)
        return any(
            (self._names.qualified(call.func) or "").rpartition(".")[2] in ("set_state", "setstate") for call in calls
        )

    def _is_still(self, owner: ClassFacts, node: cst.BaseExpression, steps: int) -> bool:
        for part in self._tree.walk(node):
            if isinstance(part, cst.Call) and not self._is_plain(part):
                return False
            if isinstance(part, cst.Attribute) and not self._is_still_attribute(owner, part):
                return False
            if (
                isinstance(part, cst.Name)
                and not self._tree.is_label(part)
                and not self._is_still_name(owner, part, steps)
            ):
                return False
        return True

    def _is_plain(self, call: cst.Call) -> bool:
        """Whether a call is deterministic: `hash`, `zlib.crc32`, a method of a string."""
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _TEXT:
            return True
        return (self._names.qualified(call.func) or "?").startswith(_PLAIN)

    def _is_still_attribute(self, owner: ClassFacts, node: cst.Attribute) -> bool:
        call = self._tree.parents[node]
        if isinstance(call, cst.Call) and call.func is node:
            return self._is_plain(call)
        if self._values.self_class(node.value) is None:
            return self._names.qualified(node) is not None or not isinstance(node.value, cst.Name)
        name = node.attr.value
        if "epoch" in name.lower() or self._attributes.has(owner, name) != "yes":
            return False
        stores = self._tree.attributes(name)
        changed = [each for each in stores if self._values.stored(each) is not None]
        functions = [self._tree.function(each) for each in changed]
        return all(function is not None and function.name.value == "__init__" for function in functions)

    def _is_still_name(self, owner: ClassFacts, name: cst.Name, steps: int) -> bool:
        if self._values.self_class(name) is not None or (self._names.qualified(name) or "").startswith("builtins."):
            return True
        if "epoch" in name.value.lower() or not steps:
            return False
        bindings = self._names.reaching(name)
        if bindings and all(binding.kind in ("import", "function", "class") for binding in bindings):
            return True
        return bool(bindings) and all(self._is_still_binding(owner, binding, steps - 1) for binding in bindings)

    def _is_still_binding(self, owner: ClassFacts, binding: Binding, steps: int) -> bool:
        if binding.kind in ("assign", "for"):
            return binding.value is not None and self._is_still(owner, binding.value, steps)
        function = self._tree.function(binding.node)
        if binding.kind != "parameter" or function is None:
            return False
        if function.name.value == "__getitem__":
            return True
        given = [self._values.passed(call, function, binding.name) for call in self._values.calls_of(function)]
        return bool(given) and all(value is not None and self._is_still(owner, value, steps) for value in given)
