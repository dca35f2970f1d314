"""Where models and weights are saved and loaded."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.keras_models import KerasModels
from seqlint.domains.paths.endings import OTHER, Endings
from seqlint.knowledge import saving
from seqlint.run import Constant, Result, Setting
from seqlint.run.objects import Super

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.paths.endings import Ending
    from seqlint.knowledge.saving import SaveKind
    from seqlint.run import Call, Run, Value

_LONGEST = 40
_LOOKS = frozenset({"endswith", "splitext", "suffix", "suffixes"})
_MODEL = re.compile(r"(?:^|_)(?:model|net|network|autoencoder|cnn|lstm)s?(?:_?\d+)?$|^model", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Saved:
    """A call that saves or loads a model or weights, or a ModelCheckpoint.

    Attributes:
        path: the path that it is given; None where stars hide it.
        endings: how the path ends, all that it can be.
        weights: whether it is about weights alone; None where that is not known.
        sure: whether it surely is one of Keras.
    """

    call: Call
    kind: SaveKind
    path: Value | None
    endings: tuple[Ending, ...]
    weights: bool | None
    sure: bool

    @property
    def is_load(self) -> bool:
        """Whether it reads the file."""
        return self.kind.startswith("load")

    @property
    def wanted(self) -> str:
        """The suffix that works on every Keras."""
        return saving.WEIGHTS_SUFFIX if self.weights else saving.MODEL_SUFFIX

    @property
    def by_default(self) -> bool:
        """Whether somebody outside can give another path."""
        return any(ending.by_default for ending in self.endings)

    def refused(self, *, early: bool = False) -> bool:
        """Whether Keras 3 surely refuses the path, whichever it is.

        Args:
            early: on Keras 3.0 to 3.9.
        """
        if not self.endings or self._is_elsewhere():
            return False
        return not any(ending.may_end_in(*self._taken(early)) for ending in self.endings)

    @property
    def removed(self) -> tuple[str, ...]:
        """The arguments that Keras 3 refuses here. `save` takes `save_format` where the path says what it is, and warns."""
        named = [name for name, _ in self.call.result.keywords]
        found = [name for name in named if name in saving.REMOVED[self.kind]]
        given = self.call.result.keyword("save_format") if self.kind == "save" else None
        if given is not None and (self.refused() or (given.constant == "tf" and self._is_unknown)):
            found.append("save_format")
        return tuple(name for name in named if name in found)

    @property
    def _is_unknown(self) -> bool:
        return all(not ending.text for ending in self.endings)

    def _taken(self, early: bool) -> tuple[str, ...]:
        if self.kind == "load_weights":
            return saving.LOADED_WEIGHTS
        whole = saving.WHOLE if self.kind != "checkpoint" else (saving.MODEL_SUFFIX,) if early else saving.CHECKPOINT
        if self.weights is None:
            return (*saving.WEIGHTS, *whole)
        return saving.WEIGHTS if self.weights else whole

    def _is_elsewhere(self) -> bool:
        """Whether the path needs no suffix: on Hugging Face, a folder, a file that is open, several files."""
        if any(ending.whole and ending.text.startswith(saving.REMOTE) for ending in self.endings):
            return True
        result = self.call.result
        # Keras 3.10 and later can save a folder.
        return any(name in ("zipped", "max_shard_size", "*") for name, _ in result.keywords)


@dataclass(frozen=True, eq=False)
class Refusal:
    """A place of this file where Keras 3 refuses the path that it gets.

    Attributes:
        span: where the path is given, in bytes.
        saves: what happens there, each time that it runs; where only Keras 3.0 to 3.9 refuses a path, it comes last.
    """

    span: tuple[int, int]
    saves: tuple[Saved, ...]


class Saves:
    """The saves and loads of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._models = run.domain(KerasModels)
        self._endings = run.domain(Endings)

    @cached_property
    def all(self) -> tuple[Saved, ...]:
        """All of them, in running order."""
        return tuple(self._found())

    def refusals(self, *kinds: SaveKind) -> Iterator[Refusal]:
        """Where paths are refused, each place of the file once. A load of what is saved at such a path comes with the save."""
        found: dict[ast.AST, list[Saved]] = {}
        for saved in self.all:
            wanted = saved.kind in kinds and saved.refused(early=True) and self._is_of_here(saved)
            where = path_node(self._run, saved) if wanted and not self._is_asked(saved) else None
            if where is not None and not (saved.is_load and self._comes_with_save(saved)):
                found.setdefault(where, []).append(saved)
        for where, saves in found.items():
            yield Refusal(self._run.span(where), tuple(sorted(saves, key=lambda saved: not saved.refused())))

    def _is_of_here(self, saved: Saved) -> bool:
        """Whether the call or the end of its path stands in this file; else the other file shows it by itself."""
        return self._run.is_here(saved.call.context) or any(ending.place in self._nodes for ending in saved.endings)

    @cached_property
    def _nodes(self) -> frozenset[ast.AST]:
        return frozenset(ast.walk(self._run.tree))

    def _is_asked(self, saved: Saved) -> bool:
        """Whether the program asks which text comes from outside: a path, or a word such as "imagenet" that stands for one."""
        settings = (each for each in saved.path or () if isinstance(each, Setting))
        return any(each.origin.term in self._asked or each.term in self._asked for each in settings)

    @cached_property
    def _asked(self) -> frozenset[int]:
        """The terms of texts that somebody compares with others, or whose end somebody looks at."""
        found: set[int] = set()
        for result in self._run.results:
            if result.method in _LOOKS or (
                result.op == "operator" and result.name in ("==", "in") and _has_word(result)
            ):
                given = [result.receiver, *(each for value in result.args for each in value)]
                found |= {each.term for each in given if each is not None}
        return frozenset(found)

    def _comes_with_save(self, load: Saved) -> bool:
        saves = [other for other in self.all if not other.is_load and other.refused(early=True)]
        found = load.path.only if load.path is not None else None
        if isinstance(found, Result) and found.method == "latest_checkpoint":
            return any(save.weights for save in saves)
        return any(other in saves for other in self.of_same_path(load))

    def _found(self) -> Iterator[Saved]:
        for call in self._run.calls:
            kind = saving.KINDS.get(call.name) or saving.METHODS.get(call.result.method)
            if kind is None or (call.name not in saving.KINDS and not self._may_be_model(call)):
                continue
            path = argument(call, kind, "filepath")
            endings = self._endings.each(path)
            sure = call.name in saving.KINDS or self._is_model(call)
            yield Saved(call, kind, path, endings, _weights(call, kind), sure)

    def _is_model(self, call: Call) -> bool:
        receiver = call.result.receiver
        if self._models.is_model(receiver.receiver if isinstance(receiver, Super) else receiver):
            return True
        # No other library in wide use has methods of these names.
        return call.name in (".save_weights", ".load_weights") and self._models.of_keras

    def _may_be_model(self, call: Call) -> bool:
        """Whether the receiver is a model, or may be one: nothing else is known of it."""
        receiver = call.result.receiver
        if receiver is None or self._models.has_own(receiver, call.result.method):
            return isinstance(receiver, Super)
        named = isinstance(receiver, Result) and _MODEL.search(receiver.method) is not None
        return self._is_model(call) or (call.name.startswith(".") and named and self._models.of_keras)

    def of_same_path(self, saved: Saved) -> tuple[Saved, ...]:
        """All that save or load at the path of one, itself included: with a literal of it, or one that is spelled alike."""
        found = []
        for other in self.all:
            if other is saved or (other.path is not None and saved.path is not None and _meet(saved, other)):
                found.append(other)
        return tuple(found)


def _has_word(result: Result) -> bool:
    """Whether something is compared with a text, or with one of several."""
    constants = [value.constant for value in result.args]
    return result.name == "in" or any(isinstance(each, str) and each for each in constants)


def _meet(one: Saved, other: Saved) -> bool:
    assert one.path is not None
    assert other.path is not None
    if one.path.term == other.path.term:
        return True
    places = {ending.place for ending in one.endings if ending.place is not None}
    texts = {ending.text for ending in one.endings if ending.whole}
    return any(ending.place in places or (ending.whole and ending.text in texts) for ending in other.endings)


def path_node(run: Run, saved: Saved) -> ast.AST | None:
    """Where this file gives a save its path: the argument, or the call where stars hide it, or the one that leads there."""
    where = run.place(saved.call)
    if where is not saved.call.node or not isinstance(where, ast.Call):
        return where.func if isinstance(where, ast.Call) else where
    named = next((keyword.value for keyword in where.keywords if keyword.arg == "filepath"), None)
    place = _place(saved.call, saved.kind, "filepath")
    plain = not any(isinstance(each, ast.Starred) for each in where.args)
    return named or (where.args[place] if plain and 0 <= place < len(where.args) else where.func)


def shown_path(run: Run, saved: Saved) -> str:
    """A path as a reader knows it: as it is written there, else how it ends."""
    node, ending, call = path_node(run, saved), saved.endings[0], run.place(saved.call)
    if isinstance(node, (ast.Constant, ast.JoinedStr)) and _is_short(run.text(node)):
        return re.sub(r"^[A-Za-z]*(['\"]+)(.*)\1$", r"\2", run.text(node))
    last = re.split(r"[/\\]", ending.text)[-1]
    if ending.whole and _is_short(last):
        return last
    written = (
        run.text(node) if isinstance(node, ast.expr) and isinstance(call, ast.Call) and node is not call.func else ""
    )
    if _is_short(written):
        return written
    last = last.rpartition(OTHER)[2][-_LONGEST:]
    if not last and isinstance(node, ast.Call):
        return f"{run.text(node.func)}(…)"
    return f"…{last}"


def _is_short(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and "\n" not in text


def argument(call: Call, kind: SaveKind, name: str) -> Value | None:
    """An argument of a save, by name or by place; None where it is left out, or hidden by stars."""
    result = call.result
    given = result.keyword(name)
    if given is not None:
        return given
    place = _place(call, kind, name)
    return result.args[place] if 0 <= place < len(result.args) else None


def _place(call: Call, kind: SaveKind, name: str) -> int:
    """Where an argument is given that is not named."""
    result = call.result
    names = saving.CHECKPOINT_PARAMETERS if kind == "checkpoint" else ("filepath",)
    place = names.index(name) if name in names else -1
    # The model is the first argument of functions, and the callback that of an `__init__` that is asked of its class.
    own = kind not in ("checkpoint", "load_model") and result.name in saving.KINDS
    unbound = result.method == "__init__" and result.receiver is None
    return place + 1 if place >= 0 and (own or unbound) else place


def _weights(call: Call, kind: SaveKind) -> bool | None:
    if kind != "checkpoint":
        return kind in ("save_weights", "load_weights")
    given = argument(call, kind, "save_weights_only")
    if given is None:
        hidden = any(name in ("*", "**") for name, _ in call.result.keywords)
        return None if hidden else False
    only = given.only
    found = only.default.value if isinstance(only, Setting) else only.value if isinstance(only, Constant) else None
    return bool(found) if isinstance(found, (bool, int)) else None
