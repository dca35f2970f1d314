"""Rows that a call or an operator makes from others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.domains.rows.steps import NUMBERS, Moment, Rows, made_at
from seqlint.domains.rows.terms import counted, cut_of, identity, is_count, is_path, root, same, shown
from seqlint.knowledge.orders import ALIKE, COPIES, MEASURES, PERMUTED, RANGES, SORTS
from seqlint.run import Container, Result, Tuple, Value

if TYPE_CHECKING:
    from seqlint.domains.rows.in_place import InPlace
    from seqlint.domains.rows.steps import Of
    from seqlint.domains.rows.taking import Taking
    from seqlint.run import Run


class Making:
    """The rows of what calls and operators give."""

    def __init__(self, run: Run, of: Of, taking: Taking, in_place: InPlace) -> None:
        self._run = run
        self._of = of
        self._taking = taking
        self._in_place = in_place

    def call(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """The rows of what a call gives."""
        name = found.name
        if name in ALIKE and identity(found) not in self._in_place.written:
            return Rows(identity(found), alike=True)
        if name in MEASURES:
            return None
        if name in SORTS:
            return root(found)
        if name in ALIKE or name.startswith("numpy.empty"):
            return self._filled(found, at, depth) or root(found)
        if name in RANGES:
            cut = cut_of(list(found.args)) if len(found.args) > 1 else None
            return Rows(NUMBERS, (cut,) if cut is not None and cut.key != ("all",) else ())
        first = found.args[0] if found.args else None
        if name in PERMUTED and first is not None:
            return self._permuted(found, first, at, depth)
        if name == "sklearn.utils.shuffle" and len(found.args) == 1 and first is not None:
            return self._taking.drawn(found, self._of(first, made_at(found, at), depth - 1))
        if name == "random.sample" and first is not None:
            return self._sampled(found, first, at, depth)
        if found.method == "sample" and found.receiver is not None:
            return self._fraction(found, at, depth)
        if name in ("numpy.take", ".take", "keras.ops.take", "tensorflow.gather"):
            return self._taken(found, at, depth)
        if (seen := shown(found)) is not None:
            return self._of(seen, at, depth - 1)
        return self._made_from(found, at, depth)

    def _filled(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """The rows of an array that a loop fills one by one: `x[n] = rows[row]`."""
        different: list[Rows] = []
        for call in self._in_place.written.get(identity(found), ()):
            index, value = call.result.args
            each = index.only.items[0] if isinstance(index.only, Tuple) and index.only.items else index
            when = Moment(call.context.clock, at.way | call.context.guards)
            rows = self.sources([value], when, depth - 1) if counted(each)[0] is not None else None
            if rows is None or len(rows) != 1 or not rows[0].by_row:
                return None
            different += [each for each in rows if not any(same(each, other) for other in different)]
        return replace(different[0], single=False) if len(different) == 1 else None

    def _permuted(self, found: Result, first: Value, at: Moment, depth: int) -> Rows | None:
        axis = found.keyword("axis") or (
            found.args[1] if found.name == "keras.random.shuffle" and len(found.args) > 1 else None
        )
        if axis is not None and axis.constant != 0:
            return self._of(first, made_at(found, at), depth - 1)
        if is_count(first):
            return self._taking.drawn(found, Rows(NUMBERS))
        return self._taking.drawn(found, self._of(first, made_at(found, at), depth - 1))

    def _sampled(self, found: Result, first: Value, at: Moment, depth: int) -> Rows | None:
        """`random.sample(x, len(x))`."""
        many = found.argument("k", 1)
        only = many.only if many is not None else None
        rows = self._of(first, made_at(found, at), depth - 1)
        if isinstance(only, Result) and only.name == "builtins.len" and rows is not None:
            return self._taking.drawn(found, rows)
        return None

    def _fraction(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """`frame.sample(frac=1)`."""
        part = found.keyword("frac")
        assert found.receiver is not None
        rows = self._of(found.receiver, made_at(found, at), depth - 1)
        return self._taking.drawn(found, rows) if part is not None and part.constant == 1 else None

    def _taken(self, found: Result, at: Moment, depth: int) -> Rows | None:
        given = [Value.of(found.receiver)] if found.receiver is not None else []
        given += found.args
        index = found.keyword("indices") or (given[1] if len(given) > 1 else None)
        if index is None:
            return None
        rows = self._of(given[0], made_at(found, at), depth - 1)
        return self._taking.by_index(found, rows, index, at, depth)

    def _made_from(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """What a function makes from one collection has its rows, in its order."""
        given = [*found.args, *(value for name, value in found.keywords if name in ("*", "x", "array", "data"))]
        if found.receiver is not None:
            given.append(Value.of(found.receiver))
        sources = self.sources(given, made_at(found, at), depth - 1)
        if sources is None or len(sources) != 1:
            return root(found)
        rows = sources[0]
        known = found.name in COPIES or found.name.partition(".")[0] in (
            "numpy",
            "keras",
            "tensorflow",
            "pandas",
            "builtins",
        )
        return rows if known or rows.steps or rows.by_row else replace(rows, since=max(rows.since, found.clock))

    def sources(self, given: list[Value], at: Moment, depth: int) -> list[Rows] | None:
        """The different rows among values, counts left out; None where one of them is not known."""
        found: list[Rows] = []
        for value in given:
            for each in value:
                if isinstance(each, (Result, Container)) and not is_count(Value.of(each)) and not is_path(each):
                    rows = self._of(each, at, depth)
                    if rows is not None and not any(same(rows, other) for other in found):
                        found.append(rows)
                elif isinstance(each, Tuple):
                    inner = self.sources(list(each.items), at, depth - 1) if depth > 0 else None
                    found += [rows for rows in inner or () if not any(same(rows, other) for other in found)]
        return [rows for rows in found if rows.base != NUMBERS] or found

    def operator(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """The rows of `a + b`."""
        if found.name == "slice":
            return None
        if found.name == "*" and any(self._is_single(each) for each in found.args):
            return Rows(identity(found), alike=True)
        sources = self.sources(list(found.args), made_at(found, at), depth - 1)
        return sources[0] if sources is not None and len(sources) == 1 else None

    def _is_single(self, value: Value) -> bool:
        """The list of `[1] * n`."""
        only = value.only
        items = self._run.items(only) if isinstance(only, Container) else None
        return items is not None and len(items) == 1
