"""Moves statements of a Sequence's epoch hook into a new Callback, and passes that to every fit that trains on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import TrainerCall, Write, parameters
from seqlint.facts.code.statements import references
from seqlint.model import Edit, Fix
from seqlint.rewrite.callbacks.callbacks import add_callbacks, callback_class
from seqlint.rewrite.callbacks.handover import arguments, spellings
from seqlint.rewrite.callbacks.hook_contract import contract_of
from seqlint.rewrite.callbacks.validation import validation_fix
from seqlint.rewrite.layout.extract import Extract, extract, insert_below
from seqlint.rewrite.layout.free_names import first_free, free_name
from seqlint.rewrite.layout.imports import name_for
from seqlint.rewrite.layout.statements import indent_of, indent_unit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.facts import Cut, Deed, Facts, FitBinding, Hook

    AnyDeed = Deed[Write] | Deed[TrainerCall]

RUNS = (
    "evaluate", "test_on_batch", "predict", "fit", "fit_generator", "train_on_batch", "evaluate_generator", "predict_generator",
)  # fmt: skip
_ENDS = ("evaluate", "test_on_batch")
_STEM = re.compile(r"(?:Data)?(?:Sequence|PyDataset|Dataset|Generator|Loader|Feeder|Feed)$")


@dataclass(frozen=True)
class Move:
    """A callback that can be made from a hook.

    Attributes:
        deeds: what the hook no longer does afterwards.
        name: that of the new class.
        fixes: the one that makes it, and an alternative where there is one.
    """

    hook: Hook
    deeds: tuple[AnyDeed, ...]
    name: str
    fixes: tuple[Fix, ...]

    def takes(self, deed: AnyDeed) -> bool:
        """Whether the hook no longer does this afterwards."""
        return any(other.node is deed.node for other in self.deeds)


@dataclass(frozen=True)
class _Plan:
    """A move that is still being planned."""

    hook: Hook
    cut: Cut
    fits: tuple[FitBinding, ...]
    deeds: tuple[AnyDeed, ...]

    @property
    def writes(self) -> tuple[Write, ...]:
        return tuple(deed.done for deed in self.deeds if isinstance(deed.done, Write))

    @property
    def runs(self) -> tuple[TrainerCall, ...]:
        return tuple(deed.done for deed in self.deeds if isinstance(deed.done, TrainerCall))


def callback_fixes(facts: Facts) -> tuple[Move, ...]:
    """The callbacks that can take over what the epoch hooks of the file write and run, as much of a hook at once as possible."""
    found: list[Move] = []
    for hook in facts.hooks.all:
        written, ran = _deeds(facts, hook)
        every: tuple[AnyDeed, ...] = (*written, *ran)
        gone: set[cst.CSTNode] = set()
        for group in (every, written, ran, *((deed,) for deed in every)):
            wanted = tuple(deed for deed in group if deed.node not in gone)
            plan = _plan(facts, hook, wanted, every) if wanted else None
            move = _move(facts, plan, [other.name for other in found]) if plan is not None else None
            if move is not None:
                found.append(move)
                gone |= {deed.node for deed in move.deeds}
    return tuple(found)


def _deeds(facts: Facts, hook: Hook) -> tuple[tuple[Deed[Write], ...], tuple[Deed[TrainerCall], ...]]:
    """What a hook writes outside the instance, and what it runs."""
    ran = (deed for deed in facts.hooks.ran(hook) if deed.done.method in RUNS)
    return tuple(facts.hooks.written(hook)), tuple(ran)


def why_not_moved(facts: Facts, deed: AnyDeed) -> str:
    """Why no callback can take this over, in the user's terms."""
    hook, fits = deed.hook, facts.fit_bindings.on(deed.hook)
    if isinstance(deed.done, TrainerCall) and not _can_move(deed):
        if deed.done.method in _ENDS:
            return "it is as wrong in a Callback's `on_epoch_begin`"
        return "it would change the training in a Callback too"
    if fits is None:
        return f"not every `fit` on `{hook.owner.name}` is known"
    if not fits:
        return f"this file has no `fit` on `{hook.owner.name}`"
    if not all(facts.evidence.model(fit.call) == "yes" for fit in fits):
        return f"a `fit` on `{hook.owner.name}` may not be that of a Keras model"
    if facts.effects.by_hand(hook) == "elsewhere":
        return f"other code calls `{hook.called}` as well"
    written, ran = _deeds(facts, hook)
    plan = _plan(facts, hook, (deed,), (*written, *ran))
    return "without it the rest of the hook would change" if plan is None else _obstacle(facts, plan)


def _obstacle(facts: Facts, plan: _Plan) -> str:
    """Why a plan can't be carried out, in the user's terms."""
    hook, cut, fits = plan.hook, plan.cut, plan.fits
    if contract_of(facts, hook, cut, fits, plan.writes, plan.runs) is None:
        return "the batches use what it sets"
    spelled = spellings(facts, hook.owner, cut, fits)
    if spelled is None or any(arguments(facts, hook.owner, cut, spelled[1], fit) is None for fit in fits):
        return "a Callback can't get all that it needs at every `fit`"
    return f"a `fit` on `{hook.owner.name}` takes its callbacks or arguments from other code"


def _plan(facts: Facts, hook: Hook, wanted: Iterable[AnyDeed], every: tuple[AnyDeed, ...]) -> _Plan | None:
    plain = (*hook.node.params.posonly_params, *hook.node.params.params)
    if hook.node.decorators or hook.node.asynchronous is not None or not plain:
        return None
    if facts.tree.parents[hook.node] is not hook.owner.node.body:
        return None
    writes: dict[cst.CSTNode, tuple[Write, ...]] = {}
    for deed in every:
        if isinstance(deed.done, Write):
            writes[deed.step] = (*writes.get(deed.step, ()), deed.done)
    cut = facts.cuts.cut(hook.owner, hook.node, {deed.step for deed in wanted}, writes)
    if cut is None:
        return None
    deeds = tuple(deed for deed in every if deed.step in cut.steps)
    if not all(_can_move(deed) for deed in deeds) or _draws(facts, hook, cut):
        return None
    fits = facts.fit_bindings.on(hook)
    if not fits or not all(facts.evidence.model(fit.call) == "yes" for fit in fits):
        return None
    return _Plan(hook, cut, fits, deeds)


def _can_move(deed: AnyDeed) -> bool:
    """Whether something can run once per epoch in a callback; a seed would be set at another time, and a training would differ.

    An evaluation at the start of an epoch adds to the running loss of the training, also in a callback.
    """
    if isinstance(deed.done, Write):
        return deed.done.kind != "seed"
    return deed.done.method == "predict" or (deed.done.method in _ENDS and deed.hook.name == "on_epoch_end")


def _draws(facts: Facts, hook: Hook, cut: Cut) -> bool:
    """Whether a function that moves too draws random numbers: later draws depend on how often it runs."""
    reached = (r for r in hook.reached if r.call is not None and facts.hooks.leads(hook, r) in cut.steps)
    return any(facts.cuts.draws(call) for r in reached for call in facts.tree.inside(r.node.body, cst.Call))


def _move(facts: Facts, plan: _Plan, taken: list[str]) -> Move | None:
    hook, cut = plan.hook, plan.cut
    contract = contract_of(facts, hook, cut, plan.fits, plan.writes, plan.runs)
    spelled = spellings(facts, hook.owner, cut, plan.fits)
    if contract is None or spelled is None or not _is_seen(facts, plan):
        return None
    changes, needs = spelled
    taken_out = extract(facts, cut, whole=_goes_whole(facts, plan), changes=changes)
    if taken_out is None:
        return None
    first, second = _names(plan)
    name = free_name(facts, None, first, second, taken=taken)
    fits = _at_fits(facts, plan, name, needs)
    if fits is None:
        return None
    base = name_for(facts, "keras.callbacks.Callback", hook.owner.node)
    text = _class_text(facts, plan, taken_out, callback=(name, base.text), needs=needs)
    edits = (*taken_out.edits, insert_below(facts, hook.owner.node, text), *base.edits, *fits)
    title = f"Move it to a new callback, `{name}`, and pass that to every `fit` on `{hook.owner.name}`"
    fix = Fix(title, tuple(dict.fromkeys(edits)), contract)
    alone = plan.runs[0] if len(plan.runs) == 1 and not plan.writes else None
    other = validation_fix(facts, hook, cut, alone, plan.fits, taken_out.edits) if alone is not None else None
    return Move(hook, plan.deeds, name, (fix,) if other is None else (fix, other))


def _is_seen(facts: Facts, plan: _Plan) -> bool:
    """Whether every fit sees the names of the scope that holds the class."""
    owner = plan.hook.owner
    home = facts.names.scope(owner.node)
    if home.kind == "class":
        return False
    return all(facts.names.scope(fit.call.node).home(owner.name) is home.home(owner.name) for fit in plan.fits)


def _names(plan: _Plan) -> tuple[str, str]:
    """Two names for the new class: after what it does, and after the Sequence."""
    methods = {run.method for run in plan.runs}
    own = plan.hook.owner.name
    lead = "_" if own.startswith("_") else ""
    stem = _STEM.sub("", own.lstrip("_"))
    if plan.writes and not methods and all(_counts(write) for write in plan.writes):
        return f"{lead}EpochCounter", f"{lead}{stem or 'Data'}Counter"
    if methods and not plan.writes:
        does = "Prediction" if methods == {"predict"} else "Evaluation"
        return f"{lead}{does}Callback", f"{lead}{stem or 'Data'}{does}Callback"
    last = re.sub(r"[^\w.].*", "", plan.writes[0].target).rpartition(".")[2]
    title = stem or "".join(word.capitalize() for word in last.split("_"))
    return f"{lead}{title}Callback", f"{lead}{title}EpochCallback"


def _counts(write: Write) -> bool:
    """`counter += 1`."""
    node = write.node
    return (
        isinstance(node, cst.AugAssign)
        and isinstance(node.operator, cst.AddAssign)
        and isinstance(node.value, cst.Integer)
    )


# -- the hook -------------------------------------------------------------------------------------------------------------


def _goes_whole(facts: Facts, plan: _Plan) -> bool:
    """Whether the hook can be removed: nothing is left in it, and the inherited one does nothing either."""
    hook, cut = plan.hook, plan.cut
    left = [statement for statement in cut.rest if not _is_super(facts, statement, hook.name)]
    if left:
        return False
    if hook.name == "on_epoch_begin" and _is_named(facts, plan):
        return False  # older Keras has no such method to inherit
    if len(left) < len(cut.rest):
        return True
    inherited = any(hook.name in base.methods for base in hook.owner.lineage[1:])
    return hook.owner.lineage_is_known and not inherited


def _is_super(facts: Facts, statement: cst.CSTNode, name: str) -> bool:
    """`super().on_epoch_end()`, and nothing else."""
    return re.fullmatch(rf"super\(.*\)\.{name}\(\)", facts.text(statement).strip()) is not None


def _is_named(facts: Facts, plan: _Plan) -> bool:
    uses = facts.members.all(plan.hook.name)
    return any(not facts.tree.holds(plan.hook.node, use) for use in uses)


# -- the class ------------------------------------------------------------------------------------------------------------


def _class_text(facts: Facts, plan: _Plan, out: Extract, *, callback: tuple[str, str], needs: tuple[str, ...]) -> str:
    hook = plan.hook
    inner = indent_of(facts, hook.node)
    body = (
        indent_of(facts, hook.node.body.body[0])
        if isinstance(hook.node.body, cst.IndentedBlock)
        else inner + indent_unit(facts)
    )
    used = {name.value for node in plan.cut.nodes for name in references(facts.tree, node)}
    epoch = first_free(used, "epoch", "index", "epoch_index")
    logs = first_free(used, "logs", "metrics", "epoch_logs")
    this = parameters(hook.node.params)[0].name.value
    method = f"{out.above}{inner}def {hook.name}({this}, {epoch}, {logs}=None):{out.trailing}\n{out.body}"
    return callback_class(
        *callback, (indent_of(facts, hook.owner.node), inner, body), (method, *out.methods), needs, out.starts
    )


# -- the fits -------------------------------------------------------------------------------------------------------------


def _at_fits(facts: Facts, plan: _Plan, name: str, needs: tuple[str, ...]) -> tuple[Edit, ...] | None:
    edits: list[Edit] = []
    for fit in plan.fits:
        given = arguments(facts, plan.hook.owner, plan.cut, needs, fit)
        if given is None or (len(given) > 1 and plan.writes):  # it would write twice per epoch
            return None
        made = tuple(f"{name}({text})" for text in given)
        edit = add_callbacks(facts, fit.call, made, after=plan.hook.owner.node)
        if edit is None:
            return None
        edits.append(edit)
    return tuple(edits)
