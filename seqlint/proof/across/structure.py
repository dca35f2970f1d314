"""What must agree to the letter: samples and their order, shapes, steps, layers, settings, what is saved and loaded."""

from __future__ import annotations

import math
import re
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from seqlint.proof.across.values import Judged
from seqlint.proof.observables import observe
from seqlint.proof.values import same

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from seqlint.proof.observables import Entry
    from seqlint.proof.recorder.recording import InitialRecord, Leaf, Recording
    from seqlint.proof.run import Run

_DTYPE = re.compile(r"\b(?:bfloat|float|u?int|bool|string|complex)\d*(?=\[)")
_RENAMED = {"CuDNNLSTM": "LSTM", "CuDNNGRU": "GRU"}
_OPERATIONS = re.compile(r"(?:TFOp|Slicing|ClassMethod|InstanceMethod|InstanceProperty).*")
"""Layers that tf-keras makes of operations on tensors; on Keras 3 they are none."""
_OF_LAYERS = frozenset({
    "activation", "axis", "center", "dilation_rate", "dropout", "epsilon", "filters", "go_backwards", "groups", "input_dim",
    "kernel_size", "mask_zero", "momentum", "n", "output_dim", "padding", "pool_size", "rate", "recurrent_activation",
    "recurrent_dropout", "return_sequences", "scale", "size", "stddev", "strides", "target_shape", "units", "use_bias",
})  # fmt: skip
_OF_OPTIMIZERS = frozenset({
    "amsgrad", "beta_1", "beta_2", "centered", "clipnorm", "clipvalue", "global_clipnorm", "kind", "learning_rate", "momentum",
    "nesterov", "rho", "weight_decay",
})  # fmt: skip
_NEARLY = 1e-5
_SPREADS = 6.0
"""Standard errors by which the spread of weights that are drawn from one distribution hardly ever differs."""
_FEW = 64


def steps(old: Run, new: Run) -> Iterator[Judged]:
    """Epochs, steps of each, and why fits ended."""
    for name, observable in (("epochs", "epochs"), ("steps", "steps"), ("end of training", "stop")):
        before, after = (observe(observable, run) for run in (old, new))  # type: ignore[arg-type]
        if before.absent and after.absent:
            yield Judged(name, "NOT RUN", before.absent)
        else:
            yield _equal(name, before.entries, after.entries)


def shapes(old: Run, new: Run) -> Judged:
    """The shapes of batches, whatever their types: Keras 3 casts what it gets, as Keras 2 did later."""
    before, after = (
        [(place, _DTYPE.sub("", str(value))) for place, value in observe("spec", run).entries] for run in (old, new)
    )
    return _equal("shapes", _distinct(before), _distinct(after)) if before or after else Judged("shapes", "NOT RUN")


def _distinct(entries: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    seen: dict[tuple[str, str], str] = {}
    for place, value in entries:
        seen.setdefault((place.partition(",")[0], value), place)
    return [(place, value) for (_, value), place in seen.items()]


def rows(run: Run) -> dict[str, list[str]]:
    """The samples of each epoch, in their order."""
    found: dict[str, list[str]] = {}
    for place, row in observe("samples", run).entries:
        found.setdefault(", ".join(place.split(", ")[:2]), []).append(str(row))
    return found


def samples(old: Run, new: Run) -> Iterator[Judged]:
    """Whether each epoch had the same samples, and in the same order."""
    before, after = rows(old), rows(new)
    if not before and not after:
        yield Judged("samples", "NOT RUN", "no train step of Keras ran")
        return
    unlike = next((key for key in (*before, *after) if Counter(before.get(key)) != Counter(after.get(key))), None)
    if unlike is not None:
        yield Judged("samples", "DIFFERENT", f"{unlike}: {_unlike_rows(before.get(unlike, []), after.get(unlike, []))}")
        return
    yield Judged("samples", "SAME")
    moved = next((key for key, found in before.items() if after[key] != found), None)
    yield (
        Judged("order", "SAME")
        if moved is None
        else Judged("order", "DIFFERENT", f"{moved}: the same samples in another order")
    )


def _unlike_rows(before: Sequence[str], after: Sequence[str]) -> str:
    common = sum((Counter(before) & Counter(after)).values())
    return f"{len(before)} samples before, {len(after)} after, {common} of them the same"


def layers(old: Recording, new: Recording) -> Iterator[Judged]:
    """The layers of each model that was fitted, by kind and by what they were made with."""
    for entity, before in old["settings"].items():
        if not entity.startswith("the layers of "):
            continue
        after = new["settings"].get(entity, {})
        kinds = [_kinds(values) for values in (before, after)]
        if kinds[0] != kinds[1]:
            yield Judged("layers", "DIFFERENT", f"{entity.partition(' of ')[2]}: {_moved(*kinds)}")
            return
        unlike = next(_unlike(before, after, _OF_LAYERS), None)
        if unlike is not None:
            yield Judged("layers", "DIFFERENT", f"{entity.partition(' of ')[2]}: {unlike}")
            return
    yield Judged("layers", "SAME")


def _kinds(values: Mapping[str, Leaf]) -> list[str]:
    titles = dict.fromkeys(name.partition(", ")[0] for name in values)
    kinds = [title.rpartition(" ")[0] for title in titles]
    return [_RENAMED.get(kind, kind) for kind in kinds if not _OPERATIONS.fullmatch(kind)]


def _moved(before: Sequence[str], after: Sequence[str]) -> str:
    gone, more = Counter(before) - Counter(after), Counter(after) - Counter(before)
    parts = [
        f"{' and '.join(gone.elements())} is gone" if gone else "",
        f"{' and '.join(more.elements())} is new" if more else "",
    ]
    return ", ".join(part for part in parts if part) or "the layers have another order"


def _unlike(before: Mapping[str, Leaf], after: Mapping[str, Leaf], keys: frozenset[str]) -> Iterator[str]:
    for name, value in before.items():
        key = re.split(r"[.\[]", name.rpartition(", ")[2])[0]
        if key in keys and name in after and not _nearly(value, after[name]):
            yield f"{name} was {_shown(value)}, and is {_shown(after[name])}"


def _shown(value: Leaf) -> str:
    """A value as it was written: the rates of optimizers are kept as float32."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _nearly(one: Leaf, other: Leaf) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=_NEARLY, abs_tol=1e-12)
    return same(one, other)


def settings(old: Recording, new: Recording) -> Iterator[Judged]:
    """What fits were asked for: the optimizer and the loss."""
    for entity, before in old["settings"].items():
        after = new["settings"].get(entity)
        if after is None or not entity.startswith(("the optimizer of", "the loss of", "optimizer ")):
            continue
        loss = entity.startswith("the loss")
        keys = frozenset(_key(name) for name in (*before, *after)) if loss else _OF_OPTIMIZERS
        unlike = next(_unlike(before, after, keys), None) or (_reductions(before, after) if loss else None)
        if unlike is not None:
            yield Judged("settings", "DIFFERENT", f"{entity}: {unlike}")
            return
    yield Judged("settings", "SAME")


def _key(name: str) -> str:
    return re.split(r"[.\[]", name.rpartition(", ")[2])[0]


def _reductions(before: Mapping[str, Leaf], after: Mapping[str, Leaf]) -> str | None:
    names = [name for name in (*before, *after) if _key(name) == "reduction" and (name in before) != (name in after)]
    usual = "the mean over the batch"
    return next((f"{name} was {before.get(name, usual)}, and is {after.get(name, usual)}" for name in names), None)


def initial(old: Recording, new: Recording) -> Judged:
    """Whether each weight has its partner, and is drawn from the same distribution; the values are carried over."""
    name = "initial weights"
    if not old["initial"] and not new["initial"]:
        return Judged(name, "NOT RUN", "no model was built")
    if len(old["initial"]) != len(new["initial"]):
        return Judged(name, "DIFFERENT", f"{len(old['initial'])} models before, and {len(new['initial'])} after")
    for number, (before, after) in enumerate(zip(old["initial"], new["initial"], strict=True), 1):
        found = _unpaired(before, after) or next(filter(None, map(_drawn_otherwise, before, after)), "")
        if found:
            return Judged(name, "DIFFERENT", f"model {number}: {found}" if len(old["initial"]) > 1 else found)
    return Judged(name, "SAME", "carried over from the old program")


def _unpaired(before: Sequence[InitialRecord], after: Sequence[InitialRecord]) -> str:
    alone = next((one for one in after if not one["matched"]), None)
    if alone is not None:
        return f"{alone['layer']} has a weight of shape {alone['shape']} that was not there"
    if len(before) == len(after):
        return ""
    shapes = [[str(one["shape"]) for one in side] for side in (before, after)]
    kept = {
        block.a + k
        for block in SequenceMatcher(None, shapes[0], shapes[1], False).get_matching_blocks()
        for k in range(block.size)
    }
    gone = next((one for k, one in enumerate(before) if k not in kept), before[-1])
    return f"{gone['layer']} had a weight of shape {gone['shape']} that is not there any more"


def _drawn_otherwise(before: InitialRecord, after: InitialRecord) -> str:
    if before["set"] or after["set"] or not before["size"]:
        return ""
    where = f"{after['layer']}, shape {after['shape']}"
    if before["spread"] == 0 or after["spread"] == 0:
        equal = before["spread"] == after["spread"] and math.isclose(before["mean"], after["mean"], abs_tol=1e-6)
        return "" if equal or before["size"] == 1 else f"{where}: it began with other constants"
    error = _SPREADS / math.sqrt(2 * before["size"])
    if before["size"] < _FEW or abs(math.log(after["spread"] / before["spread"])) < error:
        return ""
    return f"{where}: its spread was {before['spread']:.3g}, and is {after['spread']:.3g}"


def _equal(name: str, before: Sequence[Entry], after: Sequence[Entry]) -> Judged:
    old, new = dict(before), dict(after)
    unlike = next((place for place in (*old, *new) if old.get(place) != new.get(place)), None)
    if unlike is None:
        return Judged(name, "SAME")
    return Judged(
        name, "DIFFERENT", f"{unlike}: {old.get(unlike, 'nothing')} before, {new.get(unlike, 'nothing')} after"
    )
