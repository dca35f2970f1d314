"""Which of Keras's kinds a class is: a Sequence, a callback, a metric, a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.names import MAX_STEPS
from seqlint.knowledge.canonical_names import CALLBACK, ITERATORS, METRIC, MODEL, SEQUENCE, canonical

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.project import Project
    from seqlint.facts.values.values import Values

Answer = Literal["yes", "no", "unknown"]
Kind = Literal["sequence", "callback", "metric", "model"]

KINDS: dict[Kind, frozenset[str]] = {
    "sequence": SEQUENCE | ITERATORS,
    "callback": CALLBACK,
    "metric": METRIC,
    "model": MODEL,
}
_PREFIXES: dict[Kind, str] = {"callback": "keras.callbacks.", "metric": "keras.metrics."}
_ANSWERS: dict[bool | None, Answer] = {True: "yes", False: "no", None: "unknown"}
_NO_KERAS = ("keras", "builtins", "abc", "collections", "typing", "numpy", "torch")


class Kinds:
    """The kinds of the classes that a file makes or names."""

    def __init__(self, names: Names, values: Values, project: Project | None) -> None:
        self._names = names
        self._values = values
        self._project = project
        self._known: dict[tuple[cst.ClassDef, Kind], Answer] = {}

    def of_class(self, node: cst.ClassDef, kind: Kind, seen: frozenset[cst.ClassDef] = frozenset()) -> Answer:
        """Whether a class of this file is of a kind. One base that is decides; an unknown one leaves it open."""
        if node in seen:
            return "no"
        if (node, kind) in self._known:
            return self._known[node, kind]
        if len(seen) > MAX_STEPS:
            return "unknown"
        answers = [self._of_base(base_of(base), kind, seen | {node}) for base in node.bases if base.keyword is None]
        answer: Answer = "yes" if "yes" in answers else "unknown" if "unknown" in answers else "no"
        if not seen:  # inside a circle an answer is that of a part of it
            self._known[node, kind] = answer
        return answer

    def _of_base(self, base: cst.BaseExpression, kind: Kind, seen: frozenset[cst.ClassDef]) -> Answer:
        if isinstance(base, cst.Call):
            return self._of_call(base, kind, seen)
        definitions = self._names.definitions(base)
        if definitions:
            answers = {self.of_class(d, kind, seen) if isinstance(d, cst.ClassDef) else "unknown" for d in definitions}
            return _agreed(answers)
        return _agreed({self.of_name(name, kind) for name in self._names.canonicals(base)})

    def _of_call(self, call: cst.Call, kind: Kind, seen: frozenset[cst.ClassDef]) -> Answer:
        """`class Feed(make_base(...))`: a function of this file that returns a class."""
        function = self._names.definition(call.func)
        if not isinstance(function, cst.FunctionDef):
            return "unknown"
        returned = [node.value for node in self._values.own(function, cst.Return)]
        if not returned or any(value is None for value in returned):
            return "unknown"
        return _agreed({self._of_base(value, kind, seen) for value in returned if value is not None})

    def of_name(self, name: str | None, kind: Kind) -> Answer:
        """Whether a canonical name, of a library or of the project, is of a kind."""
        if name is None:
            return "unknown"
        if name in KINDS[kind] or (kind in _PREFIXES and name.startswith(_PREFIXES[kind])):
            return "yes"
        if self._project is None:
            return _ANSWERS[judged(name, kind)]
        return _ANSWERS[self._project.descends(name, lambda found: judged(canonical(found), kind))]

    def of_made(self, name: str | None, kind: Kind) -> Answer:
        """Whether what a call of a canonical name gives is of a kind: an instance of a class, or what a function of the project returns."""
        made = self.made(name)
        if made:
            return _agreed({self.of_name(canonical(each), kind) for each in made})
        return self.of_name(name, kind)

    def made(self, name: str | None) -> tuple[str, ...]:
        """What a call of a function of the project gives: the class of each object, or the function of a library that makes it.

        Empty where that can't be told, and for any other name.
        """
        if name is None or self._project is None or not self._project.has(name):
            return ()
        found = self._project.origins(f"{name}()")
        return tuple(each.removesuffix("()") for each in found) if all(each.endswith("()") for each in found) else ()

    def leading(self, name: str, kind: Kind) -> tuple[str, ...]:
        """A name, with the one behind it that makes it one of a kind, where it is a class of another file."""
        behind = [base for base in self.ancestors(name) if base in KINDS[kind]]
        return (name, behind[0]) if behind else (name,)

    def ancestors(self, name: str) -> tuple[str, ...]:
        """The canonical names of the bases, and of theirs, of a class of the project; empty for any other."""
        found = self._project.ancestors(name) if self._project is not None else ()
        return tuple(canonical(base) for base in found)


def base_of(argument: cst.Arg) -> cst.BaseExpression:
    """What a class statement names: `Base` for `Base[Image]`."""
    base = argument.value
    typed = isinstance(base, cst.Subscript) and isinstance(base.value, (cst.Name, cst.Attribute))
    return base.value if typed and isinstance(base, cst.Subscript) else base


def judged(name: str, kind: Kind) -> bool | None:
    """Whether a canonical name outside the project is of a kind; None where only its library knows."""
    if name in KINDS[kind] or (kind in _PREFIXES and name.startswith(_PREFIXES[kind])):
        return True
    return False if name.partition(".")[0] in _NO_KERAS else None


def _agreed(answers: set[Answer]) -> Answer:
    return answers.pop() if len(answers) == 1 else "unknown"
