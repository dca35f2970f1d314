"""Models that are asked for one row at a time or in each step of a training, or loaded again for each, in a loop over many."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Literal

from seqlint.domains.counts.counts import Counts
from seqlint.domains.pipelines.draws import contents
from seqlint.domains.training.feeds import argument
from seqlint.run import Container, Result, Tuple, Value
from seqlint.run.objects import constant, is_setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Loop, Run
    from seqlint.run.objects import Object

_HANDFUL = 64
_PLOTS = frozenset({"imshow", "show", "savefig", "imsave", "plot", "subplot"})
_TRAINS = frozenset(
    {"fit", "fit_generator", "train_on_batch", "compile", "set_weights", "load_weights", "quantize_model"}
)
_STEPS = ("train_on_batch",)
_DRAWS = {
    "numpy.random.normal": 2,
    "numpy.random.uniform": 2,
    "numpy.random.rand": 0,
    "numpy.random.randn": 0,
    "numpy.random.random": 0,
    "tensorflow.random.normal": 0,
    "tensorflow.random.uniform": 0,
}
"""What draws numbers, and the place of the shape among its arguments."""
_FEW = frozenset({"sample", "choice", "choices", "take", "head", "islice", "upload"})


@dataclass(frozen=True, eq=False)
class OneByOne:
    """A call that a loop makes for each item, where one for all would do.

    Attributes:
        kind: *predict*: of one row; *step*: of the rows for one step of a training by hand; *frame*: of what a camera or video gives;
            *load*: of the same model again.
        loop: the innermost loop; None where this file does not have it, or it is no `for` statement.
    """

    call: Call
    kind: Literal["predict", "step", "frame", "load"]
    loop: ast.For | None


class OneByOnes:
    """Such calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counts = run.domain(Counts)

    @property
    def all(self) -> Iterator[OneByOne]:
        """Every such call, once for each time that it ran."""
        for call in self._run.methods("predict"):
            if not self._has_loop(call):
                continue
            if self._is_in_long_loop(call) and self._is_of_one_item(call):
                yield OneByOne(call, "predict", self._loop(call))
            elif argument(call, "x") is not None and self._is_of_a_step(call):
                yield OneByOne(call, "step", self._loop(call))
            elif argument(call, "x") is not None and self._is_of_a_frame(call):
                yield OneByOne(call, "frame", self._loop(call))
        for call in self._run.called("keras.load_model", "keras.saving.load_model"):
            if self._is_in_long_loop(call) and self._is_loaded_again(call):
                yield OneByOne(call, "load", self._loop(call))

    def _has_loop(self, call: Call) -> bool:
        """Whether the innermost loop is in this file; else the check of the other one reports it."""
        loops = call.context.loops
        return bool(loops) and (loops[-1].node in self._run.parents or self._run.is_here(call.context))

    def _loop(self, call: Call) -> ast.For | None:
        loops = call.context.loops
        node = loops[-1].node if loops else None
        return node if isinstance(node, ast.For) and node in self._run.parents else None

    def _is_in_long_loop(self, call: Call) -> bool:
        loops = call.context.loops
        if not loops or any(isinstance(loop.node, ast.While) for loop in loops) or any(map(_is_left, loops)):
            return False
        if any(phase.kind == "deferred" for phase in call.context.phases):  # a button, an upload: what a user gives
            return False
        inside = (
            each for each in self._run.calls if each.context.loops and each.context.loops[-1].node is loops[-1].node
        )
        return self._are_many(loops) and not any(each.result.method in _PLOTS for each in inside)

    def _are_many(self, loops: tuple[Loop, ...]) -> bool:
        """Whether loops in one another have more than a handful of rounds together."""
        rounds = [self._counts.rounds(loop.iterable) for loop in loops]
        unknown = [loop for loop, count in zip(loops, rounds, strict=True) if count is None]
        known = prod(count for count in rounds if count is not None)
        return all(map(self._may_be_many, unknown)) and (known > _HANDFUL if not unknown else known > 0)

    def _is_of_a_step(self, call: Call) -> bool:
        """Whether each round of a long loop predicts and trains by hand. What a round does now and then is under a condition."""
        loops = call.context.loops
        if not loops or self._is_short_loop(loops[-1]):
            return False
        steps = [each for each in self._run.methods(*_STEPS) if _is_same_round(each, call)]
        if any(call.context.guards <= each.context.guards for each in steps):
            return True
        return bool(steps) and self._is_in_each_round(call, loops[-1].node)

    def _is_short_loop(self, loop: Loop) -> bool:
        """Whether a loop has a handful of rounds, and not by a default that callers replace."""
        only = loop.iterable.only if loop.iterable is not None else None
        if isinstance(only, Result) and only.name == "builtins.range" and any(map(is_setting, only.args)):
            return False
        rounds = self._counts.rounds(loop.iterable)
        return rounds is not None and rounds <= _HANDFUL

    def _is_in_each_round(self, call: Call, loop: ast.AST) -> bool:
        """Whether nothing on the way from a loop to a call asks for more than options that hold in every round or in none: `if self.critic:`."""
        inside, way = set(ast.walk(loop)), [*call.context.stack, call.node]
        first = next((place for place, node in enumerate(way) if node in inside), None)
        if first is None:
            return False
        changed = {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        return self._is_plain(way[first], loop, changed) and all(
            self._is_plain(node, None, set()) for node in way[first + 1 :]
        )

    def _is_plain(self, node: ast.AST, end: ast.AST | None, changed: set[str]) -> bool:
        """Whether only options decide whether a node runs, in its function or up to the loop around it."""
        child = node
        while child is not end:
            above = self._run.parents.get(child)
            if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                return end is None
            if above is None or isinstance(above, (ast.While, ast.IfExp, ast.ExceptHandler)):
                return above is end
            if isinstance(above, ast.If) and (child in above.orelse or not _is_option(above.test, changed)):
                return False
            child = above
        return True

    def _is_of_a_frame(self, call: Call) -> bool:
        """Whether each round takes a picture of a camera or video."""
        reads = self._run.methods("read") if call.context.loops else ()
        return any(_is_camera(each.result.receiver) and _is_same_round(each, call) for each in reads)

    def _may_be_many(self, loop: Loop) -> bool:
        """Whether a loop of unknown length does not pick a few."""
        parts = [*contents(self._run, loop.iterable)] if loop.iterable is not None else []
        few = any(isinstance(each, Result) and each.method in _FEW for each in parts)
        cut = any(isinstance(each, Result) and each.name == "slice" and _is_short(each) for each in parts)
        return not few and not cut

    def _is_of_one_item(self, call: Call) -> bool:
        """Whether one row is predicted that the loop takes, and not one that an earlier prediction has led to."""
        given, loop = argument(call, "x"), call.context.loops[-1]
        if given is None or loop.iterable is None:
            return False
        with self._run.machine.under(call.context.guards):
            parts = [each for each in contents(self._run, given) if isinstance(each, Result)]
            one = self._is_one_row(given)
        taken = any(each.op == "each" and each.receiver in loop.iterable.objects for each in parts)
        taken = taken or any(each.op == "call" and each.name in _DRAWS for each in parts)
        return one and taken and not any(each.op == "call" and each.method == "predict" for each in parts)

    def _is_one_row(self, given: Value) -> bool:
        """`row[None]`, `np.expand_dims(row, 0)`, `np.array([row])`, `row.reshape(1, -1)`, `rows[i : i + 1]`."""
        only = given.only
        if isinstance(only, (Tuple, Container)):
            return len(self._run.items(only) or ()) == 1
        if not isinstance(only, Result):
            return False
        if only.op == "item":
            return _adds_axis(only.args[0]) or _is_of_one(only.args[0])
        if only.op == "operator":
            return any(self._is_one_row(value) for value in only.args)
        if only.name in _DRAWS:
            return self._is_of_size_one(only)
        if only.method == "expand_dims":
            axis = only.argument("axis", 1)
            return axis is not None and constant(axis) == 0
        if only.method == "reshape":
            shape = only.args[-1].only if only.receiver is None and only.args else None
            sizes = self._run.items(shape) if isinstance(shape, (Tuple, Container)) else [*only.args]
            return bool(sizes) and constant((sizes or [])[0]) == 1
        if only.method in ("array", "asarray", "stack", "vstack", "constant", "convert_to_tensor") and only.args:
            return self._is_one_row(only.args[0]) if isinstance(only.args[0].only, (Tuple, Container)) else False
        return only.method == "astype" and only.receiver is not None and self._is_one_row(Value.of(only.receiver))

    def _is_of_size_one(self, drawn: Result) -> bool:
        """`np.random.normal(size=(1, 8))`, `np.random.rand(1, 8)`."""
        place = _DRAWS[drawn.name]
        shape = drawn.keyword("size") or drawn.keyword("shape")
        if shape is None and len(drawn.args) > place:
            shape = drawn.args[place]
        only = shape.only if shape is not None else None
        sizes = (
            self._run.items(only) if isinstance(only, (Tuple, Container)) else [shape] if shape is not None else None
        )
        return bool(sizes) and constant((sizes or [])[0]) == 1

    def _is_loaded_again(self, call: Call) -> bool:
        """Whether the same file is loaded each time, and the model not trained there."""
        values = [*call.result.args, *(value for _, value in call.result.keywords)]
        parts = [each for value in values for each in contents(self._run, value)]
        if any(isinstance(each, Result) and (each.op == "each" or each.fresh) for each in parts):
            return False
        uses = [each for each in self._run.calls if each.result.receiver is call.result]
        written = any(each.result.method in ("save", "save_model", "ModelCheckpoint") for each in self._run.calls)
        return bool(uses) and not written and not any(each.result.method in _TRAINS for each in uses)


def _is_left(loop: Loop) -> bool:
    """Whether a loop has a `break` or a `return`: it may stop after a few."""
    return any(isinstance(each, (ast.Break, ast.Return)) for each in ast.walk(loop.node))


def _is_same_round(one: Call, other: Call) -> bool:
    """Whether the innermost loop of one call also goes on around the other."""
    inner = one.context.loops[-1] if one.context.loops else None
    return inner is not None and any(inner.node is loop.node for loop in other.context.loops)


def _is_option(test: ast.expr, changed: set[str]) -> bool:
    """`self.critic`, `options["critic"]`, `critic is not None`: nothing that a loop changes."""
    if isinstance(test, ast.Compare):
        return all(isinstance(each, (ast.Is, ast.IsNot)) for each in test.ops) and _is_option(test.left, changed)
    found = test
    while isinstance(found, (ast.Attribute, ast.Subscript)):
        if isinstance(found, ast.Subscript) and not isinstance(found.slice, ast.Constant):
            return False
        found = found.value
    return isinstance(found, ast.Name) and found.id not in changed


def _is_camera(found: Object | None) -> bool:
    return isinstance(found, Result) and found.name == "cv2.VideoCapture"


def _is_short(found: Result) -> bool:
    bounds = [constant(value) for value in found.args]
    return any(isinstance(bound, int) and bound <= _HANDFUL for bound in bounds[1:2])


def _adds_axis(index: Value) -> bool:
    only = index.only
    first = only.items[0] if isinstance(only, Tuple) and only.items else index
    return constant(first) is None or getattr(first.only, "name", "") in ("numpy.newaxis", "tensorflow.newaxis")


def _is_of_one(index: Value) -> bool:
    """`i : i + 1`."""
    only = index.only
    first = only.items[0].only if isinstance(only, Tuple) and only.items else only
    if not isinstance(first, Result) or first.name != "slice" or len(first.args) < 2:
        return False
    end = first.args[1].only
    added = isinstance(end, Result) and end.name == "+" and len(end.args) == 2
    return added and isinstance(end, Result) and end.args[0].term == first.args[0].term and constant(end.args[1]) == 1
