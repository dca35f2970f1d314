"""Keeps samples and their labels together: each label is taken where its sample is, and never without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.flow.handlers import reads
from seqlint.model import Edit
from seqlint.rewrite.layout.free_names import free_name
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import delete, insert_after, insert_before, lines_of, reindent, replace

if TYPE_CHECKING:
    from seqlint.facts import Facts
    from seqlint.facts.failures.partial_drops import PartialDrop

_TAKE_LISTS = frozenset({
    "numpy.array", "numpy.asarray", "numpy.stack", "keras.utils.to_categorical", "builtins.len",
})  # fmt: skip


def keep_pairs(facts: Facts, loss: PartialDrop) -> tuple[Edit, ...]:
    """Take a label right after its sample; no edits where the code is not plain.

    A label that was collected before its sample moves after it. One that came from a slice outside of the loop goes
    through the loop with `zip`, and is collected.
    """
    line = _line(facts, loss.collect.node) if loss.collect is not None else None
    if line is None or loss.label.frame is not loss.frame:
        return ()
    if loss.label.collect is not None:
        return _moved(facts, loss, line)
    return _zipped(facts, loss, line)


def _line(facts: Facts, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
    """The line that is this statement and nothing else."""
    statement = facts.tree.parents[node] if isinstance(node, cst.Call) else node
    line = facts.tree.parents[statement]
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    return line if isinstance(facts.tree.parents[line], cst.IndentedBlock) else None


# -- a label that is collected first ----------------------------------------------------------------------------------


def _moved(facts: Facts, loss: PartialDrop, line: cst.SimpleStatementLine) -> tuple[Edit, ...]:
    assert loss.label.collect is not None
    label = _line(facts, loss.label.collect.node)
    if label is None or facts.tree.order.precedes(line, label) or _changes_between(facts, label, line):
        return ()
    if any(reads(call) for call in facts.tree.inside(label, cst.Call)):  # the label may fail too, after its sample
        return ()
    text = facts.source.slice(*lines_of(facts, label))
    return (*delete(facts, label), insert_after(facts, line, reindent(text, "").rstrip("\n")))


def _changes_between(facts: Facts, label: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether a name in the label gets another value before the sample is collected."""
    order = facts.tree.order
    names = [name for name in facts.tree.inside(label, cst.Name) if not facts.tree.is_label(name)]
    bindings = (binding for name in names for binding in facts.names.bindings(name))
    return any(order.precedes(label, each.node) and order.precedes(each.node, line) for each in bindings)


# -- a label that is sliced outside of the loop -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Labels:
    """The labels of a batch.

    Attributes:
        text: how the loop can write them.
        uses: what must read the kept ones instead.
        base: their name without a prefix, such as "labels".
    """

    text: str
    uses: tuple[cst.BaseExpression, ...]
    base: str


def _zipped(facts: Facts, loss: PartialDrop, line: cst.SimpleStatementLine) -> tuple[Edit, ...]:
    loop = loss.skip.loop
    if not isinstance(loop, cst.For) or loop.asynchronous or not isinstance(loss.label.node, cst.Subscript):
        return ()
    labels = _labels(facts, loss, loop)
    if labels is None:
        return ()
    if _counts_rows(facts, loss, loop):
        return _indexed(facts, loss, loop, labels, line)
    if not _same_rows(facts, loss, loop):
        return ()
    function = facts.tree.function(loop)
    single = labels.base[:-1] if labels.base.endswith("s") and len(labels.base) > 2 else "label"
    one = free_name(facts, function, single, f"one_{single}")
    kept = free_name(facts, function, f"kept_{labels.base}")
    head = _head(facts, loop, labels.text, one)
    if head is None:
        return ()
    reads = tuple(edit for use in labels.uses for edit in _read(facts, use, kept))
    collect = insert_after(facts, line, f"{kept}.append({one})")
    return (*head, _empty(facts, loss, loop, kept), collect, *reads)


def _counts_rows(facts: Facts, loss: PartialDrop, loop: cst.For) -> bool:
    """Whether `for row in range(start, stop)` goes with `labels[start:stop]`."""
    assert isinstance(loss.label.node, cst.Subscript)
    rows, part = loop.iter, loss.label.node.slice[0].slice
    if not isinstance(rows, cst.Call) or facts.qualified(rows.func) != "builtins.range" or len(rows.args) > 2:
        return False
    if not isinstance(loop.target, cst.Name) or not isinstance(part, cst.Slice) or part.step is not None:
        return False
    bounds = [facts.text(argument.value) for argument in rows.args]
    return bounds == [facts.text(bound) for bound in (part.lower, part.upper) if bound is not None]


def _indexed(
    facts: Facts, loss: PartialDrop, loop: cst.For, labels: _Labels, line: cst.SimpleStatementLine
) -> tuple[Edit, ...]:
    """Take the label by the counter of the loop."""
    assert isinstance(loss.label.node, cst.Subscript)
    assert isinstance(loop.target, cst.Name)
    kept = free_name(facts, facts.tree.function(loop), f"kept_{labels.base}")
    collect = f"{kept}.append({facts.text(loss.label.node.value)}[{loop.target.value}])"
    reads = tuple(edit for use in labels.uses for edit in _read(facts, use, kept))
    old = facts.tree.statement(loss.label.node)
    named = loss.label.node not in labels.uses
    if named and not _is_all(facts, labels, loop):
        return ()
    gone = delete(facts, old) if named else ()
    return (*gone, _empty(facts, loss, loop, kept), insert_after(facts, line, collect), *reads)


def _is_all(facts: Facts, labels: _Labels, loop: cst.For) -> bool:
    """Whether nothing else reads the name of the slice."""
    around = facts.tree.function(loop) or facts.module
    names = [n for n in facts.tree.inside(around, cst.Name) if n.value == labels.text and not facts.tree.is_label(n)]
    return len(names) == len(labels.uses) + 1


def _labels(facts: Facts, loss: PartialDrop, loop: cst.For) -> _Labels | None:
    assert isinstance(loss.label.node, cst.Subscript)
    parent = facts.tree.parents[loss.label.node]
    order = facts.tree.order
    if isinstance(parent, cst.Assign):
        target = parent.targets[0].target
        if len(parent.targets) != 1 or not isinstance(target, cst.Name) or order.precedes(loop, parent):
            return None
        uses = _uses_of(facts, target, loop)
        return _Labels(target.value, uses, _base(target.value)) if uses else None
    if order.precedes(loss.label.node, loop) or not isinstance(loss.label.node.value, (cst.Attribute, cst.Name)):
        return None
    value = loss.label.node.value
    name = value.attr.value if isinstance(value, cst.Attribute) else value.value
    return _Labels(facts.text(loss.label.node), (loss.label.node,), _base(name))


def _uses_of(facts: Facts, target: cst.Name, loop: cst.For) -> tuple[cst.BaseExpression, ...]:
    """The reads of a name after the loop that still mean the slice; none where one is not plain."""
    bindings = facts.names.bindings(target)
    around = facts.tree.function(loop) or facts.module
    names = [n for n in facts.tree.inside(around, cst.Name) if n.value == target.value and not facts.tree.is_label(n)]
    if any(facts.tree.holds(loop, name) for name in names):
        return ()
    reads = [n for n in names if facts.tree.order.precedes(loop, n) and n not in {b.node for b in bindings}]
    own = [n for n in reads if any(b.node is target for b in facts.names.reaching(n))]
    return tuple(own) if all(len(facts.names.reaching(n)) == 1 for n in own) else ()


def _base(name: str) -> str:
    return name.removeprefix("batch_").removesuffix("_batch").strip("_") or "labels"


def _same_rows(facts: Facts, loss: PartialDrop, loop: cst.For) -> bool:
    """Whether the loop iterates over the same rows that the labels are taken from."""
    assert isinstance(loss.label.node, cst.Subscript)
    index = facts.text(loss.label.node.slice[0])
    rows = loop.iter
    if isinstance(rows, cst.Call):
        if (
            facts.qualified(rows.func) not in ("builtins.enumerate", "builtins.zip")
            or not rows.args
            or rows.args[0].star
        ):
            return False
        rows = rows.args[0].value
    if facts.text(rows) == index:
        return True
    found = facts.batches.flow.trace(Traced(rows, loss.frame))
    return bool(found) and all(
        isinstance(one.node, cst.Subscript) and one.frame is loss.frame and facts.text(one.node.slice[0]) == index
        for one in found
    )


def _head(facts: Facts, loop: cst.For, labels: str, one: str) -> tuple[Edit, ...] | None:
    """`for path in paths` becomes `for path, label in zip(paths, labels)`; `enumerate` and `zip` are kept."""
    target, rows = loop.target, loop.iter
    name = facts.qualified(rows.func) if isinstance(rows, cst.Call) else None
    if isinstance(rows, cst.Call) and name == "builtins.zip":
        if not isinstance(target, cst.Tuple) or len(target.elements) != len(rows.args):
            return None
        end, close = facts.span(target.elements[-1].value)[1], facts.span(rows.args[-1].value)[1]
        return (Edit(end, end, f", {one}"), Edit(close, close, f", {labels}"))
    if isinstance(rows, cst.Call) and name == "builtins.enumerate":
        if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
            return None
        item, inner = target.elements[1].value, rows.args[0].value
        both = f"({_bracketed(facts, item)}, {one})"
        return (_whole(facts, item, both), replace(facts, inner, f"zip({facts.text(inner)}, {labels})"))
    if isinstance(rows, cst.Call):
        return None
    return (
        _whole(facts, target, f"{_bracketed(facts, target)}, {one}"),
        replace(facts, rows, f"zip({facts.text(rows)}, {labels})"),
    )


def _whole(facts: Facts, node: cst.BaseExpression, text: str) -> Edit:
    return Edit(*facts.tree.outer_span(node), text)


def _bracketed(facts: Facts, node: cst.BaseExpression) -> str:
    text = facts.text(node)
    return f"({text})" if isinstance(node, cst.Tuple) else text


def _empty(facts: Facts, loss: PartialDrop, loop: cst.For, kept: str) -> Edit:
    """The new list, next to the one that takes the samples."""
    for row in facts.batches.rows(loss.dropped):
        node = row.node
        line = facts.tree.statement(node) if node is not None and row.frame is loss.frame else None
        plain = isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Assign)
        if line is not None and plain and facts.tree.block(line) is facts.tree.block(loop):
            return insert_after(facts, line, f"{kept} = []")
    return insert_before(facts, loop, f"{kept} = []")


def _read(facts: Facts, use: cst.BaseExpression, kept: str) -> tuple[Edit, ...]:
    """Read the kept labels; as an array where a slice of an array was used directly."""
    parent = facts.tree.parents[use]
    call = facts.tree.parents[parent] if isinstance(parent, cst.Arg) else None
    if isinstance(call, cst.Call) and facts.qualified(call.func) in _TAKE_LISTS:
        return (replace(facts, use, kept),)
    array = name_for(facts, "numpy.array", use)
    return (*array.edits, replace(facts, use, f"{array.text}({kept})"))
