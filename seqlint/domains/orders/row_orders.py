"""In which order datasets give their rows, and whether two of them agree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.pipelines.draws import contents
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.tf_data import LOADERS
from seqlint.run import Container, Result, Tuple, Value
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.run import Run

Verdict = Literal["agree", "differ", "unknown"]
_OF_ROWS = frozenset({
    "from_tensor_slices", "list_files", "from_generator", "TFRecordDataset", "TextLineDataset", "CsvDataset", "FixedLengthRecordDataset", *LOADERS,
})  # fmt: skip
_FILLED = frozenset({"zeros", "ones", "full", "zeros_like", "ones_like", "fill", "full_like"})
_KEEPS_ELEMENTS = frozenset({
    "batch", "padded_batch", "prefetch", "shuffle", "repeat", "cache", "with_options", "take", "skip", "unbatch", "filter", "ignore_errors",
})  # fmt: skip
_SEEDS = ("tensorflow.random.set_seed", "keras.utils.set_random_seed", "tensorflow.compat.v1.set_random_seed")


@dataclass(frozen=True)
class Disorder:
    """A step that brings rows into an order of its own.

    Attributes:
        anew: whether each reading has another order.
        seed: of the operation; None where it has none.
        buffer: what it draws from: rows of a buffer, or all files.
    """

    step: Result
    anew: bool
    seed: Value | None
    buffer: Value | None


class RowOrders:
    """The orders of the datasets of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    def disorder(self, step: Result) -> Disorder | None:
        """What a step does to the order of rows; None where it keeps it, or nobody knows."""
        argument = self._pipelines.argument
        seed = argument(step, "seed")
        seed = None if seed is None or constant(seed) is None else seed
        if self._pipelines.hides_arguments(step):
            return None
        if step.method == "shuffle":
            buffer, again = argument(step, "buffer_size"), argument(step, "reshuffle_each_iteration")
            anew = again is None or constant(again) in (True, None)
            known = again is None or constant(again) in (True, False, None)
            return Disorder(step, anew, seed, buffer) if known and constant(buffer) != 1 else None
        if step.method == "list_files" or step.method in LOADERS:
            flag = argument(step, "shuffle")
            by_default = step.method not in ("split_dataset", "timeseries_dataset_from_array")
            shuffles = (flag is None and by_default) or (flag is not None and constant(flag) in (True, None))
            return Disorder(step, True, seed, None) if shuffles else None
        return None

    def disorders(self, dataset: Result) -> tuple[Disorder, ...]:
        """All that brings the rows of a dataset into another order, from its source on."""
        found = (self.disorder(step) for step in reversed(self._pipelines.line(dataset)))
        return tuple(each for each in found if each is not None)

    def has_rows(self, dataset: Result) -> bool:
        """Whether a dataset surely gives rows of data, and not numbers, noise or one thing again and again."""
        source = self._pipelines.line(dataset)[-1]
        given = source.args[0].only if source.args else None
        filled = isinstance(given, Result) and given.method in _FILLED
        return source.method in _OF_ROWS and not filled

    def shared(self, one: Result, other: Result) -> Disorder | None:
        """A step that both are made from, and that gives each of them an order of its own."""
        above = {*self._pipelines.line(other)}
        for each in self.disorders(one):
            later = self._after(one, each.step) + self._after(other, each.step)
            if each.anew and each.step in above and not any(step.method in ("cache", "snapshot") for step in later):
                return each
        return None

    def _after(self, dataset: Result, step: Result) -> tuple[Result, ...]:
        line = self._pipelines.line(dataset)
        return line[: line.index(step)] if step in line else ()

    def own(self, one: Result, other: Result) -> Verdict:
        """Whether the steps that the two do not share bring them into one order."""
        left, right = self.disorders(one), self.disorders(other)
        steps = {each.step for each in left} & {each.step for each in right}
        left = tuple(each for each in left if each.step not in steps)
        right = tuple(each for each in right if each.step not in steps)
        if any(self._is_opaque(step) for dataset in (one, other) for step in self._pipelines.line(dataset)):
            return "unknown"
        verdicts = {self._compared(*pair) for pair in zip(left, right, strict=False)}
        if len(left) != len(right):
            longer = left[len(right) :] or right[len(left) :]
            verdicts |= {"differ" if all(self._is_drawn(each) for each in longer) else "unknown"}
        if "differ" in verdicts:
            return "differ"
        return "unknown" if "unknown" in verdicts else "agree"

    def _compared(self, one: Disorder, other: Disorder) -> Verdict:
        if one.seed is None or other.seed is None:
            return "differ" if not self._seeded_anew else "unknown"
        if one.seed.term == other.seed.term:
            same = (one.buffer.term if one.buffer else 0) == (other.buffer.term if other.buffer else 0)
            return "agree" if same and one.anew == other.anew else "unknown"
        known = constant(one.seed) is not ... and constant(other.seed) is not ...
        return "differ" if known else "unknown"

    def _is_drawn(self, found: Disorder) -> bool:
        """Whether it surely moves rows: its buffer has more than one."""
        return found.buffer is None or constant(found.buffer) != 1

    def _is_opaque(self, step: Result) -> bool:
        return step.method in ("apply", "map_and_batch", "from_generator", "random", "sample_from_datasets") or (
            step.method in ("shuffle", *LOADERS) and self._pipelines.hides_arguments(step)
        )

    @cached_property
    def _seeded_anew(self) -> bool:
        """Whether the global seed is set several times: operations with no seed of their own may then draw alike."""
        return sum(call.name in _SEEDS for call in self._run.calls) > 1

    def movable(self, shuffles: Sequence[Result], join: Result) -> bool:
        """Whether shuffles could as well come after a `zip`: rows are what they mix, and nobody else reads them."""
        made = self._run.call_of[join].context
        for step in shuffles:
            same = [each for each in self._pipelines.steps if each.node is step.node]
            context = self._run.call_of[step].context
            between = [each for each in self._pipelines.ancestors(join) if step in self._pipelines.ancestors(each)]
            if (
                len(same) != 1
                or step.method != "shuffle"
                or not self._run.is_here(context)
                or context.stack != made.stack
            ):
                return False
            if any(each.method not in ("map", "prefetch") for each in between):
                return False
            if not {*self._pipelines.reached(step)} <= {*self._pipelines.reached(join)}:
                return False
        return self._run.is_here(made) and sum(each.node is join.node for each in self._pipelines.steps) == 1

    # -- what becomes of pairs --------------------------------------------------------------------------------------

    def keeps_pairs(self, step: Result) -> bool | None:
        """Whether the function of a `map` after a `zip` hands on both sides, each as a part of its own; None: nobody knows."""
        returned = self._run.returned(step)
        if not returned:
            return None
        sides: set[frozenset[str]] = set()
        for part in self._parts(returned[0]):
            inside = contents(self._run, part)
            sides.add(frozenset(each.name for each in inside if isinstance(each, Result) and each.op == "element"))
        sides.discard(frozenset())
        return all(len(side) == 1 for side in sides) and len(sides) > 1

    def _parts(self, value: Value) -> Iterator[Value]:
        """The components of a row: the items of tuples and dicts."""
        for each in value:
            if isinstance(each, Container) and each.kind == "dict":
                found = [self._run.at_key(each, constant(key)) for key in self._run.items(each) or ()]
                inner: list[Value | None] = [*found]
            else:
                inner = [*(self._run.items(each) or ())] if isinstance(each, (Tuple, Container)) else []
            for item in inner:
                yield from self._parts(item) if item is not None else ()
            if not inner:
                yield Value.of(each)

    def paired(self, step: Result) -> tuple[bool | None, tuple[Result, ...]]:
        """Whether all that is made of a zip keeps its pairs, and the last datasets of that.

        Returns: True, False or None (nobody knows), and the datasets.
        """
        answers: list[bool | None] = [True]
        ends: list[Result] = []
        waiting = [step]
        while waiting:
            here = waiting.pop()
            ends.append(here)
            for child in self._pipelines.children(here):
                if child.method == "map":
                    answers.append(self.keeps_pairs(child))
                elif child.method not in (*_KEEPS_ELEMENTS, "zip"):
                    answers.append(None)
                waiting.append(child)
        if False in answers:
            return False, tuple(ends)
        return None if None in answers else True, tuple(ends)
