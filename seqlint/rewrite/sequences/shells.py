"""The dataset itself instead of a Sequence that only reads an iterator over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.statements import references
from seqlint.knowledge.signatures import WORKER_ARGUMENTS
from seqlint.model import Edit
from seqlint.rewrite.layout.arguments import add_argument
from seqlint.rewrite.layout.free_names import free_attribute
from seqlint.rewrite.layout.statements import lines_of, replace

if TYPE_CHECKING:
    from seqlint.facts import ClassFacts, Facts, Role, TrainerCall
    from seqlint.facts.datasets.dataset_wrappers import DatasetWrapper

_STEPS = {"train": "steps_per_epoch", "validation": "validation_steps", "evaluate": "steps", "predict": "steps"}
_BESIDE = {"y", "sample_weight", "validation_split", "batch_size", *_STEPS.values(), *WORKER_ARGUMENTS}
_METHODS = ("fit", "evaluate", "predict")


def unwrapped(facts: Facts, owner: ClassFacts) -> tuple[Edit, ...]:
    """Turn the shell into a plain class, and pass its dataset to every `fit`, `evaluate` and `predict`.

    The class still makes the dataset and keeps its `__len__`. No edits where it does more than that, where its length may
    differ from that of the dataset, or where an instance goes elsewhere.
    """
    shell = facts.dataset_wrappers.of(owner)
    fed = _fed(facts, shell) if shell is not None else None
    if shell is None or not fed:
        return ()
    name, made = _dataset(facts, shell)
    edits = [_without_base(facts, owner), made]
    edits += [Edit(*_whole(facts, method), "") for method in shell.dropped]
    edits += [_header(facts, owner) if shell.base_call is None else Edit(*_whole(facts, shell.base_call), "")]
    edits += [_without_extra(facts, shell)] if shell.extra is not None else []
    for call, role, data in fed:
        end = facts.tree.outer_span(data)[1]
        edits.append(Edit(end, end, f".{name}"))
        if shell.steps == "counted":
            edits.append(add_argument(facts, call.node, f"{_STEPS[role]}=len({facts.text(data)})"))
    return tuple(_joined(edits))


def _joined(edits: list[Edit]) -> list[Edit]:
    """Insertions at one place in one edit."""
    found: dict[tuple[int, int], str] = {}
    for edit in edits:
        found[edit.start, edit.end] = found.get((edit.start, edit.end), "") + edit.text
    return [Edit(*span, text) for span, text in found.items()]


def _dataset(facts: Facts, shell: DatasetWrapper) -> tuple[str, Edit]:
    """The attribute that holds the dataset, and what happens to the line that made the iterator."""
    dataset = shell.dataset
    if isinstance(dataset, cst.Attribute):
        return dataset.attr.value, Edit(*_whole(facts, shell.made), "")
    name = free_attribute(facts, "dataset")
    return name, replace(facts, shell.made.body[0], f"self.{name} = {facts.text(dataset)}")


def _whole(facts: Facts, statement: cst.SimpleStatementLine | cst.FunctionDef) -> tuple[int, int]:
    """The lines of a statement with the blank lines above it, or, where it comes first, those below it."""
    block = facts.tree.parents[statement]
    siblings = list(block.body) if isinstance(block, cst.IndentedBlock) else [statement]
    place = siblings.index(statement)
    start, end = lines_of(facts, statement)
    if place:
        return lines_of(facts, siblings[place - 1])[1], end  # type: ignore[arg-type]
    return start, lines_of(facts, siblings[1])[0] if len(siblings) > 1 else end  # type: ignore[arg-type]


def _without_base(facts: Facts, owner: ClassFacts) -> Edit:
    start = facts.span(owner.node.name)[1]
    end = facts.source.utf8.index(b")", facts.tree.outer_span(owner.bases[0])[1]) + 1
    return Edit(start, end, "")


def _header(facts: Facts, owner: ClassFacts) -> Edit:
    """The head of `__init__` as it is: a class without a base must not get `super().__init__(**kwargs)` in the same pass."""
    init = owner.methods["__init__"]
    start, end = facts.span(init.name)[1], facts.span(init.body)[0]
    return Edit(start, end, facts.source.slice(start, end))


def _without_extra(facts: Facts, shell: DatasetWrapper) -> Edit:
    """Take `, **kwargs` out of the parameters."""
    assert shell.extra is not None
    text = facts.source.utf8
    name = facts.span(shell.extra.name)
    star = text.rindex(b"**", 0, name[0])
    comma = text.rindex(b",", 0, star)
    return Edit(comma, name[1], "")


def _fed(facts: Facts, shell: DatasetWrapper) -> list[tuple[TrainerCall, Role, cst.BaseExpression]] | None:
    """Where the instances go; None where one goes anywhere else."""
    places = {data: (call, role, data) for call in facts.training.calls for role, data in call.feeds}
    found = []
    for made in _instances(facts, shell):
        uses = _uses(facts, shell, made) if made is not None else None
        if uses is None or not all(use in places and _takes(facts, shell, *places[use]) for use in uses):
            return None
        found += [places[use] for use in uses]
    return found


def _instances(facts: Facts, shell: DatasetWrapper) -> list[cst.Call | None]:
    """The calls that make instances; None for another use of the class."""
    names = references(facts.tree, facts.module, *facts.names.spellings(shell.owner.node))
    found: list[cst.Call | None] = []
    for name in names:
        if facts.names.definition(name) is shell.owner.node and facts.tree.enclosing(name, cst.Annotation) is None:
            parent = facts.tree.parents[name]
            plain = isinstance(parent, cst.Call) and parent.func is name and _plain_arguments(shell, parent)
            found.append(parent if plain and isinstance(parent, cst.Call) else None)
    return found


def _plain_arguments(shell: DatasetWrapper, call: cst.Call) -> bool:
    """Whether a call passes nothing to `**kwargs`."""
    init = shell.owner.methods["__init__"]
    known = {param.name.value for param in (*init.params.params, *init.params.kwonly_params)}
    return not any(a.star or (a.keyword is not None and a.keyword.value not in known) for a in call.args)


def _uses(facts: Facts, shell: DatasetWrapper, made: cst.Call) -> list[cst.BaseExpression] | None:
    """The expressions that pass an instance on: the call itself, or each use of its only name."""
    parent = facts.tree.parents[made]
    if isinstance(parent, cst.Arg):
        return [made] if shell.steps == "all" else None
    target = parent.targets[0].target if isinstance(parent, cst.Assign) and len(parent.targets) == 1 else None
    if not isinstance(target, cst.Name) or len(facts.names.bindings(target)) != 1:
        return None
    home = facts.names.bindings(target)[0].scope
    names = [n for n in references(facts.tree, facts.module, target.value) if n is not target]
    uses = [name for name in names if facts.names.scope(name).home(target.value) is home]
    gone = {shell.iterator, *(method.name.value for method in shell.dropped)}
    return [use for use in uses if not _only_looks(facts, use, gone)]


def _only_looks(facts: Facts, use: cst.Name, gone: set[str]) -> bool:
    """`len(feed)`, `feed.paths`: what the class still supports."""
    parent = facts.tree.parents[use]
    if isinstance(parent, cst.Attribute):
        return parent.attr.value not in gone and facts.values.stored(parent) is None
    call = facts.tree.parents[parent]
    return isinstance(call, cst.Call) and facts.qualified(call.func) == "builtins.len"


def _takes(facts: Facts, shell: DatasetWrapper, call: TrainerCall, role: Role, data: cst.BaseExpression) -> bool:
    """Whether a call of a model accepts the dataset instead."""
    known = call.method in _METHODS and facts.evidence.model(call) == "yes" and not any(a.star for a in call.node.args)
    return known and _BESIDE.isdisjoint(call.arguments) and isinstance(data, (cst.Name, cst.Call))
