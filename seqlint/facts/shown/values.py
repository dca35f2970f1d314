"""What a run knows at a place of the text, in words: for `seqlint facts --at`, and for the hover of an editor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.pipelines.elements import Elements
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.pipelines.states import States
from seqlint.facts.shown.arrays import ArraysShown
from seqlint.facts.shown.line import DatasetKnown, StepKnown, ValueKnown
from seqlint.run import (
    Bound,
    Class,
    Constant,
    Container,
    External,
    Function,
    Generator,
    Instance,
    Result,
    Setting,
    Tuple,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.pipelines.states import State
    from seqlint.run import Object, Run, Value

_MOST_WORDS = 80
_CHAIN_LINKS = 12
_MOST_WAYS = 3
"""Of the datasets that an expression can be, as many are told."""
_ORDERS = {
    "kept": "not shuffled",
    "once": "shuffled, the same order in each epoch",
    "again": "shuffled again in each epoch",
    "unknown": "order not known",
}


class Shown:
    """The words for the values of one run, which must have been watched."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._elements = run.domain(Elements)
        self._states = run.domain(States)
        self._counts = run.domain(Counts)
        self._arrays = ArraysShown(run)

    def line(self, number: int) -> tuple[ValueKnown, ...]:
        """What is known of the expressions that start on a line, those of calls and names."""
        nodes = [node for node in self._run.machine.values if getattr(node, "lineno", 0) == number and _is_told(node)]
        nodes.sort(key=lambda node: (node.col_offset, -(node.end_col_offset or 0)))  # type: ignore[attr-defined]
        return tuple(shown for node in nodes if (shown := self.expression(node)) is not None)

    def at(self, offset: int) -> ValueKnown | None:
        """What is known of the smallest expression at an offset, in bytes, that is a dataset."""
        nodes = [node for node in self._run.machine.values if _is_told(node) and self._holds(node, offset)]
        nodes.sort(key=lambda node: self._run.span(node)[1] - self._run.span(node)[0])
        for node in nodes:
            shown = self.expression(node)
            if shown is not None and shown.datasets:
                return shown
        return None

    def _holds(self, node: ast.AST, offset: int) -> bool:
        start, end = self._run.step_span(node)
        return start <= offset <= end

    def expression(self, node: ast.AST) -> ValueKnown | None:
        """What is known of an expression; None where that is nothing."""
        watched = self._run.machine.values[node]
        objects: dict[object, Object] = {each.term: each for seen in watched for each in seen.value}
        words = tuple(dict.fromkeys(word for each in objects.values() if (word := self.word(each))))
        datasets = [self._dataset(each) for each in objects.values() if isinstance(each, Result) and self._is_one(each)]
        told = tuple(dict.fromkeys(datasets))[:_MOST_WAYS]
        rows = tuple(self._arrays.of(watched[-1])) if watched and not told else ()
        if not words and not rows:
            return None
        text, column = _short(self._run.text(node)), self._run.position(node).column
        return ValueKnown(text, column, words or ("an array",), told, rows)

    def _is_one(self, found: Result) -> bool:
        return self._pipelines.is_dataset(found)

    def _dataset(self, step: Result) -> DatasetKnown:
        return DatasetKnown(tuple(self._chain(step)), tuple(self.facts(step)))

    # -- datasets ---------------------------------------------------------------------------------------------------

    def _chain(self, step: Result) -> Iterator[StepKnown]:
        for each in reversed(self._pipelines.line(step)[:_CHAIN_LINKS]):
            yield StepKnown(self._call(each) if each.op == "call" else self.word(each) or "?", self._line(each))

    def _line(self, step: Result) -> int:
        here = step.module is self._run.machine.main
        return self._run.step_line(step.node) if here and step.node is not None else 0

    def facts(self, step: Result) -> Iterator[str]:
        """What a reader of a dataset meets."""
        state, count = self._states.of(step), self._counts.elements(step)
        yield f"element: {self._elements.of(step)}"
        if state.repeated != 0:
            yield _length(count, "batch" if state.batched == 1 else "element")
        yield _batches(state)
        yield _ORDERS[state.order]
        yield "cached" if state.cached else "not cached"
        if state.repeated != 1:
            yield (
                "repeated for ever"
                if state.repeated == 0
                else f"repeated {state.repeated} times"
                if state.repeated
                else "repeated"
            )

    # -- words ------------------------------------------------------------------------------------------------------

    def word(self, found: Object, depth: int = 0) -> str:
        """An object in a few words; empty for what is not known."""
        if isinstance(found, Constant):
            return _short(repr(found.value))
        if isinstance(found, Setting):
            return f"{found.default.value!r} by default"
        if isinstance(found, External):
            return found.name
        if isinstance(found, (Function, Bound)):
            function = found.function if isinstance(found, Bound) else found
            return f"the function {function.name}" if function.name else "a lambda"
        if isinstance(found, Class):
            return f"the class {found.name}"
        if isinstance(found, Instance):
            return f"a {found.cls.name}"
        if isinstance(found, Generator):
            return f"a generator of {found.function.name}"
        if isinstance(found, (Tuple, Container)):
            return self._collection(found, depth)
        return self._result(found) if isinstance(found, Result) else "" if isinstance(found, Unknown) else "a module"

    def _collection(self, found: Tuple | Container, depth: int) -> str:
        items = self._run.items(found)
        name = "tuple" if isinstance(found, Tuple) else found.kind
        if items is None:
            return f"a {name}"
        if depth > 1 or not items:
            return f"a {name} of {len(items)}"
        inner = ", ".join(self._value(item, depth + 1) for item in items)
        return _short(f"a {name} of {len(items)}: {inner}")

    def _value(self, value: Value, depth: int) -> str:
        return " or ".join(dict.fromkeys(self.word(each, depth) or "?" for each in value)) or "?"

    def _result(self, found: Result) -> str:
        if self._pipelines.is_dataset(found):
            return "a dataset"
        if found.op == "call":
            return _short(self._call(found))
        if found.op == "parameter":
            return f"whatever {found.name} is given"
        return ""

    def _call(self, found: Result) -> str:
        named = [self._value(value, 2) for value in found.args]
        named += [f"{name}={self._value(value, 2)}" for name, value in found.keywords]
        name = found.method if found.receiver is not None else found.name
        return f"{name}({', '.join(named)})"


def _length(count: int | None, what: str) -> str:
    if count is None:
        return "length not known"
    return f"1 {what}" if count == 1 else f"{count} {what}{'es' if what.endswith('h') else 's'}"


def _batches(state: State) -> str:
    if state.batched is None:
        return "batches not known"
    words = {0: "not batched", 1: "batched", 2: "batched twice"}
    said = words.get(state.batched, f"batched {state.batched} times")
    return f"{said}, the short last batch left out" if state.drops_remainder and state.batched else said


def _is_told(node: ast.AST) -> bool:
    return isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_WORDS else f"{line[: _MOST_WORDS - 1]}…"
