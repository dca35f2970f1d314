"""Text to tree. Syntax errors name a place; code nested too deep for a parser is refused before it can end the process."""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from seqlint.model import UnreadableSource
from seqlint.sources.syntax import syntax

if TYPE_CHECKING:
    from collections.abc import Callable

    import libcst as cst

    from seqlint.sources import Source

Result = TypeVar("Result")

# libcst's parser recurses natively and backtracks: on a common 8 MB stack it ends the process somewhere above 1,500 levels, and
# 1,000 nested brackets take it five seconds, 2,000 half a minute. No person writes such code; generators of data do.
SHALLOW = 300
DEEPEST = 1_000
_STACK = 128 * 1024 * 1024


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


def parse(source: Source) -> cst.Module:
    """The libcst tree of a source.

    Raises:
        Unparsable: it is no Python, or nested too deep.
    """
    import libcst as cst

    try:
        return cst.parse_module(source.text)
    except cst.ParserSyntaxError as error:
        raise _unparsable(source, error.raw_line, error.raw_column + 1, error.message) from error
    except (RecursionError, ValueError) as error:
        raise Unparsable(f"the file can't be parsed: {error}", 1, 1) from error


def _unparsable(source: Source, line: int, column: int, reason: str) -> Unparsable:
    """Python's own words for a syntax error say more than libcst's, where this Python agrees that there is one."""
    try:
        syntax(source.text)
    except SyntaxError as error:
        reason, line, column = error.msg, error.lineno or 1, error.offset or 1
    except (ValueError, RecursionError, MemoryError):
        pass
    return Unparsable(f"the file can't be parsed: {reason.strip()}", max(line, 1), max(column, 1))


def depth(source: Source) -> int:
    """How deep the code is nested, from above: cheap, and never less than what the parser will meet."""
    try:
        return syntax(source.text).depth
    except (RecursionError, MemoryError):
        return DEEPEST + 1
    except (SyntaxError, ValueError):
        return _bracket_depth(source.text)


def _bracket_depth(text: str) -> int:
    """An upper bound for text that this Python can't parse: brackets, and links of chains on one stretch."""
    deepest = here = 0
    for character in text:
        here += (character in "([{") - (character in ")]}")
        deepest = max(deepest, here)
    return deepest + max((line.count(").") for line in text.splitlines()), default=0)


def with_room(source: Source, work: Callable[[], Result]) -> Result:
    """Run the work on a source; on a thread with a large stack where its code is nested deep.

    Raises:
        Unparsable: the code is nested too deep for any stack.
    """
    nested = depth(source)
    if nested <= SHALLOW:
        return work()
    if nested > DEEPEST:
        raise Unparsable(f"the code is nested more than {DEEPEST:,} levels deep, too deep to be read", 1, 1)
    return _on_large_stack(work, nested)


def _on_large_stack(work: Callable[[], Result], nested: int) -> Result:
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
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
    if errors:
        raise errors[0]
    return results[0]
