"""Statements that say something at most: they print, log, or make the text for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import statements
from seqlint.facts.code.scopes import dotted

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree

_SAYS = frozenset({
    "absl.logging", "logging", "sys.stderr", "sys.stdout", "tensorflow.compat.v1.logging", "tensorflow.get_logger",
    "tensorflow.logging", "traceback", "warnings",
})  # fmt: skip
_SAYS_ALONE = frozenset({
    "builtins.print", "gc.collect", "keras.backend.clear_session", "keras.utils.clear_session", "tensorflow.print",
})  # fmt: skip
_MAKES_TEXT = frozenset({
    "builtins.dir", "builtins.format", "builtins.getattr", "builtins.len", "builtins.repr", "builtins.str",
    "builtins.type",
})  # fmt: skip
_TEXT_METHODS = frozenset({"format", "join", "replace", "split", "strip"})
_LOG_METHODS = frozenset(
    {"critical", "debug", "error", "exception", "flush", "info", "log", "print", "warn", "warning", "write"}
)
_LOGGER = re.compile(r"log|console|std(?:out|err)|writer", re.IGNORECASE)


class LoggingStatements:
    """Tells whether a call, or a statement of a handler, does more than say something."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names

    def only_says(self, statement: cst.CSTNode, handler: cst.ExceptHandler) -> bool:
        """Whether a statement of a handler prints or logs something at most, or makes a text for that."""
        if isinstance(statement, cst.If):
            blocks = [statement.body, *([statement.orelse.body] if isinstance(statement.orelse, cst.Else) else [])]
            plain = statement.orelse is None or isinstance(statement.orelse, cst.Else)
            return plain and all(self.only_says(inner, handler) for block in blocks for inner in statements(block))
        if isinstance(statement, (cst.Pass, cst.Import, cst.ImportFrom, cst.Del)):
            return True
        if isinstance(statement, cst.Expr):
            return not isinstance(statement.value, cst.Call) or self.says(statement.value)
        if isinstance(statement, (cst.Assign, cst.AnnAssign)):
            return self._is_text_for(statement, handler)
        return False

    def says(self, call: cst.Call) -> bool:
        """Whether a call prints or logs what it is given, and no more."""
        name = self._names.qualified(call.func) or ""
        says = name in _SAYS_ALONE or any(name.startswith(root + ".") for root in _SAYS)
        if not says and isinstance(call.func, cst.Attribute) and call.func.attr.value in _LOG_METHODS:
            receiver = call.func.value.func if isinstance(call.func.value, cst.Call) else call.func.value
            says = _LOGGER.search(dotted(receiver)) is not None or self._is_logger(receiver)
        return says and all(self._is_text(inner) for argument in call.args for inner in self._inner_calls(argument))

    def _is_logger(self, receiver: cst.BaseExpression) -> bool:
        """A name of any kind for `logging.getLogger(...)`."""
        made = [found.value for found in self._names.reaching(receiver)] if isinstance(receiver, cst.Name) else []
        makers = [self._names.qualified(value.func) for value in made if isinstance(value, cst.Call)]
        return bool(made) and len(makers) == len(made) and set(makers) <= {"logging.getLogger", "tensorflow.get_logger"}

    def _inner_calls(self, node: cst.CSTNode) -> tuple[cst.Call, ...]:
        return self._tree.inside(node, cst.Call)

    def _is_text(self, call: cst.Call) -> bool:
        """Whether a call only makes something to print."""
        name = self._names.qualified(call.func) or ""
        if name in _MAKES_TEXT or name.startswith(
            ("traceback.format", "datetime.", "time.", "os.path.", "sys.exc_info")
        ):
            return True
        return isinstance(call.func, cst.Attribute) and call.func.attr.value in _TEXT_METHODS

    def _is_text_for(self, statement: cst.Assign | cst.AnnAssign, handler: cst.ExceptHandler) -> bool:
        """Whether an assignment makes a text that only the handler uses."""
        targets = [t.target for t in statement.targets] if isinstance(statement, cst.Assign) else [statement.target]
        if not all(isinstance(target, cst.Name) and self._is_own(target, handler) for target in targets):
            return False
        return statement.value is None or all(self._is_text(call) for call in self._inner_calls(statement.value))

    def _is_own(self, target: cst.Name, handler: cst.ExceptHandler) -> bool:
        """Whether nothing outside the handler reads the variable: a flag of a function that nobody asks says nothing."""
        home = self._names.scope(target).home(target.value)
        same = (
            node for node in self._tree.all(cst.Name) if node.value == target.value and not self._tree.is_label(node)
        )
        uses = [node for node in same if node is not target and self._names.scope(node).home(node.value) is home]
        if home is not None and home.kind == "function":
            uses = [node for node in uses if not isinstance(self._tree.parents[node], cst.AssignTarget)]
            return all(self._tree.holds(handler, node) for node in uses)
        return bool(uses) and all(self._tree.holds(handler, node) for node in uses)
