"""Text to tree. Syntax errors name a place; code nested too deep for a parser is refused before it can end the process."""

from __future__ import annotations

import re
import sys
import threading
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from seqlint.engine.limit import Late, watch
from seqlint.model import UnreadableSource
from seqlint.sources import BOM
from seqlint.sources.syntax import syntax, uncompiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.sources import Source
    from seqlint.trees import Grown

Result = TypeVar("Result")

# libcst's parser recurses natively and backtracks: on a common 8 MB stack it ends the process somewhere above 1,500 levels, and
# 1,000 nested brackets take it five seconds, 2,000 half a minute. No person writes such code; generators of data do.
SHALLOW = 300
DEEPEST = 1_000
_EVER = re.compile(
    r"\(unicode error\)|\(value error\)|bytes can only contain ASCII|cannot mix bytes and nonbytes|cannot assign to|cannot delete"
    r"|keyword argument repeated|positional argument follows keyword|named arguments must follow bare|default 'except:' must be last"
    r"|duplicate argument|f-string: empty expression|f-string: single '}'|f-string: valid expression required"
)
"""What no Python takes, and libcst's parser does. Other faults may be the syntax of a later Python."""
_PYTHON_2 = re.compile(
    r"Missing parentheses in call to '(?:print|exec)'|multiple exception types must be|leading zeros in decimal"
)
_BRACKET = re.compile(r"[()\[\]{}]")
_STACK = 128 * 1024 * 1024
_here = threading.local()


@dataclass(frozen=True)
class Unparsable(UnreadableSource):
    """A file that is no Python, with the place where that shows.

    Attributes:
        line, column: from 1.
    """

    reason: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.reason


def parse(source: Source) -> Grown:
    """The tree of a source.

    Raises:
        Unparsable: it is no Python.
        RecursionError: it is nested too deep for this stack.
    """
    import libcst as cst

    from seqlint.trees import grow

    # A second mark: parsers pass over it, and Python refuses the file.
    if source.notebook is None and source.text.startswith(BOM):
        raise Unparsable("the file can't be parsed: invalid non-printable character U+FEFF", 1, 1)
    try:
        return grow(source)
    except cst.ParserSyntaxError as error:
        raise _unparsable(source, error.raw_line, error.raw_column + 1, error.message) from error
    except ValueError as error:
        raise Unparsable(f"the file can't be parsed: {error}", 1, 1) from error


def _unparsable(source: Source, line: int, column: int, reason: str) -> Unparsable:
    """Python's own words for a syntax error say more than libcst's, where this Python agrees that there is one."""
    try:
        syntax(source.text)
    except SyntaxError as error:
        reason, line, column = error.msg, error.lineno or 1, error.offset or 1
    except (ValueError, RecursionError, MemoryError):
        pass
    start = next(iter(source.text.splitlines()[line - 1 : line]), "").lstrip()
    of_notebook = source.notebook is None and start.startswith(("!", "%"))
    return _at(f"{reason} (this is a line of a notebook)" if of_notebook else reason, line, column)


def _at(reason: str, line: int, column: int) -> Unparsable:
    return Unparsable(f"the file can't be parsed: {worded(reason.strip())}", max(line, 1), max(column, 1))


def worded(reason: str) -> str:
    """Why Python refuses a text, and that it looks like one of Python 2 if it does."""
    return f"{reason} (this looks like Python 2, which seqlint does not read)" if _PYTHON_2.match(reason) else reason


def _refuse(source: Source) -> None:
    """See that Python takes a file; whether a later Python would take what this one can't parse is not asked.

    Raises:
        Unparsable: no Python does.
    """
    if source.excerpt is not None or source.notebook is not None:
        return  # blocks of pages are parts of programs; cells are asked one by one
    try:
        error = uncompiled(syntax(source.text).tree)
    except SyntaxError as refused:
        error = refused if _EVER.match(refused.msg) else None
    except (ValueError, RecursionError, MemoryError):
        return
    if error is not None:
        raise _at(error.msg, error.lineno or 1, error.offset or 1)


class _Deep(BaseException):
    """Code turned out to be nested too deep for this stack. No rule that is at work must take it for a fault of its own."""

    def __init__(self, nested: int) -> None:
        self.nested = nested


def with_tree(source: Source, work: Callable[[Callable[[], Grown]], Result]) -> Result:
    """Run the work on a source, with a function that makes its tree; on a thread with a large stack where its code is nested deep.

    Raises:
        Unparsable: it is no Python, or nested too deep for any stack.
    """
    nested = _depth_of_unread(source.text)
    _limit(nested)
    _refuse(source)
    if nested > SHALLOW:
        return _on_large_stack(lambda: work(_once(parse(source))), nested)
    try:
        # What Python can't read is parsed at once, which says what is wrong with it.
        return work(_once(parse(source)) if nested else lambda: _shallow(source))
    except _Deep as deep:
        _limit(deep.nested)
        return _on_large_stack(lambda: work(lambda: parse(source)), deep.nested)


def ask_for_stack() -> None:
    """Begin again on a large stack, where the work is not on one: what follows functions from one to the next needs it."""
    if not getattr(_here, "large", False):
        raise _Deep(DEEPEST)


def _once(grown: Grown) -> Callable[[], Grown]:
    return lambda: grown


def _limit(nested: int) -> None:
    if nested > DEEPEST:
        raise Unparsable(f"the code is nested more than {DEEPEST:,} levels deep, too deep to be read", 1, 1)


def _shallow(source: Source) -> Grown:
    """The tree, if what works on it needs no large stack."""
    try:
        grown = parse(source)
    except RecursionError:
        raise _Deep(syntax(source.text).depth) from None
    if (nested := grown.depth()) > SHALLOW:
        raise _Deep(nested)
    return grown


def _depth_of_unread(text: str) -> int:
    """How deep code is nested that this Python can't read, from above: libcst may read it, on the stack of the machine. 0 for other code."""
    try:
        syntax(text)
    except (RecursionError, MemoryError):
        return DEEPEST + 1
    except (SyntaxError, ValueError):
        return 1 + _bracket_depth(text)
    return 0


def _bracket_depth(text: str) -> int:
    """An upper bound: brackets, and links of chains on one stretch."""
    deepest = here = 0
    for bracket in _BRACKET.findall(text):
        here += 1 if bracket in "([{" else -1
        deepest = max(deepest, here)
    return deepest + max((line.count(").") for line in text.splitlines()), default=0)


def _on_large_stack(work: Callable[[], Result], nested: int) -> Result:
    results: list[Result] = []
    errors: list[BaseException] = []

    over = watch()

    def run() -> None:
        _here.large = True
        try:
            with nullcontext() if over is None else over.elsewhere():
                results.append(work())
        except BaseException as error:  # handed to the thread that waits
            errors.append(error)

    limit, stack = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(limit, nested * 40))
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(stack)
        sys.setrecursionlimit(limit)
    if errors or not results:
        raise errors[0] if errors else Late
    return results[0]
