"""What the code of a file says about the Keras that it needs."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.facts.keras.ranges import LEGACY, Range
from seqlint.sources.syntax import Syntax, parts, syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORDS = re.compile(r"\bkeras|tf_keras|tensorflow|KERAS")
_KERAS3 = frozenset(
    f"keras.{name}"
    for name in (
        "config", "distribution", "dtype_policies", "ops", "quantizers", "random", "tree", "utils.PyDataset",
        "StatelessScope", "Variable",
    )
)  # fmt: skip
_TRUE = ("true", "True", "1")  # what TensorFlow itself compares with
_KERAS3_BACKENDS = ("jax", "torch", "openvino")
_KERAS2_BACKENDS = ("theano", "cntk", "plaidml.keras.backend")
_SWITCHES = ("TF_USE_LEGACY_KERAS", "KERAS_BACKEND")
_OPTIONAL = (ast.Try, ast.If, ast.IfExp)
_PRIVATE = "tensorflow.python.keras"
_BLOCKS: dict[type[ast.AST], tuple[str, ...]] = {
    **dict.fromkeys(
        (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With, ast.AsyncWith), ("body",)
    ),
    **dict.fromkeys((ast.If, ast.For, ast.AsyncFor, ast.While), ("body", "orelse")),
    **dict.fromkeys((ast.Try, getattr(ast, "TryStar", ast.Try)), ("body", "handlers", "orelse", "finalbody")),
    **dict.fromkeys((ast.ExceptHandler, ast.match_case), ("body",)),
    ast.Match: ("cases",),
}
_HELPERS = re.compile(
    r"keras\.(?:__version__|utils\.[a-z]\w*|datasets\.[\w.]+"
    r"|backend\.(?:clear_session|epsilon|floatx|image_data_format|set_floatx|set_image_data_format))"
)
_LAST = "|".join(dict.fromkeys(name.rpartition(".")[2] for name in ("keras", "contrib", *sorted(_KERAS3))))
_REACHING = re.compile(rf"\.[\s\\]*(?:#[^\n]*\n[\s\\]*)*(?:{_LAST})\b")
"""The end of a dotted name that tells something, where the import that it begins with does not."""
_IMPORTING = re.compile(r"\bimport\b")
_NEEDING = re.compile(rf"\b(?:{_LAST.removeprefix('keras|')}|KERAS_BACKEND)\b")
"""A text without these words demands no Keras."""


@dataclass(frozen=True)
class Usage:
    """How a file reaches Keras.

    Attributes:
        keras, tensorflow, tf_keras: whether it uses `keras`, `tf.keras` in any public spelling, `tf_keras`.
        private: whether it uses `tensorflow.python.keras`, a copy of Keras 2 inside TensorFlow.
        legacy: whether it sets TF_USE_LEGACY_KERAS, so that `tf.keras` is `tf_keras`.
        helped: whether it takes of `keras` only what works besides a model of another Keras, such as `to_categorical`; told
            where it uses another one.
        needs: the range that the names demand otherwise.
    """

    keras: bool = False
    tensorflow: bool = False
    tf_keras: bool = False
    private: bool = False
    legacy: bool = False
    helped: bool = False
    needs: Range = ()

    @property
    def decided(self) -> Range:
        """The range that holds whatever is installed: `tf_keras` is Keras 2, and so is `tf.keras` after the switch."""
        if (self.keras and not self.helped) or (self.tensorflow and not self.legacy):
            return ()
        if self.tf_keras or (self.tensorflow and self.legacy):
            return (((LEGACY, ""),),)
        return ((("keras", "<3"),),) if self.private else ()


def usage(text: str) -> Usage:
    """Read a file. Text that is no Python says nothing."""
    if not _WORDS.search(text):
        return Usage()
    try:
        found = syntax(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Usage()
    names, guarded = _names(found, text)
    settings = _settings(found) if any(switch in text for switch in _SWITCHES) else frozenset()
    legacy = any(name == "TF_USE_LEGACY_KERAS" and value in _TRUE for name, value in settings)
    keras, tf_keras = _reaches(names, "keras"), _reaches(names, "tf_keras")
    return Usage(
        keras=keras,
        tensorflow=_reaches(names, "tensorflow.keras"),
        tf_keras=tf_keras,
        private=_reaches(names, _PRIVATE),
        legacy=legacy,
        helped=keras and (legacy or tf_keras) and _only_helps(found),
        needs=_needs(names - guarded, settings),
    )


def may_need(text: str) -> bool:
    """Whether a file may demand a Keras by the names that it uses: a glance at its words, where `usage` reads it."""
    return _NEEDING.search(text) is not None


def backends(text: str) -> frozenset[str]:
    """The values of KERAS_BACKEND that a file sets; none where it leaves that to others."""
    if "KERAS_BACKEND" not in text:
        return frozenset()
    try:
        found = syntax(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(value for name, value in _settings(found) if name == "KERAS_BACKEND")


def _reaches(names: frozenset[str], root: str) -> bool:
    return any(name == root or name.startswith(root + ".") for name in names)


def _only_helps(read: Syntax) -> bool:
    """Whether all that a file reads of `keras` are helpers, which give numbers and arrays."""
    aliases: dict[str, str] = {}
    for node in read.nodes:
        bound: dict[str, str] = {}
        _imported(node, bound)
        if any(aliases.get(name, meaning) != meaning for name, meaning in bound.items()):
            return False  # which of two a name means depends on what is installed
        aliases |= bound
    whole = {id(node.value) for node in read.nodes if isinstance(node, ast.Attribute)}
    ends = (node for node in read.nodes if isinstance(node, (ast.Attribute, ast.Name)) and id(node) not in whole)
    names = (_absolute(chain, aliases) for node in ends if (chain := _chain(node)).partition(".")[0] in aliases)
    return all(_HELPERS.fullmatch(name) for name in names if name.partition(".")[0] == "keras")


def _needs(names: frozenset[str], settings: frozenset[tuple[str, str]]) -> Range:
    backends = {value for name, value in settings if name == "KERAS_BACKEND"}
    if _reaches(names, "tensorflow.contrib"):
        return ((("tensorflow", "<2"),),)
    if backends and backends <= set(_KERAS2_BACKENDS):
        return ((("keras", "<3"),),)
    if backends and backends <= set(_KERAS3_BACKENDS):
        return ((("keras", ">=3"),),)
    plain = frozenset(name.removeprefix("tensorflow.") for name in names)
    return ((("keras", ">=3"),),) if any(_reaches(plain, name) for name in _KERAS3) else ()


def _names(read: Syntax, text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The dotted names that a file imports or reaches through an import; and those that stand in a `try` or `if`.

    What is guarded is optional: a file that takes PyDataset where there is one runs on both.
    """
    aliases: dict[str, str] = {}
    found: dict[bool, set[str]] = {False: set(), True: set()}
    telling = _lines(_REACHING, text)
    lines = sorted(telling + _lines(_IMPORTING, text))
    queue: list[tuple[ast.AST, bool]] = [(read.tree, False)]
    for node, guarded in queue:  # which grows: of two imports of a name, the deeper one counts
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found[guarded].update(_imported(node, aliases))
        elif type(node) in _BLOCKS:
            inside = guarded or isinstance(node, _OPTIONAL)
            queue += [(child, inside) for child in _inside(node) if _is_on(child, lines)]
    for node, guarded in queue if aliases else ():
        if _is_on(node, telling):
            for chain, optional in _chains(node, guarded, telling):
                found[optional].add(_absolute(chain, aliases))
    return frozenset(found[False] | found[True]), frozenset(found[True])


def _inside(node: ast.AST) -> list[ast.AST]:
    """The statements in the blocks of one, its handlers, and its cases."""
    return [child for name in _BLOCKS.get(type(node), ()) for child in getattr(node, name)]


def _lines(words: re.Pattern[str], text: str) -> list[int]:
    """The lines that hold the end of what a regular expression finds."""
    lines, line, here = [], 1, 0
    for match in words.finditer(text):
        line += text.count("\n", here, match.end())
        here = match.end()
        lines.append(line)
    return lines


def _chains(node: ast.AST, guarded: bool, lines: list[int]) -> Iterator[tuple[str, bool]]:
    """The dotted names in a statement, without its blocks, and whether each is optional; none where it is on other lines."""
    inside = guarded or isinstance(node, _OPTIONAL)
    blocks = {id(child) for child in _inside(node)}
    stack = [(child, inside) for child in parts(node) if id(child) not in blocks and _is_on(child, lines)]
    while stack:
        here, optional = stack.pop()
        if isinstance(here, ast.Attribute) and (chain := _chain(here)):
            yield chain, optional
            continue
        optional = optional or isinstance(here, _OPTIONAL)
        stack += [(child, optional) for child in parts(here)]


def _is_on(node: ast.AST, lines: list[int]) -> bool:
    """Whether one of the lines is among those of a node and of its decorators; one that has no place is looked into."""
    first = getattr(node, "lineno", None)
    if first is None:
        return True
    place = bisect_left(lines, min([first, *(each.lineno for each in getattr(node, "decorator_list", ()))]))
    return place < len(lines) and lines[place] <= (getattr(node, "end_lineno", None) or first)


def _imported(node: ast.AST, aliases: dict[str, str]) -> tuple[str, ...]:
    """The modules and names that an import binds. `import tensorflow` alone does not reach Keras."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            aliases[alias.asname or alias.name.partition(".")[0]] = (
                alias.name if alias.asname else alias.name.partition(".")[0]
            )
        return tuple(alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom) and not node.level and node.module:
        for alias in node.names:
            aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return tuple(f"{node.module}.{alias.name}" for alias in node.names)
    return ()


def _chain(node: ast.AST) -> str:
    """`tf.keras.utils` as text; empty for what is more than names."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def _absolute(chain: str, aliases: dict[str, str]) -> str:
    root, dot, rest = chain.partition(".")
    return aliases.get(root, "" if dot else root) + dot + rest


def _settings(read: Syntax) -> frozenset[tuple[str, str]]:
    """The switches of Keras that the file sets: `os.environ[NAME] = value`, `setdefault`, `putenv`, `update`."""
    found: set[tuple[object, object]] = set()
    for node in read.nodes:
        if isinstance(node, ast.Assign):
            found.update((_key(target), _constant(node.value)) for target in node.targets)
        elif isinstance(node, ast.Dict):
            found.update((_constant(key), _constant(value)) for key, value in zip(node.keys, node.values, strict=True))
        elif isinstance(node, ast.Call):
            found.update((keyword.arg, _constant(keyword.value)) for keyword in node.keywords)
            if len(node.args) == 2 and getattr(node.func, "attr", "") in ("setdefault", "putenv", "setenv"):
                found.add((_constant(node.args[0]), _constant(node.args[1])))
    return frozenset((name, str(value)) for name, value in found if isinstance(name, str) and name in _SWITCHES)


def _key(target: ast.expr) -> object:
    return _constant(target.slice) if isinstance(target, ast.Subscript) else None


def _constant(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None
