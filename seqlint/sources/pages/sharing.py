"""Which blocks of a page are one program: a later one that uses a name of an earlier one goes on with it."""

from __future__ import annotations

import ast
import builtins
import symtable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BUILTINS = frozenset(dir(builtins))


def joined(codes: Sequence[str]) -> list[list[int]]:
    """The numbers of the blocks of each program, in the order of the page.

    A block belongs to the programs of the last blocks above it that bind the names which it uses and does not bind itself.

    Args:
        codes: what each block of the page holds, as Python.
    """
    homes = list(range(len(codes)))
    binders: dict[str, int] = {}
    for number, code in enumerate(codes):
        needed, bound = names(code)
        for binder in {binders[name] for name in needed if name in binders}:
            homes[_home(homes, number)] = _home(homes, binder)
        binders.update(dict.fromkeys(bound, number))
    programs: dict[int, list[int]] = {}
    for number in range(len(codes)):
        programs.setdefault(_home(homes, number), []).append(number)
    return list(programs.values())


def _home(homes: list[int], number: int) -> int:
    """The block that stands for the program of a block; the way there gets shorter."""
    while homes[number] != number:
        homes[number] = homes[homes[number]]
        number = homes[number]
    return number


@lru_cache(maxsize=256)  # each fix of a page asks again, and changes one block
def names(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that code uses without having bound them, and those that it binds at its top level."""
    try:
        top = symtable.symtable(code, "<block>", "exec")
    except (SyntaxError, ValueError, RecursionError):  # such as a `return` that stands alone
        return frozenset(), frozenset()
    bound = frozenset(symbol.get_name() for symbol in top.get_symbols() if _binds(symbol))
    used = frozenset(name for table in _tables(top) for name in _used(table, top))
    early = frozenset(_read_before_bound(code))
    return ((used - bound) | (early & bound)) - _BUILTINS, bound


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _tables(top: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    waiting = [top]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += here.get_children()


def _used(table: symtable.SymbolTable, top: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table is top or symbol.is_global()):
            yield symbol.get_name()


def _read_before_bound(code: str) -> Iterator[str]:
    """Names that a plain statement of the top level reads before anything binds them, as in `data = data.batch(8)`."""
    bound: set[str] = set()
    for statement in ast.parse(code).body:
        nodes = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr) and not _has_scope(statement):
            read = {node.id for node in nodes if isinstance(node.ctx, ast.Load)}
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
                read.add(statement.target.id)
            yield from read - bound
        bound |= names_of(statement)


def names_of(statement: ast.stmt) -> set[str]:
    """All names that a statement may bind."""
    found = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
    return found


def _has_scope(statement: ast.stmt) -> bool:
    """Whether a statement has names of its own, as those of a comprehension or a lambda."""
    return any(isinstance(node, ast.comprehension | ast.Lambda | ast.NamedExpr) for node in ast.walk(statement))
