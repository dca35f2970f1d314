"""Predictions that are compared with labels in another order."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.orders.shuffles import Shuffles
from seqlint.domains.pipelines.pipelines import Pipelines, parameters
from seqlint.domains.rows.pairs import leaves
from seqlint.domains.rows.rows import RowOrders
from seqlint.domains.rows.steps import Moment, Move
from seqlint.domains.rows.terms import is_slice
from seqlint.domains.sources.flows import PARAMETERS
from seqlint.run import Class, Container, Instance, Result, Tuple
from seqlint.run.attributes import lineage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.rows.steps import Rows
    from seqlint.run import Call, Object, Run, Value

_PREDICTS = ("predict", "predict_generator")
_FITS = ("fit", "fit_generator")
_LABELS = frozenset({"classes", "labels", "filenames", "filepaths", "file_paths"})
_SIZES = frozenset({
    "len", "set", "unique", "max", "min", "bincount", "Counter", "compute_class_weight", "sum", "size", "shape", "dtype",
    "value_counts", "ceil", "floor", "mean", "median", "std", "var", "nunique", "describe",
})  # fmt: skip
_LIBRARIES = ("sklearn.", "numpy.", "pandas.", "tensorflow.", "keras.", "scipy.", "seaborn.", "builtins.zip")
_MOST_PLAIN = 8  # positional arguments of a loader that surely come before its split
_BY_ROW = frozenset({"==", "<", "<=", "in", "-"})


@dataclass(frozen=True, eq=False)
class Shuffled:
    """Something that gives its rows in a random order.

    Attributes:
        node: the call of this file that makes it.
        made: the flow, the step of a dataset, or the Sequence.
        parameter: what keeps the order if it is false; empty for nothing.
        rows: for a Sequence, what its first batch takes.
    """

    kind: Literal["flow", "dataset", "sequence"]
    node: ast.Call
    made: Result | Instance
    parameter: str
    names: tuple[str, ...] = ()
    rows: tuple[Rows, ...] = ()

    @property
    def is_part_of_split(self) -> bool:
        """Whether it is a part of a split that the order helps to make: to change one half alone lets the halves overlap."""
        if self.kind != "dataset":
            return False  # flows split by the order of the files
        words = {keyword.arg for keyword in self.node.keywords}
        stars = any(isinstance(each, ast.Starred) for each in self.node.args)
        return stars or not words.isdisjoint({"subset", "validation_split", None}) or len(self.node.args) > _MOST_PLAIN

    @property
    def given(self) -> ast.expr | None:
        """What the call gives for the parameter."""
        found = next((keyword.value for keyword in self.node.keywords if keyword.arg == self.parameter), None)
        place = self.names.index(self.parameter) if self.parameter in self.names else len(self.node.args)
        return found or (self.node.args[place] if place < len(self.node.args) else None)


@dataclass(frozen=True, eq=False)
class Compared:
    """Predictions and labels of one source that come in different orders.

    Attributes:
        labels: the labels as they are written where both meet.
        trains: whether a fit trains on the source, too.
    """

    predict: Call
    source: Shuffled
    labels: str
    trains: bool


class Comparisons:
    """The comparisons of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rows = run.domain(RowOrders)
        self._pipelines = run.domain(Pipelines)
        self._shuffles = run.domain(Shuffles)

    @cached_property
    def all(self) -> tuple[Compared, ...]:
        """Each shuffled source once for each call that predicts on it."""
        set_by_hand = (store.name == "shuffle" and isinstance(store.owner, Result) for store in self._run.stores)
        if any(self._run.asked("index_array")) or any(set_by_hand):
            return ()
        sources = [(call, source) for call in self._run.methods(*_PREDICTS) for source in self._sources(call)]
        places = [*self._places()] if sources else []
        found: dict[tuple[ast.AST, ast.AST], Compared] = {}
        for call, source in sources:
            labels = next((each for place in places for each in self._met(call, source, *place)), None)
            if labels is not None:
                found.setdefault((call.node, source.node), Compared(call, source, labels, self._trains(source)))
        return tuple(found.values())

    # -- sources ----------------------------------------------------------------------------------------------------

    def _sources(self, call: Call) -> Iterator[Shuffled]:
        given = call.result.keyword("x") or call.result.keyword("generator")
        for each in given or (call.result.args[0] if call.result.args else ()):
            found = self._of_sequence(each) if isinstance(each, Instance) else None
            if isinstance(each, Result):
                found = self._of_flow(each) if each.method in PARAMETERS else self._of_dataset(each)
            if found is not None and self._run.is_own(found.node):
                yield found

    def _of_flow(self, flow: Result) -> Shuffled | None:
        names = PARAMETERS[flow.method]
        place = names.index("shuffle")
        given = flow.keyword("shuffle") or (flow.args[place] if place < len(flow.args) else None)
        hidden = any(name in ("*", "**") for name, _ in flow.keywords)
        if hidden or (given is not None and given.constant is not True) or not isinstance(flow.node, ast.Call):
            return None
        return Shuffled("flow", flow.node, flow, "shuffle", names)

    def _of_dataset(self, data: Result) -> Shuffled | None:
        if not self._pipelines.is_dataset(data):
            return None
        line = (data, *self._pipelines.ancestors(data))
        step = next((each for each in line if self._shuffles.order(each) == "each reading"), None)
        if step is None or not isinstance(step.node, ast.Call):
            return None
        return Shuffled("dataset", step.node, step, "" if step.method == "shuffle" else "shuffle", parameters(step))

    def _of_sequence(self, made: Instance) -> Shuffled | None:
        batch = next((each for each in self._run.batches if each.source is made), None)
        if batch is None or not isinstance(made.node, ast.Call):
            return None
        at = Moment(batch.context.clock, batch.context.guards)
        held = [self._rows.of(each, at) for part in leaves(self._run, batch.value) for each in leaves(self._run, part)]
        rows = tuple(each for each in held if each is not None and each.moves)
        began = self._run.machine.phases_of[made.serial][0].clock
        moves = [move for each in rows for move in each.moves]
        if not moves or not all(
            move.draw and move.draw.call.context.clock < began and not move.guards for move in moves
        ):
            return None
        names = _parameters(made)
        draw = moves[0].draw.call if moves[0].draw is not None else None
        setting = _setting(made, draw) if draw is not None else ""
        return Shuffled("sequence", made.node, made, setting if setting in names else "", names, rows)

    def _trains(self, source: Shuffled) -> bool:
        if source.kind == "dataset" and isinstance(source.made, Result):
            return "trained" in self._pipelines.roles(source.made)
        fits = (call.result for call in self._run.methods(*_FITS))
        return any(
            source.made in value.objects for fit in fits for value in (*fit.args[:1], *(v for _, v in fit.keywords))
        )

    # -- where both meet --------------------------------------------------------------------------------------------

    def _places(self) -> Iterator[tuple[tuple[Value, ...], ast.AST | None]]:
        """What is held against one another, row by row: the operands, and where they are written in this file."""
        for made in self._run.results:
            node = made.node if made.module is self._run.machine.main else None
            by_row = made.op == "operator" and made.name in _BY_ROW
            if by_row or (made.op == "call" and made.name.startswith(_LIBRARIES) and made.method not in _SIZES):
                yield (*made.args, *(value for _, value in made.keywords)), node
        for each in self._run.machine.containers:
            keys = self._run.items(each) if each.kind == "dict" else None
            values = [self._run.at_key(each, key.constant) for key in keys or ()]
            yield tuple(value for value in values if value is not None), each.node

    def _met(self, call: Call, source: Shuffled, operands: tuple[Value, ...], node: ast.AST | None) -> Iterator[str]:
        parts = [[*self._inside(value)] for value in operands] if len(operands) > 1 else []
        if not any(call.result in part for part in parts):
            return
        for number, part in enumerate(parts):
            label = next((each for each in part if self._is_label(source, each)), None)
            if label is not None and call.result not in part:
                yield self._written(label, number, node, source)

    def _inside(self, value: Value) -> Iterator[Object]:
        """What a value depends on row by row."""
        waiting: list[Object] = list(value)
        seen: set[int] = set()
        while waiting:
            here = waiting.pop()
            if id(here) in seen:
                continue
            seen.add(id(here))
            yield here
            if isinstance(here, (Container, Tuple)):
                values = [*(self._run.items(here) or ())]
                values += [piece.value for piece in self._run.pieces(here)] if isinstance(here, Container) else []
                waiting.extend(each for item in values for each in item)
            elif isinstance(here, Result) and here.method not in (*_SIZES, *_PREDICTS):
                waiting.extend(self._parts(here))

    def _parts(self, made: Result) -> Iterator[Object]:
        """What a term is made of; a part that is chosen by rows tells nothing of their order."""
        if made.op == "item" and not _keeps_rows(made.args[0]):
            return
        rows = self._rows.of(made, Moment(made.clock, frozenset()))
        if rows is not None and rows.moves:
            return
        values = () if made.op == "item" else (*made.args, *(value for _, value in made.keywords))
        yield from (each for value in values for each in value)
        if made.receiver is not None:
            yield made.receiver

    def _is_label(self, source: Shuffled, found: Object) -> bool:
        if source.kind == "sequence":
            rows = self._rows.of(found, Moment(self._run.machine.clock, frozenset()))
            return rows is not None and any(_is_unmoved(rows, each) for each in source.rows)
        if not isinstance(found, Result) or found.receiver is None:
            return False
        if found.op == "attribute":
            is_label = found.method in _LABELS if source.kind == "flow" else found.method == "file_paths"
            return is_label and self._is_of(source, found.receiver)
        return source.kind == "dataset" and found.op == "each" and self._is_of(source, found.receiver)

    def _is_of(self, source: Shuffled, found: Object) -> bool:
        if found is source.made or source.kind == "flow":
            return found is source.made
        while isinstance(found, Result) and not self._pipelines.is_dataset(found) and (found.args or found.receiver):
            found = found.args[0].objects[0] if found.args else found.receiver  # type: ignore[assignment]
        return isinstance(found, Result) and source.made in (found, *self._pipelines.ancestors(found))

    def _written(self, label: Object, number: int, node: ast.AST | None, source: Shuffled) -> str:
        """What a reader sees of the labels."""
        own = label.node if isinstance(label, Result) and label.module is self._run.machine.main else None
        if source.kind == "sequence":
            own = _operand(node, number) or own
        own = own.iter if isinstance(own, (ast.For, ast.comprehension)) else own
        return self._run.text(own) if own is not None else "the labels"


def _is_unmoved(label: Rows, batch: Rows) -> bool:
    """Whether labels are rows that a batch takes, before anything moved them; `y[: len(guesses)]`, too."""
    steps = batch.steps[: next(n for n, step in enumerate(batch.steps) if isinstance(step, Move))]
    rest = label.steps[len(steps) :]
    same = label.base == batch.base and label.steps[: len(steps)] == steps and not label.moves
    return same and all(cut.key[:2] == ("slice", ("constant", 0)) for cut in rest)


def _keeps_rows(index: Value) -> bool:
    """`x["label"]`, `x[:, 0]`, `x[: len(y)]`, and one of several results."""
    return isinstance(index.constant, (int, str)) or is_slice(index)


def _operand(node: ast.AST | None, number: int) -> ast.expr | None:
    found: list[ast.expr | None] = []
    if isinstance(node, ast.Call):
        found = [*node.args, *(keyword.value for keyword in node.keywords)]
    elif isinstance(node, ast.Compare):
        found = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp):
        found = [node.left, node.right]
    elif isinstance(node, ast.Dict):
        found = [*node.values]
    return found[number] if number < len(found) else None


def _parameters(made: Instance) -> tuple[str, ...]:
    """The parameters of `__init__`, without the object."""
    for cls in lineage(made.cls):
        for each in cls.node.body if isinstance(cls, Class) else ():
            if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                return tuple(each.arg for each in (*each.args.args[1:], *each.args.kwonlyargs))
    return ()


def _setting(made: Instance, draw: Call) -> str:
    """The attribute or parameter that must be true for a draw: `if self.shuffle:` around it; empty for none or several."""
    way = {draw.node, *draw.context.stack}
    tests = {
        _truth(each.test)
        for cls in lineage(made.cls)
        for each in (ast.walk(cls.node) if isinstance(cls, Class) else ())
        if isinstance(each, ast.If) and any(not way.isdisjoint(ast.walk(line)) for line in each.body)
    }
    return tests.pop() if len(tests) == 1 else ""


def _truth(test: ast.expr) -> str:
    """`shuffle` of `self.shuffle`, `self.shuffle == True` and `shuffle is True`."""
    if (
        isinstance(test, ast.Compare)
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value is True
    ):
        test = test.left
    return test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
