"""Plays a module of classes: tries inputs for each class, or trains on what was found, or on what a factory gives."""

from __future__ import annotations

import ast
import gc
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import streams
from . import factories, words
from .made import made, make_files
from .modules import load
from .small_model import small_model
from .targets import Found, hidden, targets
from .tiny import fit_callback, line_of
from .trials import known, search, unknown
from .variants import others

if TYPE_CHECKING:
    from types import ModuleType

    from ..recording import Left, Plan, Target
    from ..tape import Tape

_DONE = 5


def plan(tape: Tape, main: ModuleType) -> None:
    """Import the module and find inputs for each of its classes; the plan lies on the tape.

    Raises:
        Exception: what the module raises while it is imported.
    """
    module = load(tape)
    text = Path(tape.job["script"]).read_text("utf-8")
    tree = ast.parse(text)
    for found in targets(module, tree, text):
        _plan_one(tape.plan, module, found)
    for name, function in hidden(tree):
        reason = f"it is made inside {function}(), so nothing else can make one"
        paste = words.factory(module.__name__, function, {}, _required(tree, function))
        tape.plan["left"].append({"name": name, "reason": reason, "factory": paste})
    if not tape.plan["targets"] and not tape.plan["left"]:
        tape.plan["left"].append(_nothing(module, tree))


def _plan_one(plan: Plan, module: ModuleType, found: Found) -> None:
    missing = unknown(found)
    if missing:
        names = " and ".join(f"`{name}`" for name in missing)
        reason = f"nothing is known of what its parameter{'s' if len(missing) > 1 else ''} {names} may be"
        plan["left"].append(_left(module, found, reason, missing))
        return
    trial = search(found)
    needs_inputs = any(not one.optional for one in found.parameters)
    if trial.stage < _DONE and (needs_inputs or trial.stage == 0 or found.kind == "function"):
        reason = f"it can't be driven with inputs that seqlint makes: {trial.error}"
        plan["left"].append(_left(module, found, reason, []))
        return
    target: Target = {
        "name": found.name, "kind": found.kind, "arguments": trial.arguments, "files": trial.files,
        "text": words.call(found.name, trial.arguments), "steps": trial.steps, "epochs": trial.epochs, "again": False,
    }  # fmt: skip
    plan["targets"].append(target)
    if trial.stage == _DONE:
        plan["targets"] += [
            {**target, "arguments": other, "text": words.call(found.name, other), "again": True}
            for other in others(found, trial)
        ]


def _left(module: ModuleType, found: Found, reason: str, missing: list[str]) -> Left:
    paste = words.factory(module.__name__, found.name, known(found), missing)
    return {"name": found.name, "reason": reason, "factory": paste}


def _nothing(module: ModuleType, tree: ast.Module) -> Left:
    """What to say of a module without classes that can be driven: the function that trains makes a factory."""
    for node in tree.body:
        calls = {ast.unparse(item.func).rpartition(".")[2] for item in ast.walk(node) if isinstance(item, ast.Call)}
        if isinstance(node, ast.FunctionDef) and calls & {"fit", "train_on_batch", "evaluate", "predict"}:
            paste = words.factory(module.__name__, node.name, {}, _required(tree, node.name))
            reason = f"it trains in {node.name}(), which nothing calls with arguments that seqlint could know"
            return {"name": node.name, "reason": reason, "factory": paste}
    reason = "it has no Sequence, PyDataset, Callback or generator that could be driven"
    return {"name": "", "reason": reason, "factory": ""}


def _required(tree: ast.Module, name: str) -> list[str]:
    """Parameters of a function that have no default."""
    node = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return [item.arg for item in node.args.args][: len(node.args.args) - len(node.args.defaults)]


def play(tape: Tape, main: ModuleType) -> None:
    """Train on what the module gives: through the factory of the job, or with the inputs of its plan.

    Raises:
        Exception: the first of what was raised; the others are notes.
    """
    module = load(tape)
    if tape.job["factory"]:
        _play_factories(tape, module)
        return
    tape.plan = json.loads(tape.job["plan"])
    for left in tape.plan["left"]:
        tape.notes[f"not driven: {left['name'] or module.__name__}: {left['reason']}"] = None
    _all(tape, [_Driven(tape, module, target) for target in tape.plan["targets"]])


def _play_factories(tape: Tape, module: ModuleType) -> None:
    for name, function in factories.functions(tape.job["factory"]):
        kept = factories.drive(tape, name, function)
        _note_in_use(tape, module)
        del kept


class _Driven:
    """One target of a plan, ready to be trained on."""

    def __init__(self, tape: Tape, module: ModuleType, target: Target) -> None:
        self._tape, self._module, self.target = tape, module, target

    def train(self) -> None:
        try:
            self._train(self.target)
        finally:
            _note_in_use(self._tape, self._module)

    def _train(self, target: Target) -> None:
        make_files(target["files"])
        self._tape.driven[target["name"]] = None
        thing = getattr(self._module, target["name"])(**{key: made(spec) for key, spec in target["arguments"].items()})
        if target["kind"] == "callback":
            self._tape.notes[f"driven: {target['text']}, in the fit of a tiny classifier"] = None
            fit_callback(thing)
        else:
            many = f"{target['epochs']} epoch{'s' if target['epochs'] > 1 else ''}"
            self._tape.notes[f"{'also driven' if target['again'] else 'driven'}: {target['text']}, {many}"] = None
            steps = {"steps_per_epoch": target["steps"]} if target["steps"] else {}
            small_model(line_of(thing)).fit(thing, epochs=target["epochs"], verbose=0, **steps)


def _all(tape: Tape, driven: list[_Driven]) -> None:
    """Train on each, whatever the others raise."""
    errors: list[Exception] = []
    for one in driven:
        try:
            one.train()
        except Exception as error:
            errors.append(error)
            if len(errors) > 1:
                tape.notes[f"{one.target['name']} raised {type(error).__name__} as well"] = None
                streams.show(error)  # recorded as an error, and no output of the program
    if errors:
        raise errors[0]


def _note_in_use(tape: Tape, module: ModuleType) -> None:
    """Note the classes of the module that have instances now, with their bases."""
    kinds: set[type[Any]] = {type(thing) for thing in gc.get_objects()}
    for kind in kinds:
        for base in kind.__mro__:
            if base.__module__ == module.__name__:
                tape.driven[base.__qualname__] = None
