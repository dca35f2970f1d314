"""What counts as the same across the line, on recordings made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.across import Across, Judged, numbers, structure
from tests.proof.recordings import fit, ran, recording, step, weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.proof import Run
    from seqlint.proof.recorder.recording import FitRecord, InitialRecord, Leaf


def logged(**series: Sequence[float]) -> Run:
    found: FitRecord = {**fit(), "history": {name: list(values) for name, values in series.items()}}
    return ran(recording(fits=(found,)))


def outcomes(old: Run, new: Run, noise: dict[str, float] | None = None) -> dict[str, Judged]:
    return {one.name: one for one in numbers.compared(numbers.read(old), numbers.read(new), noise or {}, {})}


def test_names_that_keras_3_changed_are_one() -> None:
    old = logged(loss=(1.0, 0.5), acc=(0.1, 0.2), val_auc_1=(0.5, 0.6), lr=(0.1, 0.1))
    new = logged(loss=(1.0, 0.5), accuracy=(0.1, 0.2), val_auc=(0.5, 0.6), learning_rate=(0.1, 0.1))
    assert outcomes(old, new)["history"].outcome == "SAME"
    gone = outcomes(old, logged(loss=(1.0, 0.5)))["history"]
    assert gone.outcome == "DIFFERENT"
    assert "accuracy" in gone.detail


def test_small_differences_are_told_and_allowed() -> None:
    old = logged(loss=(1.0, 0.5))
    near = outcomes(old, logged(loss=(1.0, 0.50001)))["history"]
    assert (near.outcome, near.detail) == ("SAME", "differs by 2e-05 at most, where 0.001 is allowed")
    far = outcomes(old, logged(loss=(1.0, 0.6)))["history"]
    assert far.outcome == "DIFFERENT"
    assert "0.5 before, 0.6 after" in far.detail
    assert outcomes(old, logged(loss=(1.0, 0.6)), {"history": 0.1})["history"].outcome == "SAME"


def test_numbers_that_are_next_to_nothing_are_zero() -> None:
    assert outcomes(logged(loss=(1e-9,)), logged(loss=(3e-9,)))["history"].outcome == "SAME"


def test_a_number_that_is_none_is_different() -> None:
    assert outcomes(logged(loss=(0.5,)), logged(loss=(float("nan"),)))["history"].outcome == "DIFFERENT"


def test_samples_and_their_order() -> None:
    old = ran(recording(steps=(step("a b"), step("c d"))))

    def told(*steps: str) -> list[tuple[str, str]]:
        found = structure.samples(old, ran(recording(steps=tuple(map(step, steps)))))
        return [(one.name, one.outcome) for one in found]

    assert told("a b", "c d") == [("samples", "SAME"), ("order", "SAME")]
    assert told("a c", "b d") == [("samples", "SAME"), ("order", "DIFFERENT")]
    assert told("a b", "c e") == [("samples", "DIFFERENT")]
    assert told("a b") == [("samples", "DIFFERENT")]


def test_shapes_are_compared_without_their_types() -> None:
    old = ran(recording(steps=(step("a", spec="(float64[n,3], int32[n])"),)))
    assert structure.shapes(old, ran(recording(steps=(step("a"),)))).outcome == "SAME"
    assert (
        structure.shapes(old, ran(recording(steps=(step("a", spec="(float32[n,4], float32[n])"),)))).outcome
        == "DIFFERENT"
    )


def layered(settings: dict[str, dict[str, Leaf]]) -> Run:
    made = recording()
    made["settings"] = settings
    return ran(made)


def of_layers(old: dict[str, Leaf], new: dict[str, Leaf]) -> Judged:
    runs = layered({"the layers of fit 1": old}), layered({"the layers of fit 1": new})
    assert runs[0].recording is not None
    assert runs[1].recording is not None
    return next(structure.layers(runs[0].recording, runs[1].recording))


def test_layers_are_named_that_differ() -> None:
    old: dict[str, Leaf] = {"CuDNNLSTM 1, units": 4, "TFOpLambda 1, x": 1, "Dense 1, units": 2, "Dense 1, made_up": 1}
    assert of_layers(old, {"LSTM 1, units": 4, "Dense 1, units": 2, "Dense 1, made_up": 2}).outcome == "SAME"
    assert of_layers(old, {"LSTM 1, units": 4}).detail == "fit 1: Dense is gone"
    assert of_layers({"Dense 1, units": 2}, {"Dense 1, units": 3}).detail == "fit 1: Dense 1, units was 2, and is 3"


def first(shape: list[int], spread: float = 0.1, mean: float = 0.0, *, matched: bool = True) -> InitialRecord:
    size = 1
    for each in shape:
        size *= each
    return {
        "layer": "layer 1 (Dense)", "shape": shape, "size": size, "mean": mean, "spread": spread, "set": False,
        "matched": matched, "trained": True,
    }  # fmt: skip


def begun(old: list[InitialRecord], new: list[InitialRecord]) -> Judged:
    before, after = recording(), recording()
    before["initial"], after["initial"] = [old], [new]
    return structure.initial(before, after)


def test_initial_weights_come_of_one_distribution() -> None:
    assert begun([first([10, 50])], [first([10, 50], 0.102)]).outcome == "SAME"
    assert begun([first([10, 50])], [first([10, 50], 0.2)]).outcome == "DIFFERENT"
    assert begun([first([8], 0.0)], [first([8], 0.0, 1.0)]).outcome == "DIFFERENT"
    assert begun([first([4])], [first([4], 0.2)]).outcome == "SAME", "four numbers tell nothing"
    assert "not there any more" in begun([first([10, 50]), first([7])], [first([10, 50])]).detail
    assert "was not there" in begun([first([10, 50])], [first([10, 50]), first([7], matched=False)]).detail


def test_nothing_is_the_same_without_results() -> None:
    assert Across("a.py", (Judged("samples", "SAME"), Judged("order", "SAME"))).answer == "NOT RUN"
    assert Across("a.py", (Judged("history", "SAME"),)).answer == "SAME ACROSS"
    assert (
        Across("a.py", (Judged("history", "SAME"), Judged("steps", "DIFFERENT", "4, then 3"))).reason
        == "steps: 4, then 3"
    )
    assert Across("a.py", (Judged("history", "NOT RUN", "no history"),)).reason == "history: no history"


def test_weights_are_compared_as_numbers() -> None:
    old, new, other = recording(), recording(), recording()
    old["weights"], new["weights"], other["weights"] = (
        [[weights([1.0, 2.0])]],
        [[weights([1.0, 2.00001])]],
        [[weights([1.0, 3.0])]],
    )
    assert outcomes(ran(old), ran(new))["weights"].outcome == "SAME"
    assert outcomes(ran(old), ran(other))["weights"].outcome == "DIFFERENT"
