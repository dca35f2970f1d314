"""Lists and tuples of Python where a model takes arrays: what they surely hold."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from seqlint.domains.training.feeds import Feed, Feeds, argument, argument_node
from seqlint.run import Constant, Container, Result, Setting, Tuple, Value
from seqlint.run.types import type_of

if TYPE_CHECKING:
    from seqlint.run import Object, Run

Held = Literal["number", "text", "list", "image", "row", "field", "sequence"]
"""*row*: one of many, whatever it is; *field*: that of a record; *sequence*: a list of numbers, perhaps as long as no other."""
_DEEPEST = 12
_NUMBERS = frozenset({
    "builtins.int", "builtins.float", "builtins.len", "builtins.ord", "builtins.round", "builtins.abs", "builtins.bool", "random.randint",
    "random.random", "random.uniform", "math.sin", "math.cos", "math.sqrt", "math.exp", "math.log",
})  # fmt: skip
_TEXTS = frozenset({"builtins.str", ".strip", ".lower", ".upper", ".join", ".rstrip", ".replace"})
_IMAGES = frozenset({
    "cv2.imread", "cv2.resize", "cv2.cvtColor", "keras.utils.img_to_array", "keras.utils.load_img", "imageio.imread", "skimage.io.imread",
    "skimage.transform.resize", "PIL.Image.open",
})  # fmt: skip
_LISTS = frozenset({"builtins.list", "builtins.sorted", "random.sample", "builtins.tuple", "random.choices"})
_ARRAYS = ("numpy.", "tensorflow.", "sklearn.", "keras.utils.", "scipy.")


@dataclass(frozen=True, eq=False)
class Plain:
    """A role of a call that surely gets a plain list.

    Attributes:
        parts: the parameters, or for validation data the places in their tuple, that are lists, with what these hold.
        others: whether something else is given as well: "array", surely one; "unknown", perhaps one; "none".
    """

    feed: Feed
    parts: tuple[tuple[str, Held], ...]
    others: Literal["none", "array", "unknown"]


class PlainLists:
    """Where the calls of a run get plain lists."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._feeds = run.domain(Feeds)

    @property
    def all(self) -> tuple[Plain, ...]:
        """Every such role of a call, in running order."""
        found = (self._plain(feed) for feed in self._feeds.all)
        return tuple(each for each in found if each is not None)

    def _plain(self, feed: Feed) -> Plain | None:
        with self._run.machine.under(feed.call.context.guards):
            given = self._parts(feed)
            held = {name: self._of(value, 0) for name, value in given.items()}
        held |= dict.fromkeys((name for name in ("x", "0") if held.get(name) == "field"), None)  # may be several inputs
        parts = tuple((name, kind) for name, kind in held.items() if kind is not None)
        if not parts:
            return None
        rest = [value for name, value in given.items() if held[name] is None]
        others: Literal["none", "array", "unknown"] = "none" if not rest else "unknown"
        if rest and all(map(_is_array, rest)):
            others = "array"
        return Plain(feed, parts, others)

    def _parts(self, feed: Feed) -> dict[str, Value]:
        if feed.role == "validated":
            only = feed.value.only
            items = self._run.items(only) if isinstance(only, (Tuple, Container)) else None
            return dict(zip(("0", "1", "2"), items, strict=False)) if items is not None and 1 < len(items) < 4 else {}
        names = ("x",) if feed.role == "predicted" else ("x", "y", "sample_weight")
        found = {name: argument(feed.call, name) for name in names}
        return {name: value for name, value in found.items() if value is not None and value.constant is not None}

    # -- what a list holds ------------------------------------------------------------------------------------------

    def _of(self, value: Value | None, depth: int) -> Held | None:
        """What a value holds, if it surely is a list or tuple of numbers, texts, lists or images."""
        kinds = {self._of_object(each, depth) for each in value} if value is not None else set()
        return kinds.pop() if len(kinds) == 1 else None

    def _of_object(self, found: Object, depth: int) -> Held | None:
        if depth > _DEEPEST:
            return None
        if isinstance(found, Tuple):
            return self._of_items(list(found.items), depth)
        if isinstance(found, Container):
            return self._of_container(found, depth) if found.kind == "list" else None
        return self._of_result(found, depth + 1) if isinstance(found, Result) else None

    def _of_container(self, found: Container, depth: int) -> Held | None:
        known = self._run.items(found)
        pieces = self._run.pieces(found)
        if known is not None and pieces:
            return None
        filled = [piece.value for piece in pieces if piece.how == "append"] if known is None else known
        if known is None and len(filled) != len(pieces):
            return None
        held = self._of_items(filled, depth)
        return held if held != "image" or known is None else None

    def _of_items(self, items: list[Value], depth: int) -> Held | None:
        kinds = {self._item(each, depth + 1) for value in items for each in value}
        return kinds.pop() if len(kinds) == 1 else None

    def _item(self, found: Object, depth: int) -> Held | None:
        if depth > _DEEPEST:
            return None
        if isinstance(found, (Constant, Setting)):
            value = found.default.value if isinstance(found, Setting) else found.value
            return "number" if isinstance(value, (int, float)) else "text" if isinstance(value, str) else None
        if isinstance(found, Result):
            own = self._item_of_result(found, depth + 1)
            if own is not None:
                return own
        inner = self._of_object(found, depth)
        return "list" if inner in ("number", "text", "list") else None

    def _item_of_result(self, found: Result, depth: int) -> Held | None:
        if found.op == "call":
            if found.name in _NUMBERS or (found.method == "index" and isinstance(found.receiver, Container)):
                return "number"
            return "text" if found.name in _TEXTS else "image" if found.name in _IMAGES else None
        if found.op == "each" and isinstance(found.receiver, Result) and found.receiver.name == "builtins.range":
            return "number"
        if found.op in ("each", "item") and found.receiver is not None:
            return self._part_of(found, depth)
        if found.op == "operator" and found.name in ("+", "-", "*", "/", "//", "%", "**"):
            kinds = {self._item(each, depth) for value in found.args for each in value}
            return "number" if kinds == {"number"} else None
        return None

    def _part_of(self, found: Result, depth: int) -> Held | None:
        """One item of a list of numbers or texts, or of what `enumerate` counts."""
        whole = found.receiver
        if isinstance(whole, Result) and whole.op == "each" and found.args and isinstance(found.args[0].constant, str):
            return "field"
        if isinstance(whole, Result) and whole.op == "each" and isinstance(whole.receiver, Result):
            counts = whole.receiver.name == "builtins.enumerate" and found.args and found.args[0].constant == 0
            return "number" if counts else None
        if isinstance(whole, Result) and whole.method == "split" and whole.name == ".split":
            return "text"
        held = self._of_object(whole, depth) if isinstance(whole, (Container, Tuple)) else None
        return held if held in ("number", "text") and not _is_slice(found) else None

    def _of_result(self, found: Result, depth: int) -> Held | None:
        if found.op == "operator":
            return self._of_operator(found, depth)
        if found.op == "item":
            return self._of_part(found, depth)
        if found.op != "call":
            return None
        if found.name == "builtins.range" or found.method == "tolist":
            return "number"
        if found.method == "texts_to_sequences":
            return "sequence"
        if found.name in _LISTS and found.args:
            return self._of(found.args[0], depth) or ("row" if _is_column(found.args[0].only) else None)
        return None

    def _of_operator(self, found: Result, depth: int) -> Held | None:
        """`[0] * 40 + [1] * 40`."""
        if found.name == "*":
            kinds = [held for value in found.args if (held := self._of(value, depth)) is not None]
            numbers = [value for value in found.args if isinstance(value.only, (Constant, Setting, Result))]
            return kinds[0] if len(kinds) == 1 and len(numbers) >= 1 and not any(map(_is_array, found.args)) else None
        kinds = [self._of(value, depth) for value in found.args]  # type: ignore[misc]
        return kinds[0] if found.name == "+" and len(set(kinds)) == 1 else None

    def _of_part(self, found: Result, depth: int) -> Held | None:
        """A slice of a list, or one of the parts that `train_test_split` makes of it."""
        whole, index = found.receiver, found.args[0].constant if found.args else ...
        if _is_slice(found):
            return self._of_object(whole, depth) if whole is not None else None
        if not isinstance(whole, Result) or not isinstance(index, int):
            return None
        if whole.name == "builtins.zip" and not whole.args and any(name == "*" for name, _ in whole.keywords):
            return "row"
        place = (
            index // 2 if whole.method == "train_test_split" else index if whole.name == "sklearn.utils.shuffle" else -1
        )
        return self._of(whole.args[place], depth) if 0 <= place < len(whole.args) else None


def _is_slice(found: Result) -> bool:
    index = found.args[0].only if found.args else None
    return isinstance(index, Result) and index.op == "operator" and index.name == "slice"


def _is_column(found: Object | None) -> bool:
    """Whether something is one column of a data frame."""
    holder = found.receiver if isinstance(found, Result) and found.op == "item" else None
    named = isinstance(found, Result) and bool(found.args) and isinstance(found.args[0].constant, str)
    return named and isinstance(holder, Result) and type_of(holder) == "pandas.DataFrame"


def _is_array(value: Value, depth: int = 0) -> bool:
    """Whether a value surely is an array or tensor."""
    only = value.only
    if not isinstance(only, Result) or depth > _DEEPEST:
        return False
    column = only.op == "item" and isinstance(only.receiver, Result) and type_of(only.receiver) == "pandas.DataFrame"
    if (
        type_of(only) == "numpy.ndarray"
        or column
        or (only.op == "call" and only.receiver is None and only.name.startswith(_ARRAYS))
    ):
        return True
    if only.op == "operator" and only.name != "slice":
        return any(_is_array(part, depth + 1) for part in only.args)
    keeps = only.op == "call" and only.method in ("astype", "reshape", "copy", "flatten", "ravel")
    return (keeps or _is_slice(only)) and only.receiver is not None and _is_array(Value.of(only.receiver), depth + 1)


def part_node(run: Run, feed: Feed, name: str) -> tuple[ast.AST | None, bool]:
    """Where a part is given, and whether that is the part itself and not something that holds it, or leads to the call."""
    parameter = "validation_data" if name.isdigit() else feed.name if name == "x" else name
    node = argument_node(run, feed.call, parameter)
    if node is None:
        return run.place(feed.call), False
    if not name.isdigit():
        return node, True
    written = isinstance(node, (ast.Tuple, ast.List)) and not any(isinstance(each, ast.Starred) for each in node.elts)
    return (node.elts[int(name)], True) if written and isinstance(node, (ast.Tuple, ast.List)) else (node, False)
