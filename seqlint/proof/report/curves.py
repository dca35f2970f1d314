"""The series that `fit` returned, of both runs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.proof.values import same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from seqlint.proof.recorder.recording import FitRecord, Leaf
    from seqlint.proof.run import Proof, Run


@dataclass(frozen=True, slots=True)
class Curve:
    """One series of one `fit`, before and after.

    Attributes:
        fit: its number in the program, from 1.
        epochs: the numbers that Keras prints.
        before, after: one value for each epoch; None where there is none.
    """

    fit: int
    series: str
    epochs: tuple[int, ...]
    before: tuple[Leaf, ...]
    after: tuple[Leaf, ...]

    @property
    def equal(self) -> bool:
        """Whether both runs gave the same values."""
        return all(same(a, b) for a, b in zip(self.before, self.after, strict=True))

    @property
    def only(self) -> str:
        """The side that alone has this series: "before" or "after"; empty when both do."""
        if all(value is None for value in self.before):
            return "after"
        return "before" if all(value is None for value in self.after) else ""


def curves(proof: Proof) -> tuple[Curve, ...]:
    """Every series of every `fit` that ran in either program, in the order of the programs."""
    one, other = _fits(proof.before), _fits(proof.after)
    return tuple(
        curve
        for number in sorted(one.keys() | other.keys())
        for curve in _curves(number, one.get(number, {}), other.get(number, {}))
    )


def _fits(run: Run) -> Mapping[int, Mapping[str, Mapping[int, Leaf]]]:
    fits = run.recording["fits"] if run.recording else []
    return {number: _series(fit) for number, fit in enumerate(fits, 1) if fit["planned"]}


def _series(fit: FitRecord) -> Mapping[str, Mapping[int, Leaf]]:
    first = min(fit["epochs"], default=0) + 1
    return {name: dict(enumerate(values, first)) for name, values in fit["history"].items()}


def _curves(
    number: int, one: Mapping[str, Mapping[int, Leaf]], other: Mapping[str, Mapping[int, Leaf]]
) -> Sequence[Curve]:
    return [_curve(number, name, one.get(name, {}), other.get(name, {})) for name in dict.fromkeys((*one, *other))]


def _curve(number: int, name: str, one: Mapping[int, Leaf], other: Mapping[int, Leaf]) -> Curve:
    epochs = tuple(sorted(one.keys() | other.keys()))
    return Curve(number, name, epochs, tuple(map(one.get, epochs)), tuple(map(other.get, epochs)))
