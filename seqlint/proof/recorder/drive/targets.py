"""What a module has to drive: data classes, callbacks, generators, functions that build a dataset; and what can't be reached."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .formats import features, keys
from .parameters import INDICES, Parameter, Sizes
from .stored import NAMED, is_frame
from .uses import Uses, uses_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_BUILDS = ("Dataset.zip", "list_files", "TFRecordDataset")
_DATA = frozenset({"Sequence", "PyDataset"})


@dataclass(frozen=True)
class Found:
    """One thing that may be driven.

    Attributes:
        kind: "data", "callback" or "function".
        called: the class or the function.
        parameters: those that may be given by name.
        sizes: what its inputs share, as far as the source tells.
    """

    name: str
    kind: str
    called: Any
    parameters: tuple[Parameter, ...]
    sizes: Sizes


def targets(module: ModuleType, tree: ast.Module, text: str) -> Iterator[Found]:
    """All of them, in the order of the source."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        called = vars(module).get(getattr(node, "name", ""))
        if isinstance(node, ast.ClassDef) and inspect.isclass(called) and (kind := kind_of(called)):
            chain = [
                classes[base.__name__] for base in called.__mro__ if _is_here(base, module) and base.__name__ in classes
            ]
            yield _found(node.name, kind, called, chain, functions, text)
        elif isinstance(node, ast.FunctionDef) and _gives_data(node, called):
            others = [function for function in functions if function is not node]
            yield _found(node.name, "function", called, [], [node, *others], text)


def kind_of(cls: type) -> str:
    """ "data" or "callback" for classes of Keras; empty for others."""
    for base in cls.__mro__:
        package = base.__module__.partition(".")[0]
        if package in ("keras", "tf_keras") and base is not cls:
            if base.__name__ in _DATA:
                return "data"
            if base.__name__ == "Callback":
                return "callback"
    return ""


def hidden(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Data classes and callbacks that are made inside a function: name of the class, name of the function."""
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.ClassDef) and any(_names_keras(base) for base in node.bases):
                    yield node.name, function.name


def _names_keras(base: ast.expr) -> bool:
    return ast.unparse(base).rpartition(".")[2] in _DATA | {"Callback"}


def _is_here(base: type, module: ModuleType) -> bool:
    return base.__module__ == module.__name__


def _gives_data(node: ast.FunctionDef, called: Any) -> bool:
    """Whether a function yields, or builds a `tf.data.Dataset`; tests and private ones do not count."""
    if not inspect.isfunction(called) or node.name.startswith(("_", "test_")) or node.name == "main":
        return False
    if inspect.isgeneratorfunction(called):
        return True
    returns = any(isinstance(item, ast.Return) and item.value is not None for item in ast.walk(node))
    calls = (ast.unparse(item.func) for item in ast.walk(node) if isinstance(item, ast.Call))
    return returns and any("Dataset.from_" in name or name.endswith(_BUILDS) for name in calls)


def _found(
    name: str, kind: str, called: Any, chain: list[ast.ClassDef], functions: list[ast.FunctionDef], text: str
) -> Found:
    uses = uses_of(chain, functions)
    parameters = tuple(_parameters(called, uses))
    _name_columns(parameters)
    return Found(name, kind, called, parameters, _sizes(parameters, text, ast.unparse(chain[0]) if chain else text))


def _parameters(called: Any, uses: dict[str, Uses]) -> Iterator[Parameter]:
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return
    for name, item in signature.parameters.items():
        if item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD, item.POSITIONAL_ONLY):
            continue
        optional = item.default is not item.empty
        yield Parameter(name, uses.get(name, Uses()), optional, item.default if optional else None, _annotation(item))


def _name_columns(parameters: tuple[Parameter, ...]) -> None:
    """Give columns whose name is a parameter that name: its default, or else what it is called itself."""
    names = {one.name: one.default if isinstance(one.default, str) else one.name for one in parameters}
    for one in parameters:
        if is_frame(one):
            _add_columns(one, parameters)
        columns = [
            (names.get(key.removeprefix("@"), key) if key[:1] == "@" else key, uses)
            for key, uses in one.uses.columns.items()
        ]
        one.uses.columns = {key: uses for key, uses in columns if key[:1] != "@"}


def _add_columns(frame: Parameter, parameters: tuple[Parameter, ...]) -> None:
    """Note who holds names of columns; a parameter that holds several names three of them."""
    for other in parameters:
        use = frame.uses.columns.get(f"@{other.name}")
        if use is not None and not isinstance(other.default, int) and not other.words & INDICES:
            other.uses.names_columns = True
            if other.name.endswith("s") and not other.optional:
                frame.uses.columns.update({f"{NAMED}{number}": Uses() for number in range(3)})
                del frame.uses.columns[f"@{other.name}"]


def _annotation(item: inspect.Parameter) -> str:
    if item.annotation is item.empty:
        return ""
    return (
        item.annotation
        if isinstance(item.annotation, str)
        else getattr(item.annotation, "__name__", str(item.annotation))
    )


def _sizes(parameters: tuple[Parameter, ...], text: str, own: str) -> Sizes:
    """Sizes that the defaults name, and suffixes of files that stand in the class, or else in the module."""
    tree = ast.parse(text)
    found = Sizes(
        suffixes=_suffixes(own) or _suffixes(text),
        keys=tuple(keys(ast.parse(own))),
        features=features(tree),
        gray="grayscale" in own.lower() or ", 0)" in own,
    )
    for one in parameters:
        value = tuple(one.default) if isinstance(one.default, (tuple, list)) else one.default
        if isinstance(value, tuple) and 2 <= len(value) <= 3 and all(isinstance(side, int) for side in value):
            found.dimensions = value
            found.size = (value[0], value[1])
        elif isinstance(value, int) and not isinstance(value, bool):
            _side(found, one, value)
    found.item = (*found.dimensions, found.channels)[: max(3, len(found.dimensions))]
    return found


def _side(found: Sizes, one: Parameter, value: int) -> None:
    if "channel" in one.words or one.name == "depth":
        found.channels = value
    elif one.words & {"class", "classes"}:
        found.classes = min(value, 3) if value > 0 else 3
    elif one.words & {"height", "h"}:
        found.size = (value, found.size[1])
    elif one.words & {"width", "w"}:
        found.size = (found.size[0], value)
    elif one.words & {"dim", "size"} and one.words & {"img", "image", "dim", "input", "target"}:
        found.size = (value, value)


_KNOWN = (".png", ".jpg", ".jpeg", ".npy", ".npz", ".bmp", ".tif", ".tiff", ".csv", ".txt", ".pkl", ".json")


def _suffixes(text: str) -> tuple[str, ...]:
    """Suffixes of files in the texts of some code, in its order."""
    tree = ast.parse(text)
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    short = [value.lower() for value in texts if len(value) < 60]
    found = {suffix: min(k for k, value in enumerate(short) if value.endswith(suffix)) for suffix in _KNOWN
             if any(value.endswith(suffix) for value in short)}  # fmt: skip
    return tuple(sorted(found, key=found.__getitem__))
