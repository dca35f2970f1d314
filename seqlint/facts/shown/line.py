"""What is known of one line: what its names and calls mean, which values they can have, and what the line belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.forms import Form, described
from seqlint.facts.numbers.arrays import UNKNOWN as NO_ARRAY
from seqlint.facts.shown.overview import CallKnown, ClassKnown, call_known, class_known, strategies
from seqlint.facts.shown.spoken import Spoken, Way, here, known_as, short, spoken
from seqlint.knowledge.signatures import SIGNATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import Binding, Facts

_CHAINS = (cst.Name, cst.Attribute)


@dataclass(frozen=True)
class MoreKnown:
    """Something else that is known of a value, such as ("constant", "32") or ("rounding", "floor of n by b")."""

    about: str
    text: str


@dataclass(frozen=True)
class TermKnown:
    """A name, a chain of names or a call.

    Attributes:
        column: from 1.
        names: what it names: a canonical name, a class or function of the file, "?" for all else.
        origins: as what it was imported.
        bound: what gives a name its value here: "assign", "parameter", "for" and so on, with the line.
        values: the expressions that compute its value; none where that is the term itself.
        more: what else is known of the value.
    """

    text: str
    column: int
    names: str
    origins: tuple[str, ...]
    bound: tuple[Spoken, ...]
    values: tuple[Spoken, ...]
    more: tuple[MoreKnown, ...]


@dataclass(frozen=True)
class StepKnown:
    """A step of a dataset, with its line; 0 where it stands in another file."""

    text: str
    line: int


@dataclass(frozen=True)
class DatasetKnown:
    """A dataset.

    Attributes:
        steps: its chain, the source first.
        more: what a reader of it meets: its element, batches, order, cache, end.
    """

    steps: tuple[StepKnown, ...]
    more: tuple[str, ...]


@dataclass(frozen=True)
class ValueKnown:
    """What the run knows of an expression.

    Attributes:
        column: from 1.
        values: what it can be, each in a few words.
        datasets: the datasets among them.
        rows: of an array or list: its rows, shape, type and range, and what cut or moved its rows.
    """

    text: str
    column: int
    values: tuple[str, ...]
    datasets: tuple[DatasetKnown, ...] = ()
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class LineKnown:
    """A line.

    Attributes:
        inside: the classes and functions around it, the outermost first.
        reached: the methods that Keras calls on whose way it runs: ("Feed.__getitem__", "_load").
        strategies: those whose scope can hold.
        classes: those that start on it.
        calls: the trainer calls that it is a part of.
        run: the values of its expressions when the program is run.
    """

    path: str
    line: int
    text: str
    inside: tuple[Spoken, ...]
    reached: tuple[Way, ...]
    strategies: tuple[str, ...]
    terms: tuple[TermKnown, ...]
    classes: tuple[ClassKnown, ...]
    calls: tuple[CallKnown, ...]
    run: tuple[ValueKnown, ...] = ()


def line_known(facts: Facts, number: int) -> LineKnown:
    """What is known of a line.

    Args:
        number: from 1; it must be a line of the file.
    """
    nodes = tuple(_on(facts, number))
    calls = (call_known(facts, call) for call in facts.training.calls)
    terms = [_term(facts, node) for node in nodes if _is_term(facts, node)]
    return LineKnown(
        facts.source.path,
        number,
        facts.source.line(number).strip(),
        tuple(_inside(facts, nodes[0])) if nodes else (),
        tuple(_reached(facts, nodes[0])) if nodes else (),
        strategies(facts, facts.strategies.at(nodes[0])) if nodes else (),
        tuple(sorted(terms, key=lambda term: term.column)),
        tuple(class_known(facts, owner) for owner in facts.classes if here(facts, owner.node) == number),
        tuple(call for call in calls if call.line <= number <= call.end),
    )


def _on(facts: Facts, number: int) -> Iterator[cst.CSTNode]:
    """The nodes that start on a line, in reading order; blocks, lists of parameters and the file itself are none."""
    start = facts.source.line_starts[number - 1]
    end = start + len(facts.source.line(number).encode())
    for statement in facts.module.body:
        first, last = facts.span(statement)
        for node in facts.tree.walk(statement) if first < end and start < last else ():
            if not isinstance(node, _HOLDERS) and start <= facts.span(node)[0] < end:
                yield node


_HOLDERS = (cst.Module, cst.IndentedBlock, cst.SimpleStatementSuite, cst.Parameters)
"""Nodes that only hold others; an empty list of parameters has no place at all."""


def _inside(facts: Facts, node: cst.CSTNode) -> Iterator[Spoken]:
    around = [
        outer for outer in (node, *facts.tree.ancestors(node)) if isinstance(outer, (cst.ClassDef, cst.FunctionDef))
    ]
    for outer in reversed(around):
        kind = "class" if isinstance(outer, cst.ClassDef) else "function"
        yield Spoken(outer.name.value, here(facts, outer), kind)


def _reached(facts: Facts, node: cst.CSTNode) -> Iterator[Way]:
    around = [outer for outer in (node, *facts.tree.ancestors(node)) if isinstance(outer, cst.FunctionDef)]
    lines = {here(facts, function) for function in around}
    for owner in facts.classes if lines else ():
        for way in class_known(facts, owner).ways:
            if way.line in lines:
                yield Way((f"{owner.name}.{way.path[0]}", *way.path[1:]), way.line)


# -- terms ----------------------------------------------------------------------------------------------------------


def _is_term(facts: Facts, node: cst.CSTNode) -> bool:
    if isinstance(node, (cst.Call, cst.ImportAlias)):
        return True
    if not isinstance(node, _CHAINS) or (isinstance(node, cst.Name) and facts.tree.is_label(node)):
        return False
    parent = facts.tree.parents[node]
    if isinstance(
        parent, (cst.ImportAlias, cst.ImportFrom, cst.Import, cst.AsName, cst.FunctionDef, cst.ClassDef, cst.NameItem)
    ):
        return isinstance(parent, cst.AsName) and not isinstance(facts.tree.parents[parent], cst.ImportAlias)
    if isinstance(parent, cst.Call) and parent.func is node:  # the call itself says what is called
        return False
    if not isinstance(parent, cst.Attribute) or parent.value is not node or not _is_chain(parent):
        return True
    called = facts.tree.parents[parent]
    return isinstance(called, cst.Call) and called.func is parent and facts.qualified(parent) is None


def _is_chain(node: cst.BaseExpression) -> bool:
    """Whether an expression is names with dots between, and nothing else."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)


def _term(facts: Facts, node: cst.CSTNode) -> TermKnown:
    start = facts.span(node)[0]
    if isinstance(node, cst.ImportAlias):
        return _imported(facts, node, start)
    assert isinstance(node, cst.BaseExpression)
    target = _target(facts, node)
    value = node if target is None else target.value
    return TermKnown(
        short(facts, node),
        facts.source.position(start).column,
        known_as(facts, node.func if isinstance(node, cst.Call) else node) if target is None else "",
        tuple(_origins(facts, node.func if isinstance(node, cst.Call) else node)) if target is None else (),
        tuple(_bound(facts, node)) if target is None else (Spoken(target.kind, here(facts, target.node)),),
        _values(facts, node, value),
        tuple(_known(facts, value)) if value is not None else (),
    )


def _imported(facts: Facts, alias: cst.ImportAlias, start: int) -> TermKnown:
    found = [b for names in facts.names.scope(alias).bindings.values() for b in names if b.node is alias]
    names = " or ".join(facts.names.canonical_of(binding.origin) or "?" for binding in found)
    origins = tuple(binding.origin or "?" for binding in found)
    return TermKnown(short(facts, alias), facts.source.position(start).column, names, origins, (), (), ())


def _target(facts: Facts, node: cst.BaseExpression) -> Binding | None:
    """The binding that a name is the target of."""
    if not isinstance(node, cst.Name):
        return None
    parameter = facts.tree.parents[node]
    places = (node, parameter) if isinstance(parameter, cst.Param) else (node,)
    return next((binding for binding in facts.names.bindings(node) if binding.node in places), None)


def _origins(facts: Facts, node: cst.BaseExpression) -> list[str]:
    found = facts.names.origins(node)
    return sorted(origin for origin in found if origin is not None and facts.names.defined(origin) is None)


def _bound(facts: Facts, node: cst.BaseExpression) -> Iterator[Spoken]:
    if isinstance(node, cst.Name):
        for binding in facts.names.reaching(node):
            yield Spoken(binding.kind, here(facts, binding.node))


def _values(facts: Facts, node: cst.BaseExpression, value: cst.BaseExpression | None) -> tuple[Spoken, ...]:
    if facts.values.self_class(node) is not None:
        return ()
    stored = facts.values.stored(node) if isinstance(node, cst.Attribute) else None
    if stored is not None:
        return tuple(spoken(facts, each) for each in (facts.values.of(stored[0]) if stored[0] is not None else (None,)))
    asked = node if value is None or isinstance(facts.tree.parents[node], cst.Param) else value
    found = facts.values.of(asked)
    return () if found == (node,) else tuple(spoken(facts, each) for each in found)


def _known(facts: Facts, node: cst.BaseExpression) -> Iterator[MoreKnown]:
    yield from _ran(facts, node)
    constant, number = facts.values.constant(node), facts.numbers.value(node)
    if constant is not None:
        yield MoreKnown("constant", f"{constant.value!r}")
    elif number is not None:
        yield MoreKnown("number", f"{number!r}")
    if (count := facts.counts.of(node)) is not None:
        rounding = "quotient" if count.kind == "true" else count.kind.replace("-", " ")
        yield MoreKnown(
            "rounding", f"{rounding} of {short(facts, count.numerator)} by {short(facts, count.denominator)}"
        )
    if (array := facts.shapes.of(node)) != NO_ARRAY:
        yield MoreKnown("array", f"{described(Form('array', array=array))}")
    made = facts.training.class_of(node)
    if made is not None:
        yield MoreKnown("instance of", f"{made.name}, line {here(facts, made.node)}")
    if (kind := facts.input_kinds.kind(node)) not in ("arrays", "unknown"):
        yield MoreKnown("data", kind)
    func = node.func if isinstance(node, cst.Call) else None
    if isinstance(func, cst.Attribute) and func.attr.value in SIGNATURES:
        yield MoreKnown("called on a model", facts.training.is_model(func.value, func.attr.value))
    if facts.training.is_model(node) == "yes":
        yield MoreKnown("model", "yes")


def _ran(facts: Facts, node: cst.BaseExpression) -> Iterator[MoreKnown]:
    """The method that a call runs, and the class whose attribute is read."""
    function = facts.call_graph.called(node) if isinstance(node, cst.Call) else None
    if function is not None:
        owner = facts.tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
        prefix = f"{owner.name.value}." if isinstance(owner, cst.ClassDef) else ""
        yield MoreKnown("runs", f"{prefix}{function.name.value}, line {here(facts, function)}")
    own = facts.values.self_class(node.value if isinstance(node, cst.Attribute) else node)
    if own is not None:
        about = "attribute of" if isinstance(node, cst.Attribute) else "instance of"
        yield MoreKnown(about, f"{own.name.value}, line {here(facts, own)}")
