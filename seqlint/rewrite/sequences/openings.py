"""Opens a file where it is read, instead of once in `__init__`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit
from seqlint.rewrite.layout.free_names import free_name, is_free_attribute
from seqlint.rewrite.layout.statements import indent_of, indent_unit, lines_of

if TYPE_CHECKING:
    from seqlint.facts import Facts, OpenHandle

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
_READS = frozenset({"read", "seek", "readline", "readlines", "readinto", "tell", "keys", "attrs"})
_TELLS = frozenset({"shape", "dtype", "ndim", "size"})
_TAKES = frozenset({"builtins.len", "builtins.list", "builtins.sorted"})
_SPLIT = ('"""', "'''", "\\\n")


def open_per_call(facts: Facts, handle: OpenHandle) -> tuple[Edit, ...]:
    """`with open(self.path) as file:` around what reads it in `__getitem__`, and in `__init__` where that reads it too.

    No edits where other methods use the file, or where its path is neither kept on `self` nor a constant.
    """
    init, getitem = handle.owner.methods.get("__init__"), handle.owner.methods.get("__getitem__")
    opening = facts.tree.statement(handle.node)
    if init is None or getitem is None or handle.is_part or not _is_plain(facts, handle, opening, init):
        return ()
    uses = [node for node in facts.members.all(handle.attribute) if not facts.tree.holds(opening, node)]
    early = [node for node in uses if facts.tree.holds(init, node)]
    late = [node for node in uses if facts.tree.holds(getitem, node)]
    if len(early) + len(late) != len(uses) or not late or any(facts.values.stored(node) for node in uses):
        return ()
    kept = _kept(facts, handle, init)
    if kept is None or not all(_is_read_there(facts, use) for use in uses):
        return ()
    call, lines = kept
    inside = _wrapped(facts, getitem, late, call, _opened(facts, handle, getitem))
    first = _wrapped(facts, init, early, facts.text(handle.node), _opened(facts, handle, init)) if early else ()
    if inside is None or first is None:
        return ()
    return (_instead(facts, opening, lines), *first, *inside)


def _is_plain(facts: Facts, handle: OpenHandle, opening: Statement, init: cst.FunctionDef) -> bool:
    """Whether `self.file = open(path)` is a statement of `__init__` itself, and opens for reading."""
    if not isinstance(opening, cst.SimpleStatementLine) or len(opening.body) != 1:
        return False
    assign = opening.body[0]
    if facts.tree.parents[opening] is not init.body or not isinstance(assign, cst.Assign) or len(assign.targets) > 1:
        return False
    mode = next((a.value for a in handle.node.args[1:2]), None) or handle.node.args[0].value
    constant = facts.values.constant(mode)
    reads = len(handle.node.args) == 1 or (constant is not None and constant.value in ("r", "rb", "rt"))
    return assign.value is handle.node and reads and len(handle.node.args) <= 2


def _is_read_there(facts: Facts, use: cst.Attribute) -> bool:
    """Whether what is read from the file no longer needs it: `file.read(4)`, `file["x"][2:5]`, and not `file["x"]`."""
    here: cst.CSTNode = use
    parts = 0
    while isinstance(parent := facts.tree.parents[here], cst.Subscript) and parent.value is here:
        here, parts = parent, parts + 1
    if parts > 1:
        return True
    if isinstance(parent, cst.Attribute):
        return parent.attr.value in (_TELLS if parts else _READS)
    call = facts.tree.parents[parent] if isinstance(parent, cst.Arg) else None
    name = (facts.qualified(call.func) or "") if isinstance(call, cst.Call) else ""
    return name in _TAKES or name.startswith("numpy.")


def _kept(facts: Facts, handle: OpenHandle, init: cst.FunctionDef) -> tuple[str, str] | None:
    """The call as `__getitem__` can write it, and the line that `__init__` needs for it."""
    path = handle.node.args[0]
    rest = "".join(f", {facts.text(argument)}" for argument in handle.node.args[1:])
    func = facts.text(handle.node.func)
    if isinstance(path.value, cst.Attribute) and facts.values.self_class(path.value.value) is not None:
        return f"{func}({facts.text(path.value)}{rest})", ""
    if isinstance(path.value, cst.SimpleString):
        return f"{func}({facts.text(path.value)}{rest})", ""
    if not isinstance(path.value, cst.Name) or path.keyword is not None:
        return None
    bindings = facts.names.bindings(path.value)
    if len(bindings) != 1 or bindings[0].kind != "parameter" or facts.tree.function(bindings[0].node) is not init:
        return None
    name = path.value.value
    for node in facts.tree.inside(init.body, cst.Attribute):
        stored = facts.values.stored(node) if facts.values.self_class(node.value) is not None else None
        if stored is not None and isinstance(stored[0], cst.Name) and stored[0].value == name:
            return f"{func}({facts.text(node)}{rest})", ""
    if not is_free_attribute(facts, name):
        return None
    own = init.params.params[0].name.value
    return f"{func}({own}.{name}{rest})", f"{own}.{name} = {name}"


def _opened(facts: Facts, handle: OpenHandle, function: cst.FunctionDef) -> str:
    """What the open file is called in a function."""
    return free_name(facts, function, handle.attribute.strip("_"), "file", "opened")


def _wrapped(
    facts: Facts, function: cst.FunctionDef, uses: list[cst.Attribute], call: str, name: str
) -> tuple[Edit, ...] | None:
    """The statements from the first use to the last, under `with`; in `__getitem__` to the end, where a `return` reads it."""
    if not isinstance(function.body, cst.IndentedBlock):
        return None
    body = [s for s in function.body.body if isinstance(s, (cst.SimpleStatementLine, cst.BaseCompoundStatement))]
    holding = [n for n, s in enumerate(body) if any(facts.tree.holds(s, use) for use in uses)]
    if any(facts.tree.function(use) is not function for use in uses):
        return None
    span = body[holding[0] : holding[-1] + 1]
    start, end = _code_start(facts, span[0]), lines_of(facts, span[-1])[1]
    if any(mark in facts.source.slice(start, end).replace("\r\n", "\n") for mark in _SPLIT):
        return None
    unit, newline = indent_unit(facts), facts.source.newline
    edits = [Edit(start, start, f"{indent_of(facts, span[0])}with {call} as {name}:{newline}{unit}")]
    at = facts.source.utf8.find(b"\n", start) + 1
    while 0 < at < end:
        line_end = facts.source.utf8.find(b"\n", at) + 1 or end
        if facts.source.utf8[at:line_end].strip():
            edits.append(Edit(at, at, unit))
        at = line_end
    return (*edits, *(Edit(*facts.span(use), name) for use in uses))


def _code_start(facts: Facts, statement: Statement) -> int:
    """Where the first line of a statement starts, comments above it left out."""
    return facts.source.utf8.rfind(b"\n", 0, facts.span(statement)[0]) + 1


def _instead(facts: Facts, opening: Statement, lines: str) -> Edit:
    start, end = facts.span(opening)
    if lines:
        return Edit(start, end, lines)
    return Edit(*lines_of(facts, opening), "")
