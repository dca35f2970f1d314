"""How a text ends, whatever it is made from: a path that a library reads its format from."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.run import Constant, Result, Setting, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from seqlint.run import Object, Run, Value

OTHER = "\0"
"""Stands for characters that are part of no suffix: of a number, of a time."""
_DEEPEST = 20
_SAME = frozenset({
    "builtins.str", "os.fspath", "os.fsdecode", "os.path.abspath", "os.path.normpath", "os.path.realpath", "os.path.expanduser",
    "os.path.expandvars", "tensorflow.io.gfile.join",
})  # fmt: skip
"""They give a path that ends as their last argument does."""
_SAME_METHODS = frozenset({"as_posix", "resolve", "absolute", "expanduser", "__str__", "__fspath__"})
_PATHS = frozenset({"Path", "PurePath", "PosixPath", "WindowsPath", "PurePosixPath", "joinpath"})
_NUMBERS = frozenset({
    "builtins.int", "builtins.len", "builtins.round", "builtins.float", "time.time", "time.time_ns", "os.getpid", "random.randint",
    "numpy.random.randint", "uuid.uuid4", "uuid.uuid1", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today",
    "datetime.date.today", "tempfile.gettempdir", "os.getcwd", "tempfile.mkdtemp",
    "tensorflow.train.latest_checkpoint",
})  # fmt: skip
"""What they give ends in no suffix."""
_CONVERSION = re.compile(r"%(?:\([^)]*\))?[-+ #0]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z%])")
_FIELD = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Ending:
    """How a text surely ends.

    Attributes:
        text: the last characters that are known; `OTHER` stands for some that are part of no suffix.
        whole: whether these are all that it has.
        place: the literal that it ends with, in whatever file; None where it ends with something else.
        by_default: whether somebody outside can give another one.
    """

    text: str
    whole: bool = False
    place: ast.expr | None = None
    by_default: bool = False

    def may_end_in(self, *suffixes: str) -> bool:
        """Whether it may end in one of some suffixes. An empty text stands for a path that nobody has given."""
        if not self.text:
            return True
        # Who adds ".h5" to a name does not have ".weights" at its end.
        has_own = self.whole or (self.text.startswith(".") and len(self.text) > 1)
        return any(self.text.endswith(suffix) or (not has_own and suffix.endswith(self.text)) for suffix in suffixes)


_ANY = Ending("")


class Endings:
    """How the texts of a run end."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: dict[object, Ending] = {}

    def each(self, value: Value | None) -> tuple[Ending, ...]:
        """How each text ends that a value can be."""
        return tuple(self.of(found) for found in value) if value is not None else ()

    def of(self, found: Object | None, depth: int = 0) -> Ending:
        """How one text ends."""
        if depth > _DEEPEST or found is None:
            return _ANY
        if found not in self._known:
            self._known[found] = self._of(found, depth + 1)
        return self._known[found]

    def _of(self, found: Object, depth: int) -> Ending:
        if isinstance(found, Setting):
            return replace(self.of(found.default, depth), by_default=True)
        if isinstance(found, Constant):
            return self._of_constant(found, depth)
        if not isinstance(found, Result):
            return _ANY
        work = _OPERATORS.get(found.name) if found.op == "operator" else None
        if work is not None:
            return work(self, found, depth)
        return self._of_call(found, depth) if found.op == "call" else self._of_item(found)

    def _of_constant(self, found: Constant, depth: int) -> Ending:
        if isinstance(found.value, (int, float)):
            return Ending(str(found.value), whole=True)
        if not isinstance(found.value, str):
            return _ANY
        origin = found.origin
        if isinstance(origin, Result):
            inner = self._of(origin, depth)
            kept = inner.place if inner.text and found.value.endswith(inner.text) else None
            return Ending(found.value, True, kept)
        return Ending(found.value, True, origin if isinstance(origin, ast.expr) else None)

    def _only(self, value: Value, depth: int) -> Ending:
        """How a part ends, all that it can be taken together."""
        found = [self.of(each, depth) for each in value]
        if len(found) == 1:
            return found[0]
        return Ending(OTHER) if found and all(each.text.endswith(OTHER) for each in found) else _ANY

    def _row(self, parts: Iterable[Ending]) -> Ending:
        """How several texts end that are written one after the other."""
        text, place, by_default = "", None, False
        for part in reversed([*parts]):
            place = place or (part.place if not text else None)
            text, by_default = part.text + text, by_default or part.by_default
            if not part.whole:
                return Ending(text, False, place, by_default)
        return Ending(text, True, place, by_default)

    # -- operators ----------------------------------------------------------------------------------------------------

    def _sum(self, found: Result, depth: int) -> Ending:
        return self._row(self._only(value, depth) for value in found.args)

    def _text(self, found: Result, depth: int) -> Ending:
        made = self._sum(found, depth)
        last = found.node.values[-1] if isinstance(found.node, ast.JoinedStr) and found.node.values else None
        if last is not None and made.place is last and isinstance(found.node, ast.JoinedStr):
            return replace(made, place=found.node)
        return made

    def _formatted(self, found: Result, depth: int) -> Ending:
        """`{x:.2f}` of an f-string."""
        spec = found.args[1].constant if len(found.args) > 1 else None
        return Ending(OTHER) if isinstance(spec, str) and spec[-1:] in "bdeEfFgGnoxX%" and spec else _ANY

    def _path(self, found: Result, depth: int) -> Ending:
        return self._joined(found.args, depth)

    def _joined(self, args: Iterable[Value], depth: int) -> Ending:
        slash = Ending("/", whole=True)
        parts = [each for value in args for each in (slash, self._only(value, depth))]
        return self._row(parts[1:]) if parts else _ANY

    def _percent(self, found: Result, depth: int) -> Ending:
        """`"cp-%d.h5" % epoch`."""
        template = self._only(found.args[0], depth)
        last = [*_CONVERSION.finditer(template.text)]
        if not last:
            return template if template.whole else replace(template, whole=False)
        rest = template.text[last[-1].end() :]
        number = OTHER if last[-1][1] in "dieEfFgGxXou" else ""
        if rest or number:
            return Ending(number + rest, False, template.place if rest else None, template.by_default)
        given = found.args[1].only
        value = given.items[-1] if isinstance(given, Tuple) and given.items else found.args[1]
        return self._only(value, depth) if last[-1][1] == "s" else _ANY

    # -- calls --------------------------------------------------------------------------------------------------------

    def _of_call(self, found: Result, depth: int) -> Ending:
        if found.name in _NUMBERS:
            return Ending(OTHER)
        if found.name in ("os.environ.get", "os.getenv") and len(found.args) > 1:
            return replace(self._only(found.args[1], depth), by_default=True)
        if found.name == "os.path.join" or found.method in _PATHS:
            return self._joined(found.args, depth)
        if found.name in _SAME and found.args:
            return self._only(found.args[-1], depth)
        if found.method in _SAME_METHODS:
            return self.of(found.receiver, depth)
        if found.method in ("with_suffix", "with_name") and found.args:
            return replace(self._only(found.args[0], depth), whole=False)
        if found.method == "format" and found.receiver is not None:
            return self._of_format(found, depth)
        if found.method == "join" and found.receiver is not None and found.args:
            between = self.of(found.receiver, depth)
            items = self._run.items(found.args[0]) or ()
            parts = [each for value in items for each in (between, self._only(value, depth))]
            return self._row(parts[1:]) if parts else _ANY
        return _of_time(self, found, depth) if found.method == "strftime" and found.args else _ANY

    def _of_format(self, found: Result, depth: int) -> Ending:
        """`"cp-{}.h5".format(epoch)`."""
        template = self.of(found.receiver, depth)
        last = [*_FIELD.finditer(template.text)]
        if not last:
            return template
        rest = template.text[last[-1].end() :]
        name, _, spec = last[-1][1].partition(":")
        number = OTHER if spec and spec[-1] in "bdeEfFgGnoxX%" else ""
        if rest or number:
            return Ending(number + rest, False, template.place if rest else None, template.by_default)
        given = found.keyword(name) if name.isidentifier() else _numbered(found, name, len(last) - 1)
        return replace(self._only(given, depth), whole=False) if given is not None else _ANY

    def _of_item(self, found: Result) -> Ending:
        """What a loop takes from `range`, and the numbers of `enumerate`."""
        if found.op == "each" and isinstance(found.receiver, Result) and found.receiver.name == "builtins.range":
            return Ending(OTHER)
        inner = found.receiver
        if found.op != "item" or not isinstance(inner, Result) or inner.op != "each":
            return _ANY
        source = inner.receiver
        counts = isinstance(source, Result) and source.name == "builtins.enumerate"
        return Ending(OTHER) if counts and found.args and found.args[0].constant == 0 else _ANY


def _of_time(endings: Endings, found: Result, depth: int) -> Ending:
    """`now.strftime("%Y-%m-%d.h5")`."""
    template = endings.of(found.args[0].only, depth)
    head, mark, tail = template.text.rpartition("%")
    if not mark or head.endswith("%"):
        return _ANY
    return Ending(tail[1:], False, template.place) if tail[1:] else Ending(OTHER)


def _numbered(found: Result, name: str, place: int) -> Value | None:
    """What fills the last `{}` or `{0}` of a template."""
    number = int(name) if name.isdigit() else place if not name else -1
    return found.args[number] if 0 <= number < len(found.args) else None


_OPERATORS: dict[str, Callable[[Endings, Result, int], Ending]] = {
    "+": Endings._sum,
    "/": Endings._path,
    "f": Endings._text,
    "format": Endings._formatted,
    "%": Endings._percent,
}
