"""What callbacks put into `logs`, for those after them and for the history."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.domains.models.logged import ANYTHING, NOTHING, Logged, maybe, named, together
from seqlint.run import Class, External, Function, Instance, Result
from seqlint.run.attributes import lineage
from seqlint.run.objects import Bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run

_QUIET = (
    "keras.callbacks.", "tensorflow_addons.callbacks.", "tqdm.", "wandb.", "mlflow.", "neptune", "comet_ml.", "livelossplot.", "keras_tqdm.",
    "horovod.keras.callbacks.BroadcastGlobalVariables", "horovod.keras.callbacks.MetricAverage", "builtins.object",
)  # fmt: skip
"""Callbacks that add no key, by the start of their names."""
_HOROVOD = "horovod.keras.callbacks.LearningRate"
_PUTS = ("update", "setdefault")


def written_by(run: Run, callback: Object) -> Logged:
    """The keys that a callback may add to `logs`."""
    if isinstance(callback, Instance):
        return together(_of_part(each) for each in lineage(callback.cls))
    if not isinstance(callback, Result) or callback.op != "call":
        return ANYTHING
    found = [_of_name(callback.name)]
    if callback.method == "LambdaCallback":
        given = [*callback.args, *(value for _, value in callback.keywords)]
        found += [_of_function(each) for value in given for each in value]
    return together(found)


def _of_part(found: Object) -> Logged:
    if isinstance(found, Class):
        return _of_body(found.node)
    return _of_name(found.name) if isinstance(found, External) else ANYTHING


def _of_name(name: str) -> Logged:
    if name.startswith(_HOROVOD):
        return maybe(named("lr"))
    return NOTHING if name.startswith((*_QUIET, "abc.", "typing.", "builtins.")) else ANYTHING


def _of_function(found: Object) -> Logged:
    if isinstance(found, (Function, Bound)):
        return _of_body(found.function.node if isinstance(found, Bound) else found.node)
    return ANYTHING


def _of_body(node: ast.AST) -> Logged:
    """The keys that code puts into a parameter, such as `logs`."""
    parameters = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)} - {"self"}
    keys = {key for each in ast.walk(node) for key in _puts(each, parameters | {"logs"})}
    return ANYTHING if None in keys else maybe(named(*(key for key in keys if key is not None)))


def _puts(node: ast.AST, names: set[str]) -> Iterator[str | None]:
    """The keys that one node puts into one of several dicts; None for one that is not known."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _is_named(node.value, names):
        yield _text(node.slice)
    if (
        not isinstance(node, ast.Call)
        or not isinstance(node.func, ast.Attribute)
        or not _is_named(node.func.value, names)
    ):
        return
    if node.func.attr == "setdefault" and node.args:
        yield _text(node.args[0])
    elif node.func.attr in _PUTS:
        yield from (keyword.arg for keyword in node.keywords)
        for given in node.args:
            yield from ([_text(key) for key in given.keys] if isinstance(given, ast.Dict) else [None])


def _is_named(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
