"""What makes batches, and what each of them holds.

A batch is what a batch method returns, or what a generator that reaches a model yields. Where the `__getitem__` of a Sequence stands in
another file, the methods of this file that it calls are makers, too: each makes a piece of a batch, and what it returns is a batch only
where the `__getitem__` hands it on as it is. What goes on between the two files is not in sight, so a fact that asks for the index or for
all of a batch has nothing to say of a piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import parameters
from seqlint.facts.flow.call_frames import Frame, Traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.classes.subclasses import Subclasses
    from seqlint.facts.classes.template_methods import TemplateMethod
    from seqlint.facts.flow.call_frames import Flow
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.training.evidence import Evidence
    from seqlint.facts.training.training import TrainerCall, Training

MakerKind = Literal["sequence", "generator", "piece"]
_ROWS_KEPT = frozenset({
    "numpy.array", "numpy.asarray", "numpy.ascontiguousarray", "numpy.stack", "numpy.vstack", "numpy.row_stack",
    "numpy.concatenate", "numpy.float32", "numpy.float64", "tensorflow.stack", "tensorflow.constant",
    "tensorflow.convert_to_tensor", "tensorflow.cast", "tensorflow.concat", "builtins.list", "builtins.tuple",
})  # fmt: skip
_ROWS_KEPT_METHODS = ("astype", "copy", "numpy", "tolist")
_NUMBERS = (cst.Integer, cst.Float)


@dataclass(frozen=True, eq=False)
class Maker:
    """A function that makes batches.

    Attributes:
        kind: a Sequence's `__getitem__`, a generator function whose generator is given to a model, or a method that a `__getitem__` in
            another file calls.
        owner: the Sequence; for a generator the class that it is a method of, if any.
        frame: the run of the function.
        for_model: whether its batches go to a Keras model; those of a Sequence are made for one.
        template_method: who calls it, where it makes a piece.
    """

    kind: MakerKind
    function: cst.FunctionDef
    owner: ClassFacts | None
    frame: Frame
    for_model: Answer = "yes"
    template_method: TemplateMethod | None = None

    @property
    def of_sequence(self) -> bool:
        """Whether it makes the batches of a Sequence, or a piece of them."""
        return self.kind != "generator"


@dataclass(frozen=True, eq=False)
class Batch:
    """One place where a batch leaves its maker.

    Attributes:
        statement: the `return` or `yield`.
        value: what is handed over, as it is written there.
    """

    maker: Maker
    statement: cst.Return | cst.Yield
    value: Traced


class Batches:
    """The makers of batches of a file."""

    def __init__(
        self,
        flow: Flow,
        classes: Classes,
        training: Training,
        evidence: Evidence,
        calls: CallGraph,
        subclasses: Subclasses,
    ) -> None:
        self.flow = flow
        self._tree = flow.tree
        self._names = flow.names
        self._values = flow.values
        self._classes = classes
        self._training = training
        self._evidence = evidence
        self._calls = calls
        self._subclasses = subclasses

    # -- makers -----------------------------------------------------------------------------------------------------

    @cached_property
    def makers(self) -> tuple[Maker, ...]:
        """Every function of this file that makes batches for a model."""
        return (*self._sequences(), *self._generators())

    @cached_property
    def sequences(self) -> tuple[ClassFacts, ...]:
        """The Sequences that make batches, or pieces of them, in reading order."""
        found = (maker.owner for maker in self.makers if maker.of_sequence)
        return tuple(dict.fromkeys(owner for owner in found if owner is not None))

    def _sequences(self) -> Iterator[Maker]:
        for owner in self._classes.all:
            found = owner.method("__getitem__") if owner.is_a("sequence") == "yes" else None
            if found is not None and not self._is_for_subclasses(owner, found[1]):
                yield Maker("sequence", found[1], owner, Frame(found[1], found[0], owner))
            templates = owner.template_methods("__getitem__")
            own = self.flow.frames(Frame(found[1], found[0], owner)) if found is not None and templates else ()
            run = {frame.function for frame in own}
            for method in (method for method in templates if method.node not in run):
                frame = Frame(method.node, method.holder, owner)
                yield Maker("piece", method.node, owner, frame, template_method=method)

    def _is_for_subclasses(self, owner: ClassFacts, method: cst.FunctionDef) -> bool:
        """Whether a class that can't do without heirs has some, and all of them make batches of their own of what its method gives."""
        below = [other for other in self._classes.all if owner in other.lineage[1:]]
        if not below or self._subclasses.is_whole(owner) or self._subclasses.external(owner):
            return False
        taken = all(other.method("__getitem__") != owner.method("__getitem__") for other in below)
        return taken and any(reached.node is method for other in below for reached in other.reachable("__getitem__"))

    def _generators(self) -> Iterator[Maker]:
        found: dict[cst.FunctionDef, Maker] = {}
        for call in self._training.calls:
            for maker in (each for given in self._given(call) for each in (given, *self._delegates(given))):
                known = found.get(maker.function)
                if known is None or (known.for_model != "yes" and maker.for_model == "yes"):
                    found[maker.function] = maker
        yield from found.values()

    def _given(self, call: TrainerCall) -> Iterator[Maker]:
        """The generator functions of which a call is given a generator."""
        made = (value for _, data in call.feeds for value in self._values.of(data) if isinstance(value, cst.Call))
        for value in made:
            maker = self._generator(value, self._evidence.model(call))
            if maker is not None and maker.for_model != "no":
                yield maker

    def _generator(self, call: cst.Call, for_model: Answer) -> Maker | None:
        function = self._calls.called(call)
        if function is None or function.asynchronous or function.decorators or not self._values.is_generator(function):
            return None
        inside = self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
        owner = self._classes.of(inside) if isinstance(inside, cst.ClassDef) else None
        around = Frame(self._tree.function(call), owner, owner)
        return Maker("generator", function, owner, Frame(function, owner, owner, call, around), for_model)

    def _delegates(self, maker: Maker) -> Iterator[Maker]:
        """The generators that hand their batches through another: `yield from rounds(x)`, `for batch in rounds(x): yield batch`."""
        for call in self._handed_through(maker.function):
            frame = self.flow.enter(call, maker.frame)
            if frame is None or frame.function is None or not self._values.is_generator(frame.function):
                continue
            inner = Maker("generator", frame.function, frame.owner, frame, maker.for_model)
            yield inner
            yield from self._delegates(inner)

    def _handed_through(self, function: cst.FunctionDef) -> Iterator[cst.Call]:
        for node in self._tree.inside(function.body, cst.Yield):
            value = node.value.item if isinstance(node.value, cst.From) else node.value
            if isinstance(value, cst.Name) and not isinstance(node.value, cst.From):
                loop = self._tree.enclosing(node, cst.For, cst.While, cst.FunctionDef)
                only = self._names.reaching(value)
                goes_over = isinstance(loop, cst.For) and len(only) == 1 and only[0].node is loop.target
                value = loop.iter if goes_over and isinstance(loop, cst.For) else value
            if isinstance(value, cst.Call) and self._tree.function(node) is function:
                yield value

    @cached_property
    def calls(self) -> tuple[tuple[Maker, Frame, cst.Call], ...]:
        """Every call on the way to a batch, with the run that makes it."""
        return tuple(
            (maker, frame, call)
            for maker in self.makers
            for frame in self.frames(maker)
            if frame.function is not None
            for call in self._tree.inside(frame.function.body, cst.Call)
        )

    def frames(self, maker: Maker) -> tuple[Frame, ...]:
        """The runs of all functions of this file on the way to a batch, the maker's own first."""
        return self.flow.frames(maker.frame)

    def is_index(self, traced: Traced, maker: Maker) -> bool:
        """Whether an expression is the index that Keras gives, in whichever function it stands."""
        index = parameters(maker.function.params)[1:2]
        for whole in self.flow.trace(traced):
            bindings = self.flow.names.reaching(whole.node) if isinstance(whole.node, cst.Name) else ()
            if len(bindings) != 1 or bindings[0].node not in index:
                return False
        return True

    def run_by(self, maker: Maker, call: cst.Call) -> cst.FunctionDef | None:
        """The plain function of this file that a call in a batch method runs for an instance; None if unsure."""
        home = self._tree.enclosing(maker.function, cst.ClassDef)
        if isinstance(call.func, cst.Attribute) and maker.owner is not None and home is not None:
            found = maker.owner.member(call.func, self._classes.of(home))
            function = found[1] if found is not None else None
        else:
            function = self._calls.called(call)
        plain = function is not None and not function.asynchronous and not function.decorators
        return function if plain else None

    # -- batches ----------------------------------------------------------------------------------------------------

    def of(self, maker: Maker) -> tuple[Batch, ...]:
        """The batches of a maker, one for each `return` or `yield`; a bare `return` and `yield from` are left out.

        A piece makes some only where it is all that there is of them.
        """
        function = maker.function
        if maker.template_method is not None and (
            not maker.template_method.is_all or self._values.is_generator(function)
        ):
            return ()
        nodes: tuple[cst.Return | cst.Yield, ...] = self._values.own(function, cst.Return)
        if maker.kind == "generator":
            inner = self._tree.inside(function.body, cst.Yield)
            nodes = tuple(node for node in inner if self._tree.enclosing(node, cst.FunctionDef, cst.Lambda) is function)
        given = ((node, node.value) for node in nodes)
        return tuple(Batch(maker, n, Traced(v, maker.frame)) for n, v in given if isinstance(v, cst.BaseExpression))

    def values(self, batch: Batch) -> tuple[Traced, ...]:
        """The expressions that make a batch, such as the tuple that a helper returns."""
        return self.flow.trace(batch.value)

    def leaves(self, traced: Traced) -> tuple[Traced, ...]:
        """The arrays of a batch: inputs, targets and weights, taken out of tuples, list literals and dicts."""
        return tuple(dict.fromkeys(self._leaves(traced, frozenset())))

    def _leaves(self, traced: Traced, seen: frozenset[Traced]) -> Iterator[Traced]:
        for whole in self.flow.trace(traced):
            parts = parts_of(whole)
            if parts is None:
                yield whole
            elif whole not in seen:  # `pair = (pair, y)` may be made of itself
                for part in parts:
                    yield from self._leaves(part, seen | {whole})

    def rows(self, traced: Traced) -> tuple[Traced, ...]:
        """What an array takes its rows from: `np.array(images) / 255.0` has one row for each item of `images`."""
        return tuple(dict.fromkeys(self._rows(traced, frozenset())))

    def _rows(self, traced: Traced, seen: frozenset[Traced]) -> Iterator[Traced]:
        for whole in self.flow.trace(traced):
            inner = self._rowwise(whole.node) if whole.node is not None else None
            if inner is None:
                yield whole
            elif whole not in seen:  # `x = np.stack(x)` without an `x` before it is made of itself
                yield from self._rows(Traced(inner, whole.frame), seen | {whole})

    def _rowwise(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The part that an expression keeps the rows of."""
        if isinstance(node, cst.BinaryOperation):
            return node.right if isinstance(node.left, _NUMBERS) else node.left
        if isinstance(node, cst.Subscript):
            return node.value if _keeps_first_axis(node) or _is_head(node) else None
        if not isinstance(node, cst.Call):
            return None
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in _ROWS_KEPT_METHODS:
            return node.func.value
        name = self._names.qualified(node.func) or ""
        kept = name in _ROWS_KEPT or (name.startswith("keras.") and not name.startswith("keras.utils.load"))
        plain = node.args and not node.args[0].star and not any(_is_axis(argument) for argument in node.args)
        return node.args[0].value if kept and plain else None


def parts_of(traced: Traced) -> tuple[Traced, ...] | None:
    """The items of a tuple or list literal, the values of a dict literal; None for anything else."""
    node = traced.node
    if isinstance(node, (cst.Tuple, cst.List)) and node.elements:
        if any(isinstance(element, cst.StarredElement) for element in node.elements):
            return None
        return tuple(Traced(element.value, traced.frame) for element in node.elements)
    if isinstance(node, cst.Dict) and node.elements:
        if not all(isinstance(element, cst.DictElement) for element in node.elements):
            return None
        return tuple(Traced(element.value, traced.frame) for element in node.elements)
    return None


def _keeps_first_axis(node: cst.Subscript) -> bool:
    """`a[..., np.newaxis]` and `a[:, :, 0]`."""
    if len(node.slice) < 2:
        return False
    first = node.slice[0].slice
    if isinstance(first, cst.Index):
        return isinstance(first.value, cst.Ellipsis)
    return isinstance(first, cst.Slice) and first.lower is None and first.upper is None and first.step is None


def _is_head(node: cst.Subscript) -> bool:
    """`labels[: len(images)]`: the same rows, in the same order, as many as there are of another list."""
    first = node.slice[0].slice
    if len(node.slice) != 1 or not isinstance(first, cst.Slice) or first.lower is not None or first.step is not None:
        return False
    upper = first.upper
    return isinstance(upper, cst.Call) and isinstance(upper.func, cst.Name) and upper.func.value == "len"


def _is_axis(argument: cst.Arg) -> bool:
    if argument.keyword is None or argument.keyword.value != "axis":
        return False
    return not (isinstance(argument.value, cst.Integer) and argument.value.value == "0")
