"""How a library's name is spelled in this file, and the import that makes it so where none does yet."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts import dotted
from seqlint.knowledge.canonical_names import canonical
from seqlint.model import Edit
from seqlint.rewrite.layout.free_names import free_name, is_bound_for
from seqlint.rewrite.layout.statements import Statement, lines_of
from seqlint.sources import head

if TYPE_CHECKING:
    from seqlint.facts import Binding, Facts


@dataclass(frozen=True)
class Spelling:
    """A name as this file writes it, and the edits that it needs."""

    text: str
    edits: tuple[Edit, ...] = ()


def name_for(facts: Facts, name: str, at: cst.CSTNode) -> Spelling:
    """The spelling of a canonical name, such as "keras.callbacks.Callback" or "math.ceil", for code that stands at `at`.

    A name that the file has already is used: `tf.keras.callbacks.Callback` where it writes `tf.keras`, `Callback` where it imports
    that. Only where there is none an import is added, among those of the same library.
    """
    found = _imported(facts, name, at) or _through_module(facts, name, at)
    return found if found is not None else _added(facts, name, at)


def _imported(facts: Facts, name: str, at: cst.CSTNode) -> Spelling | None:
    for binding in _imports(facts):
        if _wanted(binding) == name and _visible(facts, binding, at):
            return Spelling(binding.name)
    return None


def _through_module(facts: Facts, name: str, at: cst.CSTNode) -> Spelling | None:
    best: tuple[int, Spelling] | None = None
    for binding in _imports(facts):
        prefix = _prefix(facts, binding, name)
        if prefix is None or not _visible(facts, binding, at):
            continue
        rank = len(prefix[0])
        if best is None or rank > best[0]:
            best = (rank, Spelling(f"{binding.name}{prefix[1]}{name[len(prefix[0]) :]}"))
    return best[1] if best is not None else None


def _prefix(facts: Facts, binding: Binding, name: str) -> tuple[str, str] | None:
    """The part of the name that a binding stands for, and what is written after the binding to reach it."""
    origin = canonical(binding.origin or "")
    if name.startswith(origin + "."):
        return origin, ""
    if origin == "tensorflow" and name.startswith("keras.") and _writes_keras_through(facts, binding.name):
        return "keras", ".keras"
    return None


def _writes_keras_through(facts: Facts, name: str) -> bool:
    """Whether the file writes `tf.keras` anywhere, or imports Keras in no other way."""
    uses = any(
        node.attr.value == "keras" and isinstance(node.value, cst.Name) and node.value.value == name
        for node in facts.tree.all(cst.Attribute)
    )
    return uses or not any(canonical(b.origin or "").partition(".")[0] == "keras" for b in _imports(facts))


def _imports(facts: Facts) -> tuple[Binding, ...]:
    bindings = facts.names.scopes.module.bindings
    return tuple(binding for group in bindings.values() for binding in group if binding.kind == "import")


def _wanted(binding: Binding) -> str:
    return canonical(binding.origin or "")


def _visible(facts: Facts, binding: Binding, at: cst.CSTNode) -> bool:
    """Whether the name still means the import where the new code will stand."""
    scope = facts.names.scope(at)
    home = scope if scope.kind == "module" else scope.home(binding.name)
    if home is not facts.names.scopes.module:
        return False
    same = {canonical(other.origin or "") for other in home.bindings.get(binding.name, ())}
    return same == {_wanted(binding)}


def _added(facts: Facts, name: str, at: cst.CSTNode) -> Spelling:
    module, _, member = name.rpartition(".")
    if module.partition(".")[0] in sys.stdlib_module_names or module == "numpy":
        return _added_module(facts, module, member, at)
    alias = _alias(facts, module, member) if is_bound_for(facts, member, at) else ""
    imported = f"{member} as {alias}" if alias else member
    module = _root(facts, module)
    extended = _extended(facts, module, imported)
    edit = extended or _import_line(facts, f"from {module} import {imported}", module)
    return Spelling(alias or member, (edit,))


def _added_module(facts: Facts, module: str, member: str, at: cst.CSTNode) -> Spelling:
    """`import math`, `import numpy as np`; under another name where the file has that for something else."""
    bound = "np" if module == "numpy" else module
    if is_bound_for(facts, bound.partition(".")[0], at):
        bound = free_name(facts, None, f"{module.replace('.', '_')}_module")
    line = f"import {module}" if bound == module else f"import {module} as {bound}"
    return Spelling(f"{bound}.{member}", (_import_line(facts, line, module),))


def _alias(facts: Facts, module: str, member: str) -> str:
    """`KerasMean` for `Mean`, `keras_softmax` for `softmax`."""
    root = module.partition(".")[0]
    return free_name(facts, None, f"{root.capitalize()}{member}" if member[0].isupper() else f"{root}_{member}")


def _root(facts: Facts, module: str) -> str:
    """`keras.callbacks` becomes `tensorflow.keras.callbacks` in a file that imports Keras from TensorFlow."""
    for binding in _imports(facts):
        raw = binding.origin or ""
        if canonical(raw).partition(".")[0] != module.partition(".")[0]:
            continue
        for root in ("tensorflow.keras", "tf_keras", "horovod.tensorflow.keras"):
            if raw.startswith(root):
                return root + module[len(canonical(root)) :]
    return module


def _statements(facts: Facts) -> list[cst.SimpleStatementLine]:
    """The import lines at the top level of the file."""
    found = []
    for statement in facts.module.body:
        if isinstance(statement, cst.SimpleStatementLine) and isinstance(
            statement.body[0], (cst.Import, cst.ImportFrom)
        ):
            found.append(statement)
    return found


def _module_of(statement: cst.SimpleStatementLine) -> str:
    small = statement.body[0]
    if isinstance(small, cst.ImportFrom):
        return dotted(small.module) if small.module is not None and not small.relative else ""
    assert isinstance(small, cst.Import)
    return dotted(small.names[0].name)


def _extended(facts: Facts, module: str, member: str) -> Edit | None:
    """`from module import a, c` takes in `b` where there is such a line."""
    for statement in _statements(facts):
        small = statement.body[0]
        if (
            not isinstance(small, cst.ImportFrom)
            or isinstance(small.names, cst.ImportStar)
            or _module_of(statement) != module
        ):
            continue
        later = [alias for alias in small.names if dotted(alias.name) > member]
        if later:
            start = facts.span(later[0])[0]
            return Edit(start, start, f"{member},{_gap(facts, later[0])}")
        end = facts.span(small.names[-1])[1]
        return Edit(end, end, f",{_gap(facts, small.names[-1])}{member}")
    return None


def _gap(facts: Facts, alias: cst.ImportAlias) -> str:
    """A space, or a new line where each name has its own."""
    text = facts.source.utf8
    start = facts.span(alias)[0]
    lead = text[text.rfind(b"\n", 0, start) + 1 : start]
    return f"{facts.source.newline}{lead.decode()}" if lead and not lead.strip() else " "


def _import_line(facts: Facts, line: str, module: str) -> Edit:
    newline = facts.source.newline
    statements = [statement for statement in _statements(facts) if _module_of(statement) != "__future__"]
    own = [statement for statement in statements if _group(statement) == _group_of(module)]
    if own:
        later = [statement for statement in own if _sort_key(facts.text(statement)) > _sort_key(line)]
        if later:
            return _before(facts, later[0], line + newline)
        return _at(_line_end(facts, own[-1]), line + newline)
    if statements and _group_of(module) < _group(statements[0]):
        return _before(facts, statements[0], line + newline, newline)
    if statements:
        return _at(_line_end(facts, statements[-1]), line + newline)
    return _at(_top(facts), line + newline)


def _before(facts: Facts, statement: cst.SimpleStatementLine, line: str, gap: str = "") -> Edit:
    """An import above another one and the comment on it; below it where that comment may be one on the file.

    Args:
        gap: what separates the two groups.
    """
    above = facts.source.utf8[: _line_start(facts, statement)].split(b"\n")[:-1]
    top, first = head.ends(facts.source.text), len(above)
    while first > top and above[first - 1].startswith(b"#"):
        first -= 1
    separate = first == len(above) or first > top or (top and not above[top - 1].strip())
    return (
        _at(len(b"\n".join((*above[:first], b""))), line + gap) if separate else _at(_line_end(facts, statement), line)
    )


def _at(offset: int, text: str) -> Edit:
    return Edit(offset, offset, text)


def _group_of(module: str) -> int:
    return 0 if module.partition(".")[0] in sys.stdlib_module_names else 1


def _group(statement: cst.SimpleStatementLine) -> int:
    module = _module_of(statement)
    return 2 if not module else _group_of(module)


def _sort_key(line: str) -> tuple[bool, str]:
    """`import x` before `from x import y`, as most formatters have it."""
    return (line.startswith("from "), line)


def _line_start(facts: Facts, statement: cst.SimpleStatementLine) -> int:
    return facts.source.utf8.rfind(b"\n", 0, facts.span(statement)[0]) + 1


def _line_end(facts: Facts, statement: cst.SimpleStatementLine) -> int:
    newline = facts.source.utf8.find(b"\n", facts.span(statement)[1])
    return newline + 1 if newline >= 0 else len(facts.source.utf8)


def _top(facts: Facts) -> int:
    """Below the module's docstring and `__future__` imports; at the first statement where there are none."""
    body = list(facts.module.body)
    if not body:
        return 0
    start = 0
    for statement in body:
        if not isinstance(statement, cst.SimpleStatementLine):
            break
        small = statement.body[0]
        docstring = isinstance(small, cst.Expr) and isinstance(small.value, (cst.SimpleString, cst.ConcatenatedString))
        future = isinstance(small, cst.ImportFrom) and small.module is not None and dotted(small.module) == "__future__"
        if not (docstring or future):
            break
        start = _line_end(facts, statement)
    return start or _above_comments(facts, _whole(body[0]))


def _above_comments(facts: Facts, first: Statement) -> int:
    """Above the first statement, its decorators and the comments right above it, below what is said of the file."""
    text = facts.source.utf8
    above = text[: lines_of(facts, first)[0]].count(b"\n")
    return len(b"\n".join((*text.split(b"\n")[: max(above, head.ends(facts.source.text))], b"")))


def _whole(statement: cst.BaseStatement | cst.SimpleStatementLine) -> Statement:
    assert isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return statement
