"""Codemods under the contracts of rules: what they declare has changed, and in the wrong direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint import registry
from tests.proof.codemods.codemod import At, Right, Wrong
from tests.proof.codemods.programs import DRAWN_BY_NUMPY, SEQUENCE, SHUFFLED_DATASET

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Contract, Observable

_CONTRACTS: Mapping[str, Contract] = {loaded.rule.code: loaded.rule.contract for loaded in registry.load()}
MADE = "        self.size = size\n"


def hooked(hook: str, x: str = "self.rows[part]", y: str = "self.labels[part]") -> str:
    """A Sequence with a hook that changes the order of its rows."""
    program = SEQUENCE.replace("x = self.rows[part]", f"x = {x}").replace("y = self.labels[part]", f"y = {y}")
    program = program.replace(MADE, f"{MADE}        self.order = np.arange(len(rows))\n")
    return program.replace("        return x, y\n", f"        return x, y\n\n    def on_epoch_end(self):\n{hook}")


SPLIT = "        np.random.shuffle(self.rows)\n        np.random.shuffle(self.labels)\n"
JOINED = "        order = np.random.permutation(len(self.rows))\n        self.rows, self.labels = self.rows[order], self.labels[order]\n"
APART = hooked(SPLIT).replace("Feed(rows, labels)", "Feed(rows.copy(), labels.copy())")
AT_ONCE = SEQUENCE.replace(MADE, MADE + SPLIT).replace("Feed(rows, labels)", "Feed(rows.copy(), labels.copy())")
UNUSED = hooked("        np.random.shuffle(self.order)\n").replace("epochs=2", "epochs=3")
ORDERED = {"self.rows[part]": "self.rows[self.order[part]]", "self.labels[part]": "self.labels[self.order[part]]"}
DROPPED = SEQUENCE.replace("math.ceil", "math.floor")
HALVES = SEQUENCE.replace("x = self.rows[part]", 'x = self.rows[part].astype("float64") / 7')
CACHED_NOISE = DRAWN_BY_NUMPY.replace(".cache().map(noisy)", ".map(noisy).cache()").replace("epochs=2", "epochs=3")
CACHED_ORDER = SHUFFLED_DATASET.replace(".shuffle(10).batch(4)", ".shuffle(10).cache().batch(4)").replace(
    "epochs=2", "epochs=3"
)
WHOLE_BATCHES = SHUFFLED_DATASET.replace(".shuffle(10).batch(4)", ".batch(4).shuffle(10)").replace(
    "epochs=2", "epochs=3"
)
SLICES = "tf.data.Dataset.from_tensor_slices"
ZIPPED = SHUFFLED_DATASET.replace(
    f"{SLICES}((rows, labels)).shuffle(10)",
    f"tf.data.Dataset.zip(({SLICES}(rows).shuffle(10), {SLICES}(labels).shuffle(10)))",
)
LEAKY = SHUFFLED_DATASET.replace(".shuffle(10).batch(4)", ".shuffle(10)").replace(
    "fit(train, ", "fit(train.take(8).batch(4), validation_data=train.skip(8).batch(4), "
)
WATCHED = SEQUENCE.replace(
    "epochs=2", 'epochs=40, callbacks=[keras.callbacks.EarlyStopping("loss", mode="max", patience=9)]'
).replace('"sgd"', "keras.optimizers.SGD(1e-4)")


def wrong(
    code: str, name: str, program: str, edit: Mapping[str, str], observable: Observable = "samples", where: str = "…"
) -> Wrong:
    return Wrong(f"{name} ({code})", program, edit, {observable: At(where)}, contract=_CONTRACTS[code])


def right(code: str, name: str, program: str, edit: Mapping[str, str], *seen: Observable) -> Right:
    return Right(f"{name} ({code})", program, edit, _CONTRACTS[code], seen=frozenset(seen))


WRONG_STEERED = (
    wrong("SEQ109", "labels are taken backwards", APART, {SPLIT: JOINED.replace("self.labels[order]", "self.labels[order[::-1]]")}),
    wrong("SEQ109", "rows are shuffled, and labels stay", APART, {SPLIT: JOINED.replace("self.labels[order]", "self.labels")}),
    wrong("SEQ109", "labels are taken backwards once", AT_ONCE, {SPLIT: JOINED.replace("self.labels[order]", "self.labels[order[::-1]]")}),
    wrong("SEQ109", "a row comes twice", APART, {SPLIT: JOINED.replace("np.random.permutation(len(self.rows))", "np.random.randint(0, len(self.rows), len(self.rows))")}),
    wrong("SEQ107", "the order is turned round once", UNUSED, {key: value.replace("self.order", "np.arange(10)[::-1]") for key, value in ORDERED.items()}, "order"),
    wrong("SEQ107", "the order moves on by one", UNUSED, {**ORDERED, "np.random.shuffle(self.order)": "self.order = np.roll(self.order, 1)"}, "order"),
    wrong("SEQ218", "the tail has the first labels", DROPPED, {"math.floor": "math.ceil", "self.labels[part]": "self.labels[part] if index < 2 else self.labels[:2]"}),
    wrong("SEQ218", "the tail takes the place of the first batch", DROPPED, {"math.floor": "math.ceil", "part = slice(index": "index = index or 2\n        part = slice(index"}),
    wrong("SEQ212", "half precision in place of double", HALVES, {' / 7': ' / 7\n        x = x.astype("float16")'}, "spec"),
    wrong("SEQ212", "half precision on the way to single", HALVES, {' / 7': ' / 7\n        x = x.astype("float16").astype("float32")'}, "spec"),
    wrong("SEQ212", "single precision, cut to three places", HALVES, {' / 7': ' / 7\n        x = x.round(3).astype("float32")'}, "spec"),
    wrong("SEQ404", "the noise is still cached", CACHED_NOISE, {".cache()": ".cache().map(lambda x, y: (x + 1, y))"}),
    wrong("SEQ404", "labels move with the noise", CACHED_NOISE, {".map(noisy).cache()": ".cache().map(noisy)", "(1,)), y": "(1,)), y + 1"}),
    wrong("SEQ405", "nothing is shuffled any more", CACHED_ORDER, {".shuffle(10).cache()": ".cache()"}, "order"),
    wrong("SEQ405", "one order serves all epochs", CACHED_ORDER, {".shuffle(10).cache()": ".cache().shuffle(10, reshuffle_each_iteration=False)"}, "order"),
    wrong("SEQ402", "rows are shuffled once", WHOLE_BATCHES, {".batch(4).shuffle(10)": ".shuffle(10, reshuffle_each_iteration=False).batch(4)"}, "order"),
    wrong("SEQ403", "only the rows are shuffled", ZIPPED, {f"{SLICES}(labels).shuffle(10)": f"{SLICES}(labels)"}),
    wrong("SEQ403", "two seeds in place of none", ZIPPED, {f"{SLICES}(rows).shuffle(10)": f"{SLICES}(rows).shuffle(10, seed=1)", f"{SLICES}(labels).shuffle(10)": f"{SLICES}(labels).shuffle(10, seed=2)"}),
    wrong("SEQ401", "two parts share a row", LEAKY, {".shuffle(10)": ".shuffle(10, reshuffle_each_iteration=False)", "skip(8)": "skip(7)"}),
    wrong("SEQ503", "a falling loss is still the worse", WATCHED, {'mode="max", patience=9': 'mode="max", patience=12'}, "settings"),
    wrong("SEQ503", "the patience goes with the mode", WATCHED, {'mode="max", patience=9': 'mode="min"'}, "settings"),
)  # fmt: skip

RIGHT_STEERED = (
    right("SEQ109", "one order for both", APART, {SPLIT: JOINED}, "samples", "history", "weights", "state"),
    right("SEQ107", "batches go through the order", UNUSED, ORDERED, "order", "grouping", "history", "weights"),
    right("SEQ218", "the short batch counts", DROPPED, {"math.floor": "math.ceil"}, "samples", "steps", "history", "weights"),
    right("SEQ212", "single precision", HALVES, {' / 7': ' / 7\n        x = x.astype("float32")'}, "spec"),
    right("SEQ404", "noise after the cache", CACHED_NOISE, {".map(noisy).cache()": ".cache().map(noisy)"}, "samples", "history", "weights"),
    right("SEQ405", "a shuffle after the cache", CACHED_ORDER, {".shuffle(10).cache()": ".cache().shuffle(10)"}, "order", "grouping", "history", "weights"),
    right("SEQ402", "a shuffle before the batches", WHOLE_BATCHES, {".batch(4).shuffle(10)": ".shuffle(10).batch(4)"}, "order", "grouping", "history", "weights"),
    right("SEQ401", "one order for both parts", LEAKY, {".shuffle(10)": ".shuffle(10, reshuffle_each_iteration=False)"}, "samples", "order", "grouping", "history", "weights"),
    right("SEQ503", "a falling loss is the better", WATCHED, {'mode="max"': 'mode="min"'}, "settings"),
)  # fmt: skip
