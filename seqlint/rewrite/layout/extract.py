"""Takes statements out of a method as they are written, comments included, and leaves no gap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.statements import is_declaration, is_docstring, small, statements
from seqlint.model import Edit
from seqlint.rewrite.layout.comments import below_head, comment_behind_head
from seqlint.rewrite.layout.statements import delete, indent_of, indent_unit, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.facts import Cut, Facts

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


@dataclass(frozen=True)
class Extract:
    """What was taken out.

    Attributes:
        above: comment lines above the method, where the whole of it goes.
        trailing: the comment on its first line, with the white space in front.
        body: the statements, as lines with their indentation.
        methods: the methods that go too, each as lines.
        starts: lines of `__init__`.
        edits: what takes all of this out.
    """

    above: str
    trailing: str
    body: str
    methods: tuple[str, ...]
    starts: str
    edits: tuple[Edit, ...]


def extract(facts: Facts, cut: Cut, *, whole: bool, changes: Sequence[Edit] = ()) -> Extract | None:
    """The text of a cut and the edits that remove it; None where the layout does not allow it.

    Args:
        whole: whether the method goes with all of its body; else `pass` is left where nothing is.
        changes: edits of the text that goes, such as another spelling of a name.
    """
    function = cut.function
    if not isinstance(function.body, cst.IndentedBlock) and not (whole and not cut.rest):
        return None
    split = _declarations(facts, cut)
    going = [s for s in statements(function) if s in cut.steps or s in split.going]
    runs = [(0, len(statements(function)))] if whole and not cut.rest else _runs(statements(function), going)
    kept = () if whole else _removed(facts, function, runs)
    gone = (function, *cut.methods) if whole else cut.methods
    removed = _without(facts, gone)
    start = lines_of(facts, function)[0]
    first = facts.tree.span(function.decorators[0] if function.decorators else function)[0]
    text = "".join(_text(facts, *_run_span(facts, function, run), changes) for run in runs)
    if not isinstance(function.body, cst.IndentedBlock):  # `def on_epoch_end(self): ...` on one line
        text = indent_of(facts, function) + indent_unit(facts) + text.lstrip()
    return Extract(
        above=facts.source.slice(start, facts.source.utf8.rfind(b"\n", 0, first) + 1) if whole else "",
        trailing=_after_header(facts, function) if whole else "",
        body=split.head + text,
        methods=tuple(_text(facts, *_definition_span(facts, method), changes) for method in cut.methods),
        starts="".join(facts.source.slice(*lines_of(facts, line)) for line in cut.started),
        edits=(*kept, *removed, *(split.edits if not whole else ()), *delete(facts, *cut.started)),
    )


def insert_below(facts: Facts, definition: cst.ClassDef, text: str) -> Edit:
    """A class below another one of the same block. `text` has its indentation and line feeds."""
    source = facts.source.utf8
    start, end = _definition_span(facts, definition)
    above = len(source[_before_blank(source, start) : start].split(b"\n")) - 1
    gap = "\n" * (1 if indent_of(facts, definition) else min(above, 2) or 2)
    follows = source[end:].split(b"\n", 1)[0].strip() != b""
    lead = "" if source[:end].endswith(b"\n") else "\n"
    block = f"{lead}{gap}{text.rstrip()}\n{gap if follows else ''}"
    block = block.rstrip("\n") if lead else block
    return Edit(end, end, block.replace("\r\n", "\n").replace("\n", facts.source.newline))


# -- global and nonlocal ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Split:
    going: tuple[cst.CSTNode, ...]
    head: str
    edits: tuple[Edit, ...]


def _declarations(facts: Facts, cut: Cut) -> _Split:
    """Which `global` lines go; one that names variables of both sides is split."""
    going: list[cst.CSTNode] = []
    head, edits = "", []
    for statement in statements(cut.function):
        declared = small(statement)
        if not is_declaration(statement) or not isinstance(declared, (cst.Global, cst.Nonlocal)):
            continue
        names = [item.name.value for item in declared.names]
        mine = [name for name in names if _speaks_of(facts, cut.nodes, name) or not _speaks_of(facts, cut.rest, name)]
        others = [name for name in names if name not in mine]
        word = "global" if isinstance(declared, cst.Global) else "nonlocal"
        if not others:
            going.append(statement)
        elif any(_speaks_of(facts, cut.nodes, name) for name in mine):
            head += f"{indent_of(facts, statement)}{word} {', '.join(mine)}{facts.source.newline}"
            edits.append(Edit(*facts.span(declared), f"{word} {', '.join(others)}"))
    return _Split(tuple(going), head, tuple(edits))


def _speaks_of(facts: Facts, nodes: Iterable[cst.CSTNode], name: str) -> bool:
    return any(found.value == name for node in nodes for found in facts.tree.inside(node, cst.Name))


# -- statements ---------------------------------------------------------------------------------------------------------


def _runs(body: tuple[cst.CSTNode, ...], going: list[cst.CSTNode]) -> list[tuple[int, int]]:
    """The stretches of a body that go, as slices."""
    found: list[tuple[int, int]] = []
    for index, statement in enumerate(body):
        if statement not in going:
            continue
        if found and found[-1][1] == index:
            found[-1] = (found[-1][0], index + 1)
        else:
            found.append((index, index + 1))
    return found


def _run_span(facts: Facts, function: cst.FunctionDef, run: tuple[int, int]) -> tuple[int, int]:
    body = statements(function)
    if not isinstance(function.body, cst.IndentedBlock):
        return facts.span(function.body)
    if run == (0, len(body)):
        return _below_header(facts, function), _definition_span(facts, function)[1]
    return lines_of(facts, _statement(body[run[0]]))[0], lines_of(facts, _statement(body[run[1] - 1]))[1]


def _below_header(facts: Facts, function: cst.FunctionDef) -> int:
    """Where the first line of the body starts, with the comments above its first statement."""
    assert isinstance(function.body, cst.IndentedBlock)
    return _after_blank(facts.source.utf8, below_head(facts, function))


def _removed(facts: Facts, function: cst.FunctionDef, runs: list[tuple[int, int]]) -> tuple[Edit, ...]:
    """Take the stretches out, with the blank lines that would be too many."""
    body = statements(function)
    text = facts.source.utf8
    if len(body) == sum(end - start for start, end in runs):
        start, end = _run_span(facts, function, (0, len(body)))
        return (Edit(start, end, f"{indent_of(facts, body[0])}pass{facts.source.newline}"),)
    edits = []
    for run in runs:
        start, end = _run_span(facts, function, run)
        leads = run[0] == 0 or (run[0] == 1 and is_docstring(function, body[0]))
        if leads:
            end = _after_blank(text, end)
        elif run[1] == len(body) or _after_blank(text, end) > end:
            start = _before_blank(text, start)
        edits.append(Edit(start, end, ""))
    return tuple(edits)


# -- definitions --------------------------------------------------------------------------------------------------------


def _without(facts: Facts, gone: tuple[cst.FunctionDef, ...]) -> tuple[Edit, ...]:
    """Take methods out of their class, with the blank lines above them; a class that would be left empty gets `pass`."""
    edits = []
    for method in gone:
        block = facts.tree.parents[method]
        assert isinstance(block, cst.IndentedBlock)
        if all(member in gone for member in block.body) and method is block.body[-1]:
            edits.append(
                Edit(*_definition_span(facts, method), f"{indent_of(facts, method)}pass{facts.source.newline}")
            )
            continue
        start, end = _definition_span(facts, method)
        members = list(block.body)
        if all(member in gone for member in members[: members.index(method)]):  # nothing stands above
            end = _after_blank(facts.source.utf8, end)
        else:
            start = _before_blank(facts.source.utf8, start)
        edits.append(Edit(start, end, ""))
    return tuple(edits)


def _definition_span(facts: Facts, function: cst.FunctionDef | cst.ClassDef) -> tuple[int, int]:
    """The lines of a method or class, its last comments included."""
    start, end = lines_of(facts, function)
    text = facts.source.utf8
    least = len(indent_of(facts, function)) + 1
    here = end
    while here < len(text):
        stop = text.find(b"\n", here) + 1 or len(text)
        line = text[here:stop]
        if line.strip() and (not line.lstrip().startswith(b"#") or len(line) - len(line.lstrip()) < least):
            break
        here, end = stop, stop if line.strip() else end
    return start, end


def _after_header(facts: Facts, function: cst.FunctionDef) -> str:
    """The comment after `def ...:`."""
    comment = comment_behind_head(facts, function) if isinstance(function.body, cst.IndentedBlock) else ""
    return f"  {comment}" if comment else ""


def _after_blank(text: bytes, offset: int) -> int:
    while offset < len(text):
        stop = text.find(b"\n", offset) + 1
        if not stop or text[offset:stop].strip():
            return offset
        offset = stop
    return offset


def _before_blank(text: bytes, offset: int) -> int:
    while offset:
        start = text.rfind(b"\n", 0, offset - 1) + 1
        if text[start:offset].strip():
            return offset
        offset = start
    return offset


def _text(facts: Facts, start: int, end: int, changes: Sequence[Edit]) -> str:
    """The text between two offsets, changed."""
    pieces, here = [], start
    for edit in sorted(changes, key=lambda edit: edit.start):
        if here <= edit.start and edit.end <= end:
            pieces += [facts.source.slice(here, edit.start), edit.text]
            here = edit.end
    text = "".join([*pieces, facts.source.slice(here, end)])
    return text if text.endswith("\n") else text + facts.source.newline


def _statement(node: cst.CSTNode) -> Statement:
    assert isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return node
