"""What an `except` catches, what it does with the error, and what it guards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.control_flow import is_endless, statements
from seqlint.facts.code.scopes import dotted, parameters

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph

End = Literal["continue", "break", "on", "nothing", "other"]
"""Where a handler ends: in the next iteration of the loop, after the loop, after the `try`, with None as the result of the
function, or in any other way (it raises, returns something else, tries again, or it is unknown)."""

_BROAD = frozenset({"builtins.Exception", "builtins.BaseException"})
_QUIET_NAMES = frozenset({"warnings.warn", "time.sleep", "gc.collect", "tensorflow.print", "traceback.format_exc"})
_QUIET_ROOTS = ("logging.", "traceback.print", "os.path.", "sys.stderr.", "sys.stdout.", "tensorflow.get_logger")
_QUIET_METHODS = frozenset({
    "add", "append", "close", "critical", "debug", "error", "exception", "flush", "format", "get", "inc", "increment",
    "info", "join", "log", "lower", "print", "put", "replace", "set_description", "set_postfix", "split", "strip",
    "update", "warn", "warning", "write",
})  # fmt: skip
_LEAVES = frozenset({"builtins.exit", "builtins.quit"})
_READS = re.compile(
    r"(?i)(?:^|_)(?:im)?(?:load|read|open|decode|fetch|download|parse)|imread|imdecode|from_file|get_image|_get$|^get_"
)
_ARRAYS = re.compile(
    r"(?i)(?:^|_)(?:x|y|xs|ys|images?|imgs?|arr|arrays?|data|batch|frames?|samples?|masks?|labels?|df)\d*$"
)
_WHICH = re.compile(r"(?i)^(?:i|k|n|idx|.*(?:index|path|file|name|id|key|url))$")
_COMPOUND = (cst.If, cst.For, cst.While, cst.Try, cst.With, cst.FunctionDef, cst.ClassDef, cst.Match)


@dataclass(frozen=True, eq=False)
class Handler:
    """One `except` of a function.

    Attributes:
        broad: it is bare, or catches `Exception` or `BaseException`.
        end: how it ends.
        last: the statement that ends it so; None where it runs off its end.
        nothing: the names that it sets to None.
        given: the other names that it sets.
    """

    node: cst.ExceptHandler
    guarded: cst.Try
    broad: bool
    end: End
    last: cst.BaseSmallStatement | None
    nothing: frozenset[str]
    given: frozenset[str]

    @property
    def swallows(self) -> bool:
        """Whether the error is lost and nothing replaces what failed."""
        return self.end != "other"


class Handlers:
    """The handlers of a file."""

    def __init__(self, tree: Tree, names: Names, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._calls = calls
        self._known: dict[cst.ExceptHandler, Handler] = {}
        self._open: set[cst.FunctionDef] = set()

    def of(self, function: cst.FunctionDef) -> tuple[Handler, ...]:
        """The handlers in a function, those of inner functions left out."""
        nodes = self._tree.inside(function.body, cst.ExceptHandler)
        return tuple(self.handler(node) for node in nodes if self._tree.function(node) is function)

    def handler(self, node: cst.ExceptHandler) -> Handler:
        """What one handler does."""
        if node not in self._known:
            self._known[node] = self._handler(node)
        return self._known[node]

    def _handler(self, node: cst.ExceptHandler) -> Handler:
        guarded = self._tree.parents[node]
        assert isinstance(guarded, cst.Try)
        small = statements(node.body)
        end, last = self._end(guarded, small)
        nothing, given = _assigned(small)
        return Handler(node, guarded, self.is_broad(node.type), end, last, nothing, given)

    def is_broad(self, caught: cst.BaseExpression | None) -> bool:
        """Whether an `except` with this type catches nearly everything."""
        if caught is None:
            return True
        if isinstance(caught, cst.Tuple):
            return any(self._names.qualified(element.value) in _BROAD for element in caught.elements)
        return self._names.qualified(caught) in _BROAD

    def _end(self, guarded: cst.Try, small: tuple[cst.CSTNode, ...]) -> tuple[End, cst.BaseSmallStatement | None]:
        if not all(self._is_quiet(statement) for statement in small) or self._tries_again(guarded):
            return "other", None
        last = small[-1] if small else None
        if isinstance(last, cst.Continue):
            return "continue", last
        if isinstance(last, cst.Break):
            return "break", last
        if isinstance(last, cst.Return):
            nothing = last.value is None or (isinstance(last.value, cst.Name) and last.value.value == "None")
            return ("nothing" if nothing else "other"), last
        if guarded.finalbody is not None and self._leaves(guarded.finalbody):
            return "other", None
        nothing = self._is_last(guarded) or self._gives_none(guarded, _assigned(small))
        return ("nothing" if nothing else "on"), last if isinstance(last, cst.Pass) else None

    def _gives_none(self, guarded: cst.Try, assigned: tuple[frozenset[str], frozenset[str]]) -> bool:
        """`return image` right after the `try`, where only the guarded code sets `image` to anything but None."""
        block = self._tree.parents[guarded]
        body = list(block.body) if isinstance(block, cst.IndentedBlock) else []
        following = body[body.index(guarded) + 1 :] if guarded in body else []
        last = statements(cst.IndentedBlock(following[:1]))[-1] if following else None
        name = last.value if isinstance(last, cst.Return) else None
        if not isinstance(name, cst.Name) or name.value in assigned[1]:
            return False
        before = [b for b in self._names.reaching(name) if not self._tree.holds(guarded, b.node)]
        empty = all(isinstance(b.value, cst.Name) and b.value.value == "None" for b in before)
        return empty and (name.value in assigned[0] or bool(before))

    def _is_last(self, guarded: cst.Try) -> bool:
        """Whether the function ends after the `try`, which returns something: without an error it returns a value."""
        here: cst.CSTNode = guarded
        while not isinstance(parent := self._tree.parents[here], cst.FunctionDef):
            if isinstance(parent, (cst.For, cst.While, cst.Module, cst.ClassDef)):
                return False
            if isinstance(parent, cst.IndentedBlock) and parent.body[-1] is not here:
                return False
            here = parent
        returns = self._tree.inside(guarded.body, cst.Return)
        if guarded.orelse is not None:
            returns += self._tree.inside(guarded.orelse, cst.Return)
        return any(found.value is not None and self._tree.function(found) is parent for found in returns)

    def _tries_again(self, guarded: cst.Try) -> bool:
        """A loop that is left on success: `while True: try: return load() except ...`."""
        loop = self._tree.enclosing(guarded, cst.For, cst.While, cst.FunctionDef)
        if not isinstance(loop, (cst.For, cst.While)):
            return False
        blocks = [guarded.body, *([guarded.orelse] if guarded.orelse is not None else [])]
        for block in blocks:
            for node in self._tree.walk(block):
                if isinstance(node, (cst.Break, cst.Return)) and self._tree.enclosing(node, cst.For, cst.While) is loop:
                    return True
        return isinstance(loop, cst.While) and not is_endless(loop) and not self._counts(loop.test)

    def _counts(self, test: cst.BaseExpression) -> bool:
        """`i < n`; not `image is None`, which waits for the call to succeed."""
        operators = {type(node) for node in self._tree.walk(test)}
        return bool(operators & {cst.LessThan, cst.LessThanEqual, cst.GreaterThan}) and not operators & {
            cst.Is,
            cst.Not,
        }

    def _leaves(self, block: cst.CSTNode) -> bool:
        return any(isinstance(node, (cst.Raise, cst.Return)) for node in self._tree.walk(block))

    # -- what a handler may do and still swallow ----------------------------------------------------------------------

    def _is_quiet(self, statement: cst.CSTNode) -> bool:
        """Whether a statement only logs or counts, or ends the handler."""
        if isinstance(statement, _COMPOUND):
            plain = isinstance(statement, cst.If) and statement.orelse is None
            inner = statements(statement.body) if plain and isinstance(statement, cst.If) else ()
            return bool(inner) and all(isinstance(s, (cst.Expr, cst.Pass)) and self._is_quiet(s) for s in inner)
        if isinstance(statement, (cst.Raise, cst.Assert)):
            return False
        return all(self._is_quiet_call(call) for call in self._tree.inside(statement, cst.Call))

    def _is_quiet_call(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func)
        if name is not None:
            if name in _LEAVES:
                return False
            known = name.startswith(("builtins.", *_QUIET_ROOTS)) or name in _QUIET_NAMES
            return known or (isinstance(call.func, cst.Attribute) and call.func.attr.value in _QUIET_METHODS)
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _QUIET_METHODS:
            return not _is_parser(call.func.value)
        return self._is_quiet_helper(call)

    def _is_quiet_helper(self, call: cst.Call) -> bool:
        """Whether a function of this file only logs or counts: nothing in it can stop the program on purpose."""
        function = self._calls.called(call)
        if function is None or function in self._open or self._tree.inside(function.body, cst.Raise):
            return False
        self._open.add(function)
        calls = self._tree.inside(function.body, cst.Call)
        quiet = all(self._is_quiet_call(inner) for inner in calls)
        self._open.discard(function)
        return quiet

    # -- what it guards -----------------------------------------------------------------------------------------------

    def call(self, handler: Handler) -> cst.Call | None:
        """The call that a reader would name: the one that reads something, else the first that does any work."""
        calls = [call for call in self._tree.inside(handler.guarded.body, cst.Call) if self._does_work(call)]
        return next((call for call in calls if reads(call)), calls[0] if calls else None)

    def subject(self, handler: Handler) -> cst.Name | None:
        """The variable that says which sample failed: a path or an index that is set whatever fails."""
        call = self.call(handler)
        given = _arguments(self._tree, call) if call is not None else []
        inside = [name for value in given for name in self._tree.inside(value, cst.Name)]
        loop = self._tree.enclosing(handler.guarded, cst.For, cst.FunctionDef)
        targets = self._tree.inside(loop.target, cst.Name) if isinstance(loop, cst.For) else ()
        counted = {target.value for target in targets}
        function = self._tree.function(handler.guarded)
        known = [p.name for p in parameters(function.params) if not p.star] if function is not None else []
        only = [name for name in known if name.value not in ("self", "cls")]
        varying = [name for name in inside if name.value in counted]
        plain = [value for value in given if isinstance(value, cst.Name)]
        known = only if len(only) == 1 else [name for name in known if _WHICH.search(name.value)]
        for name in (*varying, *plain, *inside, *targets, *known):
            if not _ARRAYS.search(name.value) and self._says_which(name, handler, function):
                return name
        return None

    def _says_which(self, name: cst.Name, handler: Handler, function: cst.FunctionDef | None) -> bool:
        if self._tree.is_label(name) or function is None:
            return False
        bindings = self._names.reaching(name, handler.guarded)
        if not bindings or any(binding.scope.node is not function for binding in bindings):
            return False
        first = parameters(function.params)[:1]
        if any(binding.node in first for binding in bindings) and name.value in ("self", "cls"):
            return False
        return all(self._is_there(binding, handler) for binding in bindings)

    def _is_there(self, binding: Binding, handler: Handler) -> bool:
        """Whether a name has its value when the guarded code starts."""
        if binding.kind == "parameter":
            return True
        if binding.kind == "for":
            loop = self._tree.enclosing(binding.node, cst.For)
            return loop is not None and self._tree.holds(loop.body, handler.guarded)
        if isinstance(binding.value, cst.Call) and dotted(binding.value.func).endswith("open"):
            return False  # a file, not its name
        early = self._tree.order.precedes(binding.node, handler.guarded)
        return binding.kind == "assign" and early and self._tree.holds(self._tree.block(binding.node), handler.guarded)

    def _does_work(self, call: cst.Call) -> bool:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _QUIET_METHODS - {"get"}:
            return False
        name = self._names.qualified(call.func) or ""
        return name == "builtins.open" or not name.startswith(("builtins.", "os.path.", "logging."))


def _arguments(tree: Tree, call: cst.Call) -> list[cst.BaseExpression]:
    """The arguments of a call, and of the calls that it is chained to: `open(path).read()`."""
    return [
        argument.value
        for one in (call, *tree.inside(call.func, cst.Call))
        for argument in one.args
        if not argument.star
    ]


def reads(call: cst.Call) -> bool:
    """Whether a call seems to read a sample: `load_img(...)`, `Image.open(...)`, `self._read(...)`."""
    named = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    return isinstance(named, cst.Name) and _READS.search(named.value) is not None


def _assigned(small: tuple[cst.CSTNode, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """The plain names that statements set to None, and those that they set to anything else."""
    nothing: set[str] = set()
    given: set[str] = set()
    for statement in small:
        if isinstance(statement, (cst.Assign, cst.AnnAssign)):
            targets = [t.target for t in statement.targets] if isinstance(statement, cst.Assign) else [statement.target]
            empty = isinstance(statement.value, cst.Name) and statement.value.value == "None"
            for target in targets:
                names = {target.value} if isinstance(target, cst.Name) else _names_in(target)
                (nothing if empty else given).update(names)
    return frozenset(nothing), frozenset(given)


def _names_in(target: cst.BaseExpression) -> set[str]:
    """The names of `a, b = ...`; the object of `a[i] = ...` and `a.b = ...`, whose content changes."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return {name for element in target.elements for name in _names_in(element.value)}
    if isinstance(target, (cst.Subscript, cst.Attribute)):
        return _names_in(target.value)
    return {target.value} if isinstance(target, cst.Name) else set()


def _is_parser(node: cst.BaseExpression) -> bool:
    """`parser.error(...)` ends the program."""
    return isinstance(node, cst.Name) and node.value in ("parser", "argparser")
