"""What each fit is trained and validated on."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.parts.part import Part, Relation, relation
from seqlint.domains.parts.parts import Parts
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.rows.steps import Moment
from seqlint.run import Constant, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Run, Value

_FITS = ("fit", "fit_generator")
_FIRST = ("x", "generator")
_PLACES = {"y": 1, "validation_data": 7}
_TRIES = re.compile(
    r"overfit|sanity|smoke|on purpose|debug|dummy|memori[sz]e|unit.?test|(^|[^a-z])toy([^a-z]|$)|demo([^a-z]|$)",
    re.IGNORECASE,
)
_CARES = re.compile(r"""['"]val_|EarlyStopping|ReduceLROnPlateau|ModelCheckpoint""")
_LINES_ABOVE = 2


@dataclass(frozen=True, eq=False)
class Fed:
    """A fit with its data.

    Attributes:
        data, held: what it trains on, and what it is validated on; None where it has none.
        train, validation: the rows of these; None where nobody knows.
    """

    call: Call
    data: Value | None
    held: Value | None
    train: Part | None
    validation: Part | None

    @property
    def relation(self) -> Relation:
        """What the validation rows are for the training rows."""
        return relation(self.train, self.validation)


class Feds:
    """The fits of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._parts = run.domain(Parts)

    @cached_property
    def all(self) -> tuple[Fed, ...]:
        """Every fit of a Keras model that there is, in running order."""
        return tuple(self._all())

    def _all(self) -> Iterator[Fed]:
        for call in self._run.methods(*_FITS):
            if call.result.op != "call" or call.result.receiver is None:
                continue
            data, held = self.argument(call, "x"), self.argument(call, "validation_data")
            if held is not None and is_of_keras(self._run, call):
                yield Fed(call, data, held, self.part(call, data), self.part(call, held))
            elif call.name.startswith("keras."):
                yield Fed(call, data, held, self.part(call, data), None)

    def part(self, call: Call, value: Value | None) -> Part | None:
        """The rows of a value where a call gets it."""
        found = self._parts.of(value, moment(call)) if value is not None else None
        return found if found is None or self._is_one(found, call) else None

    def _is_one(self, part: Part, call: Call) -> bool:
        """Whether all that rows are made of is the same thing at each reading: a loop that the reader is not in makes many."""
        loops = {id(loop.node) for loop in call.context.loops}
        made = [self._run.call_of[each] for each in (part.source, *part.ways) if each in self._run.call_of]
        return all(id(loop.node) in loops for each in made for loop in each.context.loops)

    def argument(self, call: Call, name: str) -> Value | None:
        """An argument of a fit by its name; None where it is left out, or None."""
        result = call.result
        value = next((given for key in (_FIRST if name == "x" else (name,)) if (given := result.keyword(key))), None)
        place = _PLACES.get(name, 0 if name == "x" else -1)
        if value is None and result.method == "fit" and 0 <= place < len(result.args):
            value = result.args[place]
        elif value is None and name == "x" and result.args:
            value = result.args[0]
        return None if value is None or (isinstance(value.only, Constant) and value.only.value is None) else value

    # -- on purpose -------------------------------------------------------------------------------------------------

    def is_a_try(self, call: Call) -> bool:
        """Whether the code around a fit says that it only tries something out: a test, a model that shall overfit."""
        path = self._run.machine.main.path
        if path is not None and (path.name.startswith("test") or path.stem.endswith("_test") or "tests" in path.parts):
            return True
        nodes = [
            node for node in (call.node, *call.context.stack) if isinstance(node, ast.Call) and self._run.is_own(node)
        ]
        return any(_TRIES.search(text) for node in nodes for text in self._around(node))

    def _around(self, node: ast.Call) -> Iterator[str]:
        """The text of a call with the lines above it, and the names of the functions that it stands in."""
        start, end = self._run.span(node)
        before = self._run.slice(0, start).splitlines()
        yield "\n".join([*before[-1 - _LINES_ABOVE :], self._run.slice(start, end)])
        for each in ast.walk(self._run.tree):
            if isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each.lineno <= node.lineno <= (
                each.end_lineno or 0
            ):
                yield f"unittest {each.name}" if each.name.lower().startswith("test") else each.name

    @cached_property
    def cares(self) -> bool:
        """Whether the program does something with scores of validation."""
        return _CARES.search(self._run.slice(0, self._run.size)) is not None

    def place(self, fed: Fed, name: str, *causes: Part | None) -> ast.AST | None:
        """Where this file gives an argument of a fit, or calls what fits with its data; None where another file shows it."""
        call = fed.call
        if self._run.is_here(call.context) and isinstance(call.node, ast.Call):
            return next((each.value for each in call.node.keywords if each.arg == name), call.node.func)
        made = (cause.source for cause in causes if cause is not None)
        here = any(isinstance(each, Result) and each.module is self._run.machine.main for each in made)
        return self._run.leads_to(call.context) if here else None


def moment(call: Call) -> Moment:
    """When a call happens, and on which way."""
    return Moment(call.context.clock, call.context.guards)


def is_of_keras(run: Run, call: Call) -> bool:
    """Whether a trainer call is one of Keras: in a file that uses it nobody else's `fit` takes such arguments."""
    return call.name.startswith("keras.") or run.domain(Pipelines).imports_tensorflow
